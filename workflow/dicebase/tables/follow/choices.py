"""Actions that follow from values, ranked for many positions of one variant at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Choices(NamedTuple):
    """n positions with the same k possible actions; NaN is the q-value of one that is not legal there."""

    names: list[str]  # (k,) in the game's order
    q_values: np.ndarray  # (n, k)
    regrets: np.ndarray  # (n, k)
    optimal: np.ndarray  # (n, k)
    undecided: np.ndarray  # (n, k)

    @property
    def best(self) -> np.ndarray:
        """The action that the policy takes, the first optimal one, by position; shape (n,). Where no action is legal
        it is the first."""
        return self.optimal.argmax(axis=1)

    @property
    def values(self) -> np.ndarray:
        """What the positions are worth, shape (n,); NaN where no action is legal."""
        exact = np.where(self.regrets == 0, self.q_values, np.nan)
        return exact[np.arange(len(exact)), (self.regrets == 0).argmax(axis=1)]

    @property
    def margins(self) -> np.ndarray:
        """The regret of the second-best action, shape (n,); NaN with one legal action."""
        if self.regrets.shape[1] < 2:
            return np.full(len(self.regrets), np.nan)
        return np.sort(self.regrets, axis=1)[:, 1]  # NaN comes last


def rank_choices(
    names: list[str], q_values: np.ndarray, sense: int, tolerance: float, same: np.ndarray | None = None
) -> Choices:
    """Rank by q-values of shape (n, k): those within `tolerance` of the best are optimal, and undecided if several are.

    sense : 1 where more is better, -1 where less is.
    same : (n, k) numbers of what actions lead to; optimal ones that all lead to the same are a proved tie.
    """
    worth = sense * q_values
    top = np.where(np.isnan(worth), -np.inf, worth).max(axis=1, keepdims=True)
    regrets = top - worth
    optimal = regrets <= tolerance
    if same is None:
        several = optimal.sum(axis=1) > 1
    else:
        low = np.where(optimal, same, np.iinfo(same.dtype).max).min(axis=1)
        several = low != np.where(optimal, same, np.iinfo(same.dtype).min).max(axis=1)
    return Choices(names, q_values, regrets, optimal, optimal & several[:, np.newaxis])
