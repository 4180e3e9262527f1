"""The values of placing a roll on a scorecard, from stored values (matches/sheets/scorecards.py)."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from dicebase.matches.sheets.scorecards import FollowedPlacements
from dicebase.tables.follow.ranking import Choices, StoredRows


def placements(
    listing: FollowedPlacements, stored: StoredRows, variant: Mapping[str, int | str], state: Mapping[str, np.ndarray]
) -> Choices:
    """Return the choice of slots for n rolls of a variant.

    state : the free slots, points if they are a column, and the roll, (n,) int64 each.
    """
    free, roll = state["free"], state["roll_total"]
    fixed = [np.full(len(free), number) for number in stored.key(variant)]
    points = [state[listing.points]] if listing.points else []
    rolls, gains = _gains(listing)
    there = np.minimum(np.searchsorted(rolls, roll), len(rolls) - 1)
    found = (rolls[there] == roll) & (free > 0) & (stored.numbers([*fixed, free, *points]) >= 0)
    slots = range(listing.rules.slots)
    q_values = np.full((len(free), len(slots)), np.nan)
    for slot in slots:
        legal = np.flatnonzero(found & (free >> slot & 1 == 1))
        gain = gains[slot][there[legal]]
        after = [p[legal] + listing.step * gain for p in points]
        row = stored.numbers([*(f[legal] for f in fixed), free[legal] & ~(1 << slot), *after])
        worth = np.where(row >= 0, stored.rows("value", row), 0.0) + (gain if listing.gains else 0)
        q_values[legal, slot] = np.where(points[0][legal] <= gain, 1.0, worth) if listing.enough else worth
    names = [str(slot + 1) for slot in slots]
    return Choices(names, q_values, found, np.arange(len(slots)), certain=listing.value.unit == "probability")


@lru_cache(maxsize=16)
def _gains(listing: FollowedPlacements) -> tuple[np.ndarray, np.ndarray]:
    """Return (rolls in rising order, points by (slot, roll))."""
    return np.array(list(listing.rules.weights)), np.array(listing.rules.gains)
