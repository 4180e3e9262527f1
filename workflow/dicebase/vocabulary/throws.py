"""The rules of a turn of one decision."""

from __future__ import annotations

from abc import abstractmethod

from dicebase.vocabulary.rulebook import Rulebook


class Throw(Rulebook):
    """The rules of a turn of one decision: choose a throw, and what falls is banked."""

    family = "throws"

    choices: tuple[int, ...]  # how many dice one may throw
    wipes: bool = False  # whether a throw of nothing loses the points banked before as well

    @abstractmethod
    def gains(self, choice: int) -> dict[int, int]:
        """{points gained: weight} of a throw, in rising order; 0 is a throw of nothing, which may happen and must
        not be certain."""
