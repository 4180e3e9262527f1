"""Hog with simultaneous throws: our table as arrays."""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from support.contract_throws import tabulated
from support.contract_turns import read_rows


class Stage(NamedTuple):
    """A published table as arrays by (me, opponent, and throw)."""

    value: np.ndarray
    mix: np.ndarray
    q: np.ndarray
    unique: np.ndarray


@cache
def stage(target: int, dice: int, on_one: str = "nothing", sides: int = 6) -> Stage:
    """The table of a variant in which every total below the target occurs."""
    rows = tabulated("hog", "simultaneous", {"target": target, "max_dice": dice, "on_one": on_one, "sides": sides})
    shape, table = (target, target), read_rows(rows)
    assert list(table) == list(product(range(target), repeat=2))
    ranked = [r for _, r, _ in table.values()]
    return Stage(
        np.array([r.value for r in ranked]).reshape(shape),
        np.array([r.probabilities for r in ranked]).reshape(*shape, dice),
        np.array([r.q_values for r in ranked]).reshape(*shape, dice),
        np.array(rows.states["unique"]).reshape(shape),
    )
