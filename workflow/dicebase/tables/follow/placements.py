"""Decisions of a scorecard that follow from stored values (placing.py), from mapped rows; derived.py says it in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from dicebase.catalog.row_arrays import Part
from dicebase.matches.placements import FollowedPlacements
from dicebase.tables.follow.choices import Choices, rank_choices


def placements(
    listing: FollowedPlacements,
    part: Part,
    variant: Mapping[str, Any],
    state: Mapping[str, np.ndarray],
    tolerance: float,
) -> tuple[Choices, np.ndarray]:
    """The slots for n rolls of a variant, and whether the table has the position, of shape (n,).

    state : the free slots, the points where they matter, and the roll, as arrays of shape (n,) int64.
    tolerance : q-values that are this close are not told apart.
    """
    free, roll = state["free"], state["roll_total"]
    fixed = [np.full(len(free), number) for number in part.key(variant)]
    points = [state[listing.points]] if listing.points else []
    rolls, gains = _gains(listing)
    there = np.minimum(np.searchsorted(rolls, roll), len(rolls) - 1)
    found = (rolls[there] == roll) & (free > 0) & (part.ranks.ranks([*fixed, free, *points]) >= 0)
    q_values = np.full((len(free), listing.rules.slots), np.nan)
    for slot in range(listing.rules.slots):
        legal = np.flatnonzero(found & (free >> slot & 1 == 1))
        gain = gains[slot][there[legal]]
        after = [p[legal] + listing.step * gain for p in points]
        row = part.ranks.ranks([*(f[legal] for f in fixed), free[legal] & ~(1 << slot), *after])
        worth = np.where(row >= 0, part.rows["value"][row], 0.0) + (gain if listing.gains else 0)
        q_values[legal, slot] = np.where(points[0][legal] <= gain, 1.0, worth) if listing.enough else worth
    choices = rank_choices([str(slot + 1) for slot in range(listing.rules.slots)], q_values, 1, tolerance)
    if listing.value.unit == "probability":
        # Certain and impossible are exact; any other two values that are this close are not told apart.
        choices.undecided[(q_values <= 0) | (q_values >= 1)] = False
    return choices, found


@lru_cache(maxsize=16)
def _gains(listing: FollowedPlacements) -> tuple[np.ndarray, np.ndarray]:
    """(the rolls, rising; what each slot scores for them, of shape (slots, rolls))."""
    rolls = list(listing.rules.weights)
    slots = range(1, listing.rules.slots + 1)
    return np.array(rolls), np.array([[listing.rules.gain(slot, roll) for roll in rolls] for slot in slots])
