"""From the q-values of one state to what a table says about it."""

from collections.abc import Sequence
from typing import NamedTuple

TIE = 1e-12
"""Q-values in doubles that are this close are not told apart; their error bound must be no more than half of it."""


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


def rank_exactly(numerators: Sequence[int], denominator: int, sign: int = 1) -> Ranked:
    """Rank actions by their exact q-values numerators / denominator; more is better, or less where sign is -1."""
    top = max(sign * n for n in numerators)
    losses = [top - sign * n for n in numerators]
    optimal = [loss == 0 for loss in losses]
    # Dividing integers of any size rounds correctly.
    regrets = [loss / denominator if loss else 0.0 for loss in losses]
    q_values = [n / denominator for n in numerators]
    return _ranked(sign * top / denominator, q_values, regrets, optimal, [False] * len(regrets))


def rank_doubles(q_values: Sequence[float], sign: int = 1) -> Ranked:
    """Rank actions by q-values in doubles: those within TIE of the best are optimal, and undecided if several are."""
    top = max(sign * q for q in q_values)
    regrets = [top - sign * q for q in q_values]
    optimal = [regret <= TIE for regret in regrets]
    return _ranked(sign * top, list(q_values), regrets, optimal, [o and sum(optimal) > 1 for o in optimal])


def _ranked(
    value: float, q_values: list[float], regrets: list[float], optimal: list[bool], undecided: list[bool]
) -> Ranked:
    margin = None if len(regrets) == 1 else sorted(regrets)[1]
    first = optimal.index(True)
    return Ranked(
        value, margin, q_values, regrets, optimal, [float(i == first) for i in range(len(regrets))], undecided
    )


def rank_mix(value: float, q_values: Sequence[float], mix: Sequence[float]) -> Ranked:
    """What an optimal mix says of each action: the support is optimal. A mix of one action is ranked as one."""
    support = [p > 0 for p in mix]
    # In the support no action is better than another.
    regrets = [0.0 if used else max(0.0, value - q) for q, used in zip(q_values, support, strict=True)]
    margin = sorted(regrets)[1] if sum(support) == 1 < len(mix) else None
    return Ranked(value, margin, list(q_values), regrets, support, list(mix), [False] * len(mix))
