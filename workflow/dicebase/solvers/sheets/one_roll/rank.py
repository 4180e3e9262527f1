"""The expected roll on the i-th of j free slots, by recurrence (6) of Böcker (2015); docs/why/solvers.md explains it
(Scorecards)."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import inf

import numpy as np


def exact_expected_rolls(weights: Mapping[int, int], slots: int) -> list[list[Fraction]]:
    """Return E_1 to E_slots in rationals; row j - 1 has j entries."""
    total = sum(weights.values())
    rows: list[list[Fraction]] = []
    row: list[int] = []  # numerators over total ** (j - 1), then over total ** j
    for j in range(1, slots + 1):
        scale = total ** (j - 1)
        clips = list(pairwise([-inf, *row, inf]))
        row = [sum(w * min(max(x * scale, low), high) for x, w in weights.items()) for low, high in clips]
        rows.append([Fraction(e, total**j) for e in row])
    return rows


def expected_rolls(weights: Mapping[int, int], slots: int) -> list[np.ndarray]:
    """Return E_1 to E_slots in doubles."""
    x = np.array(list(weights), dtype=float)[:, None]
    p = np.array(list(weights.values()), dtype=float) / sum(weights.values())
    rows: list[np.ndarray] = []
    row = np.empty(0)
    for _ in range(slots):
        row = p @ np.clip(x, np.concatenate([[-np.inf], row]), np.concatenate([row, [np.inf]]))
        rows.append(row)
    return rows
