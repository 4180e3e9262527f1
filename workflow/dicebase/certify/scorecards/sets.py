"""What checks of values by sets of free slots share: are the rows there, and how many decisions follow from them?"""

from collections.abc import Sequence

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, check_keys
from dicebase.vocabulary import Scorecard


def check_rows(published: Published, expected: Sequence[np.ndarray], fail: Fail) -> None:
    """That the published rows are those expected, in order."""
    if not all(map(np.array_equal, published.keys, expected)):
        check_keys(published, zip(*(column.tolist() for column in expected), strict=True), fail)


def gains_of(rules: Scorecard) -> np.ndarray:
    """What slots score, shape (slots, rolls)."""
    return np.array([[rules.gain(slot, roll) for roll in rules.weights] for slot in range(1, rules.slots + 1)])


def count_decisions(rules: Scorecard, free: np.ndarray) -> tuple[int, int]:
    """How many states and actions follow from one row for each of these sets of free slots."""
    rolls = len(rules.weights)
    return rolls * int(np.count_nonzero(free)), rolls * int(np.bitwise_count(free).sum(dtype=np.int64))
