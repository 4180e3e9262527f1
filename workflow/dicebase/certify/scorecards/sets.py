"""What checks of values by sets of free slots share: are the rows there, and how many decisions follow from them?"""

from collections.abc import Sequence

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published
from dicebase.vocabulary import Scorecard


def check_rows(published: Published, expected: Sequence[np.ndarray], fail: Fail) -> None:
    """That the published rows are those expected, in order."""
    keys = published.keys
    if len(keys[0]) == len(expected[0]) and all(map(np.array_equal, keys, expected)):
        return
    theirs, ours = (set(zip(*(key.tolist() for key in columns), strict=True)) for columns in (keys, expected))
    odd = min(theirs ^ ours)
    fail(odd, "is missing" if odd in ours else "is not part of the table")


def count_decisions(rules: Scorecard, free: np.ndarray) -> tuple[int, int]:
    """How many states and actions follow from one row for each of these sets of free slots."""
    rolls = len(rules.weights)
    return rolls * int(np.count_nonzero(free)), rolls * int(np.bitwise_count(free).sum(dtype=np.int64))
