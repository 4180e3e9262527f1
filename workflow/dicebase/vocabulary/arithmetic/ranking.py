"""Rank the actions of one state by their q-values; tables/follow ranks many states at once."""

import math
from collections.abc import Sequence
from typing import NamedTuple

TIE = 1e-12
"""Q-values in doubles closer than this count as tied; their error bound must be at most half of it."""


LEAST_REGRET = math.ulp(0.0)
"""The regret stored for a worse action whose exact regret is too small for a double; 0 would mean that it is optimal.
"""


def tie_of(largest: float) -> float:
    """TIE for a table whose values are at most `largest`, because the error of doubles is relative."""
    return TIE * max(1.0, largest)


class Ranked(NamedTuple):
    """The ranking of one state. Lists are in the game's order of actions; each number is rounded once, at the end."""

    value: float
    margin: float | None  # regret of the second-best action, 0 for a tie; None with one action or a mixed optimum
    q_values: list[float]
    regrets: list[float]
    optimal: list[bool]
    probabilities: list[float]  # of the published policy: the first optimal action, or a mix
    undecided: list[bool]  # whether doubles cannot tell if the action is optimal

    @property
    def best(self) -> int | None:
        """The index of the policy's action; None if it mixes."""
        return self.probabilities.index(1.0) if 1.0 in self.probabilities else None


def rank(q_values: Sequence[float], denominator: int = 1, *, sense: int = 1, tolerance: float = 0) -> Ranked:
    """Rank actions by q_values / denominator. Actions within `tolerance` of the best are optimal. If there are several,
    they are undecided for a positive tolerance and a proved tie for tolerance 0.

    q_values : doubles, or integer numerators, which are compared before any rounding.
    sense : 1 if more is better, -1 if less is.
    """
    top = max(sense * q for q in q_values)
    losses = [top - sense * q for q in q_values]
    optimal = [loss <= tolerance for loss in losses]
    first, unproved = optimal.index(True), tolerance > 0 and sum(optimal) > 1
    # Dividing integers of any size rounds correctly.
    rounded = [n / denominator for n in q_values]
    regrets = [loss / denominator or LEAST_REGRET * (loss > 0) for loss in losses]
    return Ranked(
        rounded[losses.index(0)],
        sorted(regrets)[1] if len(regrets) > 1 else None,
        rounded,
        regrets,
        optimal,
        [float(i == first) for i in range(len(regrets))],
        [o and unproved for o in optimal],
    )


def rank_mix(value: float, q_values: Sequence[float], mix: Sequence[float], equal: bool = True) -> Ranked:
    """Rank the actions of an optimal mix; actions in its support are optimal.

    equal : whether all actions of the support have equal q-values; otherwise regrets follow from the q-values.
    """
    support = [p > 0 for p in mix]
    regrets = [0.0 if used and equal else max(0.0, value - q) for q, used in zip(q_values, support, strict=True)]
    unused = [regret for regret, used in zip(regrets, support, strict=True) if not used]
    margin = min(unused) if len(unused) == len(mix) - 1 > 0 else None
    return Ranked(value, margin, list(q_values), regrets, support, list(mix), [False] * len(mix))


def rank_two(value: float, margin: float, sense: int) -> Ranked:
    """Rank a state of at most two actions, best first, from its row alone; margin NaN: there is only one action."""
    if math.isnan(margin):
        return Ranked(value, None, [value], [0.0], [True], [1.0], [False])
    tie = margin <= TIE
    q_values, regrets = [value, value - sense * margin], [0.0, margin]
    return Ranked(value, margin, q_values, regrets, [True, tie], [1.0, 0.0], [tie, tie])
