"""The most points a turn in the long run, in rationals: a renewal problem (Howard 1960), by Newton's steps on the
equation of docs/why/solvers.md (Where the totals end).

Its left side is convex in g, the points a turn, and falls at least as fast as -g. One line is the root's own: what
comes out is exact, and is shown to be by one more evaluation; until then g is rounded, or numbers would grow.
"""

from collections.abc import Sequence
from fractions import Fraction

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.exact_turn import Number, far_worth, solve_exactly
from dicebase.vocabulary import Continuation

Losses = list[tuple[Fraction, list[list[Number]]]]
"""By lost turns in a row: (what losing another one is worth, the worth of rolling above that by (total, mode)); in
units of points."""


def solve_long_run(turn: CompiledTurn, far: Continuation, totals: int, costs: Sequence[int]) -> tuple[Fraction, Losses]:
    """(g in units, what it is worth to roll); `totals` turn totals, in units, from the cut-off on as `far` says.

    costs : c(l) in points, never falling.
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
