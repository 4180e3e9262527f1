"""From the q-values of one state to what a table says about it; tables/follow has the same for many states at once."""

import math
from collections.abc import Sequence
from typing import NamedTuple

TIE = 1e-12
"""Q-values in doubles that are this close are not told apart; their error bound must be no more than half of it."""


LEAST_REGRET = math.ulp(0.0)
"""The regret of a worse action whose regret, in rationals, is too small for a double: 0 says that an action is optimal.
"""


def tie_of(largest: float) -> float:
    """The same where the values of a table are up to `largest`, of which doubles have a share."""
    return TIE * max(1.0, largest)


class Ranked(NamedTuple):
    """One state; lists run over its actions in the game's order. All numbers are rounded once, at the end."""

    value: float
    margin: float | None  # regret of the second-best action, 0 for a tie; None with one action, or a mixed optimum
    q_values: list[float]
    regrets: list[float]
    optimal: list[bool]
    probabilities: list[float]  # of the published policy: the first optimal action, or a mix
    undecided: list[bool]  # optimal only as far as doubles can tell

    @property
    def best(self) -> int | None:
        """The index of the action the policy takes; None where it mixes."""
        return self.probabilities.index(1.0) if 1.0 in self.probabilities else None


def rank(q_values: Sequence[float], denominator: int = 1, *, sense: int = 1, tolerance: float = 0) -> Ranked:
    """Rank actions by q_values / denominator: those within `tolerance` of the best are optimal; several that are
    optimal within a tolerance are undecided, those that are equal without one are a proved tie.

    q_values : doubles, or the whole numerators of rationals, which are compared before anything is rounded.
    sense : 1 where more is better, -1 where less is.
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
    """What an optimal mix says of each action: the support is optimal. A mix of one action is ranked as one.

    equal : whether no action of the support is better than another; regrets are what the q-values say otherwise.
    """
    support = [p > 0 for p in mix]
    regrets = [0.0 if used and equal else max(0.0, value - q) for q, used in zip(q_values, support, strict=True)]
    unused = [regret for regret, used in zip(regrets, support, strict=True) if not used]
    margin = min(unused) if len(unused) == len(mix) - 1 > 0 else None
    return Ranked(value, margin, list(q_values), regrets, support, list(mix), [False] * len(mix))


def rank_two(value: float, margin: float, sense: int) -> Ranked:
    """One state of two actions at the most, of which the row says everything: the best action, then the other, worse
    by the margin; NaN: there is none."""
    if math.isnan(margin):
        return Ranked(value, None, [value], [0.0], [True], [1.0], [False])
    tie = margin <= TIE
    q_values, regrets = [value, value - sense * margin], [0.0, margin]
    return Ranked(value, margin, q_values, regrets, [True, tie], [1.0, 0.0], [tie, tie])
