"""Numbers for what is asked for, in the order of asking."""

from collections import defaultdict
from collections.abc import Hashable
from itertools import count, islice


class Numbers(defaultdict):
    """Whatever is looked up and has no number yet gets the next one, from 0."""

    def __init__(self) -> None:
        super().__init__(count().__next__)  # its own length would make it refer to itself, and outlive its use

    def since(self, known: int) -> list[Hashable]:
        """What has got a number since `known` were there."""
        return [*islice(reversed(self), len(self) - known)][::-1]
