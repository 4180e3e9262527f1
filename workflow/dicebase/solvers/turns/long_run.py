"""Maximise points per turn in the long run, in rationals. Newton's method solves this renewal reward problem (Howard
1960); docs/why/solvers.md has the equation (Where the totals end).

Its left side is convex and piecewise linear in g, the points per turn, and falls at least as fast as -g. Once Newton's
method is on the right line, its root is exact, and one more evaluation proves it. Until then g is rounded to keep the
numbers short.
"""

from collections.abc import Sequence
from fractions import Fraction

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.exact_turn import Number, far_worth, solve_exactly
from dicebase.vocabulary import Continuation

Losses = list[tuple[Fraction, list[list[Number]]]]
"""For each number of lost turns in a row: the value of losing another turn, and the value of rolling minus that value
by (total, mode), all in units."""


def solve_long_run(turn: CompiledTurn, far: Continuation, totals: int, costs: Sequence[int]) -> tuple[Fraction, Losses]:
    """Return (g, values of rolling), in units. `far` has the values of turn totals from `totals` units on.

    costs : the cost of losing a turn, in points, by the number of turns lost in a row before it; never decreasing.
    """

    def play(g: Fraction) -> Losses:
        found, later = [], Fraction(0)
        for cost in reversed(costs):
            bust = later - Fraction(cost, turn.unit)
            tail = [far_worth(far, turn, t, bust) for t in range(totals, totals + turn.max_gain)]
            rolling = solve_exactly(turn, totals, tail, bust)
            found.append((bust, rolling))
            later = Fraction(*rolling[0][0]) + bust - g
        return found[::-1]

    def gap(g: Fraction) -> Fraction:
        bust, rolling = play(g)[0]
        return Fraction(*rolling[0][0]) + bust - g

    g, bits = Fraction(0), 16
    while True:
        step = Fraction(1, 2**bits)
        here = gap(g)
        root = g + step * here / (here - gap(g + step))
        known, g, bits = abs(root - g) <= 2**16 * step, Fraction(round(root * 2**bits), 2**bits), bits + 16
        if not known:
            continue
        losses = play(root)
        bust, rolling = losses[0]
        if Fraction(*rolling[0][0]) + bust == root:
            return root, losses
