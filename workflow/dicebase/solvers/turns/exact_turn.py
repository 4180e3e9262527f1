"""One turn in rationals: the backward induction of lanes.py, in integers over a common denominator.

Sums over a common denominator need no greatest common divisors, which dominate the time of rational arithmetic with
thousands of digits. Only the totals that one roll leads to need to share a denominator, which grows at totals where
rolling is best; their numerators then grow with it.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from dicebase.solvers.turns.compiled import OPTIONS, CompiledTurn
from dicebase.vocabulary import Continuation

Number = tuple[int, int]
"""(numerator, denominator), not in lowest terms; for any two numbers of a turn, one denominator divides the other."""


def solve_exactly(
    turn: CompiledTurn, totals: int, tail: list[list[Fraction]], bust: Fraction = Fraction(0)
) -> list[list[Number]]:
    """Return the maximal value of rolling minus the value of a bust or wipe, by (total, mode index), in units; banking
    t has the value t.

    tail : V - bust at the totals T, T + 1, ..., where T = `totals`; at least max_gain rows, by mode. bust : at most 0.
    """
    sums, rows = turn.sum_of_weights.tolist(), _rows(turn)
    times, denominator = lcm(*sums), lcm(bust.denominator, *(v.denominator for row in tail for v in row))
    nothing = int(bust * denominator)
    # Numerators by total and mode; the last column is a turn that has ended.
    best = np.zeros((totals + len(tail), len(turn.modes) + 1), object)
    for t, row in enumerate(tail, start=totals):
        best[t] = [*(int(v * denominator) for v in row), t * denominator - nothing]
    worth: list[list[Number]] = [[] for _ in range(totals)]
    for t in range(totals - 1, -1, -1):
        ahead = best[t + 1 : t + 1 + turn.max_gain].reshape(-1)
        first, over = (t % turn.period) * len(turn.modes), denominator * times
        for row in range(first, first + len(turn.modes)):
            weights, places, choices = rows[row]
            total = weights @ ahead[places] + sum(weight * max(ahead[of]) for weight, of in choices)
            worth[t].append((total * (times // sums[row]), over))
        bank, must = t * denominator - nothing, turn.must_roll | (t < turn.least_stop)
        found = [n if goes_on else max(n, bank * times) for (n, _), goes_on in zip(worth[t], must, strict=True)]
        best[t] = bank
        if any(n != bank * times for n in found):
            best[t], denominator, nothing = [*found, bank * times], over, nothing * times
            ahead *= times
    return worth


def far_worth(
    continuation: Continuation, turn: CompiledTurn, total: int, bust: Fraction = Fraction(0)
) -> list[Fraction]:
    """Return V - bust by mode, in units, at a total at or beyond the cut-off; `bust` is at most 0. A mode that does not
    occur at this total is never read, and gets the value of banking."""
    classes = ((total % turn.period * turn.unit, mode) for mode in turn.modes)
    lines = (continuation.line(c) if c in continuation.worth else (Fraction(1), Fraction(0)) for c in classes)
    return [slope * (total - bust) + at_nought / turn.unit for slope, at_nought in lines]


def common(numbers: Sequence[Number]) -> tuple[list[int], int]:
    """Return the numerators over the largest denominator, and that denominator."""
    denominator = max(d for _, d in numbers)
    return [n * (denominator // d) for n, d in numbers], denominator


def _rows(turn: CompiledTurn) -> list[tuple]:
    """Return for each row the rolls that are not lost: weights and places of rolls with one option, and [(weight,
    places)] of rolls with several. A place is (gain - 1) * (modes + 1) + mode index; the last index is a turn that
    ends."""
    rows = []
    width = len(turn.modes) + 1
    for first, end in pairwise(turn.row_start.tolist()):
        found = []
        for o in range(first, end):
            if turn.kind[o] == OPTIONS:
                ids = slice(turn.option_start[o], turn.option_start[o + 1])
                found.append((int(turn.weight[o]), (turn.gain[ids] - 1) * width + turn.next_mode[ids] % width))
        single = [(weight, places[0]) for weight, places in found if len(places) == 1]
        weights, places = zip(*single, strict=True) if single else ((), ())
        choices = [(weight, places) for weight, places in found if len(places) > 1]
        rows.append((np.array(weights, object), np.array(places, int), choices))
    return rows
