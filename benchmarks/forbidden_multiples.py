"""Every forbidden multiple from 2 to 60 in rationals, for each kind of dice: cut-off, values beyond it, exact value.

The CPU seconds are those of one pass over the 59 games after compiling the kernel: `beyond` for the cut-off and the
values beyond it (continuation.py), `before` for the turn up to it (compiled.py, exact_turn.py). `slowest`, `cut-off`
and `digits` name the multiple with the largest number. Digits are those of the denominator of the exact value, in
lowest terms.
"""

import sys
import time
from fractions import Fraction
from itertools import product

from _measure import heading, number, table

from dicebase.games.forbidden_multiple import Rules
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.exact_turn import solve_exactly

MULTIPLES = range(2, 61)
SIDES = (4, 6, 8, 10, 12, 20)


def exact_value(rules: Rules) -> tuple[Fraction, int, float, float]:
    """Return the value of the game, the cut-off in points, and the CPU seconds beyond and before the cut-off."""
    clock = [time.process_time()]
    continuation = FarTotals(rules).continuation
    worth, cutoff = continuation.worth, continuation.cutoff
    clock.append(time.process_time())
    turn = compile_turn(rules)
    totals = cutoff // turn.unit
    tail = [
        [Fraction(t) + worth.get((t * turn.unit % rules.period, 0), Fraction(0)) / turn.unit]
        for t in range(totals, totals + turn.max_gain)
    ]
    exact = solve_exactly(turn, totals, tail)
    value = Fraction(*exact[0][0]) * turn.unit
    clock.append(time.process_time())
    return value, cutoff, clock[1] - clock[0], clock[2] - clock[1]


def measure(sides: int, dice: int) -> list[str]:
    """Return the row of the table for these dice."""
    seconds, cutoffs, digits = {}, {}, {}
    beyond = before = 0.0
    for multiple in MULTIPLES:
        value, cutoffs[multiple], *parts = exact_value(Rules(multiple=multiple, sides=sides, dice=dice))
        beyond, before, seconds[multiple] = beyond + parts[0], before + parts[1], sum(parts)
        digits[multiple] = len(str(value.denominator))
    most = [max(numbers, key=numbers.get) for numbers in (seconds, cutoffs, digits)]
    return [
        f"{dice}d{sides}",
        f"{beyond + before:.2f}",
        f"{beyond:.2f}",
        f"{before:.2f}",
        f"{number(seconds[most[0]])} (N = {most[0]})",
        f"{cutoffs[most[1]]} (N = {most[1]})",
        f"{digits[most[2]]} (N = {most[2]})",
    ]


def main() -> None:
    sys.set_int_max_str_digits(0)
    exact_value(Rules())
    heading(f"Forbidden multiples N = {MULTIPLES[0]}..{MULTIPLES[-1]} in rationals")
    header = ["dice", "seconds", "beyond", "before", "slowest", "cut-off", "digits"]
    table(header, [measure(sides, dice) for dice, sides in product((1, 2), SIDES)])


if __name__ == "__main__":
    main()
