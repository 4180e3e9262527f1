"""What checks of values by sets of free slots share: what slots score, and how many decisions follow."""

import numpy as np

from dicebase.vocabulary import Scorecard


def gains_of(rules: Scorecard) -> np.ndarray:
    """What slots score, shape (slots, rolls)."""
    return np.array([[rules.gain(slot, roll) for roll in rules.weights] for slot in range(1, rules.slots + 1)])


def count_decisions(rules: Scorecard, free: np.ndarray) -> tuple[int, int]:
    """How many states and actions follow from one row for each of these sets of free slots."""
    rolls = len(rules.weights)
    return rolls * int(np.count_nonzero(free)), rolls * int(np.bitwise_count(free).sum(dtype=np.int64))
