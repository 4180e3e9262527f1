"""From the q-values of one state to what a table says about it."""

from collections.abc import Sequence
from typing import NamedTuple


class Ranked(NamedTuple):
    """One state; lists run over its actions in the game's order. All numbers are rounded once, at the end."""

    value: float
    best: int  # the index of the action the policy takes: the first optimal one
    margin: float | None  # regret of the second-best action, 0 for a tie; None with one action
    q_values: list[float]
    regrets: list[float]
    optimal: list[bool]


def rank_exactly(numerators: Sequence[int], denominator: int) -> Ranked:
    """Rank actions by their exact q-values numerators / denominator; more is better."""
    top = max(numerators)
    losses = [top - n for n in numerators]
    optimal = [loss == 0 for loss in losses]
    # Dividing integers of any size rounds correctly.
    regrets = [loss / denominator if loss else 0.0 for loss in losses]
    margin = None if len(losses) == 1 else sorted(regrets)[1]
    return Ranked(
        top / denominator, optimal.index(True), margin, [n / denominator for n in numerators], regrets, optimal
    )
