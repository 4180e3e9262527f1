"""Scorecards as arrays: what slots score, and where the strategy that maximises the expected score puts rolls."""

import numpy as np

from dicebase.solve.scorecards.subsets import ranked_slots
from dicebase.vocabulary import Scorecard


def gains_of(rules: Scorecard) -> np.ndarray:
    """What each slot scores for each roll, shape (slots, rolls)."""
    return np.array([[rules.gain(slot, roll) for roll in rules.weights] for slot in range(1, rules.slots + 1)])


def probabilities_of(rules: Scorecard) -> np.ndarray:
    """Of each roll, shape (rolls,)."""
    total = sum(rules.weights.values())
    return np.array([weight / total for weight in rules.weights.values()])


def chosen_slots(rules: Scorecard) -> np.ndarray:
    """The best slot, from 0, for the expected score, by bit mask of the free slots and roll; 0 where none is free."""
    return ranked_slots(rules.weights, rules.slots, rules.gain)[:, :, 0].astype(np.int64)
