"""One turn in rationals: the same recursion as turn.py, in integers over a common denominator.

A rational is numerator / (scale * base**exponent): one base serves all weights of a game of dice, so sums need a
multiplication by a small power and never a greatest common divisor, which dominates the time of general rationals
when numbers have thousands of digits.

Which option is best is decided in doubles where the doubles are far enough apart, and in integers elsewhere.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from dicebase.solve.turns.compiled import OPTIONS, CompiledTurn
from dicebase.solve.turns.turn import turn_values


@dataclass(frozen=True)
class Scaled:
    """The rationals of one solution: (numerator, exponent) stands for numerator / (scale * base**exponent)."""

    scale: int
    base: int

    def fraction(self, number: tuple[int, int]) -> Fraction:
        return Fraction(number[0], self.scale * self.base ** number[1])

    def common(self, numbers: list[tuple[int, int]]) -> tuple[list[int], int]:
        """The numerators over one denominator, and that denominator."""
        exponent = max(e for _, e in numbers)
        return [n * self.base ** (exponent - e) for n, e in numbers], self.scale * self.base**exponent


@dataclass(frozen=True)
class ExactTurn:
    """W by (total in units, mode index): roll[t][m] is the worth of rolling as (numerator, exponent), in units."""

    scaled: Scaled
    roll: list[list[tuple[int, int]]]

    def bank(self, total: int) -> tuple[int, int]:
        return total * self.scaled.scale, 0


def solve_exactly(turn: CompiledTurn, totals: int, tail: list[list[Fraction]]) -> ExactTurn:
    """The turn with bank[t] = t, bust = wipe = end of nothing, maximised.

    tail : V at totals T, T + 1, ..., at least max_gain rows by mode, where T = `totals`; in units, as is the result.
    No V is below what banking is worth.
    """
    powers, base, factors = _powers(turn)
    scale = lcm(*(v.denominator for row in tail for v in row))
    scaled = Scaled(scale, base)
    doubles = turn_values(
        turn,
        np.arange(totals, dtype=float),
        np.array(tail, dtype=float),
        end=np.arange(totals + len(tail) + turn.max_gain, dtype=float),
    )
    # Backward induction in doubles errs by at most (terms + 2) roundings a step, over at most T steps.
    terms = int(np.diff(turn.row_start).max()) + 2
    slack = 2 * np.finfo(float).eps * terms * totals * float(max(max(row) for row in tail))
    best_tail = [[(int(v * scale), 0) for v in row] for row in tail]
    rows = _rows(turn)
    approximate = np.vstack([doubles.best, np.array(tail, dtype=float)]).tolist()
    power = [1]

    best: list = [None] * totals + best_tail
    roll: list = [None] * totals
    for t in range(totals - 1, -1, -1):
        roll[t], best[t] = [], []
        for m in range(len(turn.modes)):
            row = (t % turn.period) * len(turn.modes) + m
            # Few exponents occur in one sum: add numerators of the same exponent first.
            by_exponent: dict[int, int] = {}
            for w, gain, mode, options in rows[row]:
                if options:
                    numerator, e = _choose(t, options, best, approximate, slack, scaled)
                else:
                    numerator, e = (scale * (t + gain), 0) if mode < 0 else best[t + gain][mode]
                by_exponent[e] = by_exponent.get(e, 0) + w * numerator
            exponent = max(by_exponent, default=0)
            total = sum(n if e == exponent else n * power[exponent - e] for e, n in by_exponent.items())
            worth = (total * factors[row], exponent + powers[row])
            roll[t].append(worth)
            while len(power) <= worth[1]:
                power.append(power[-1] * base)
            # Banking t is worth t: compare total * factor with t * scale * base**exponent.
            gap = float(doubles.roll[t, m]) - t
            rolls = gap > 0 if abs(gap) > slack else worth[0] > t * scale * power[worth[1]]
            best[t].append(worth if rolls else (t * scale, 0))
    return ExactTurn(scaled, roll)


def _choose(t, options, best, approximate, slack, scaled: Scaled) -> tuple[int, int]:
    values = [t + g if m < 0 else approximate[t + g][m] for g, m in options]
    top = max(values)
    near = [
        (scaled.scale * (t + g), 0) if m < 0 else best[t + g][m]
        for (g, m), v in zip(options, values, strict=True)
        if top - v <= slack
    ]
    if len(near) == 1:
        return near[0]
    numerators, _ = scaled.common(near)
    return near[numerators.index(max(numerators))]


def _powers(turn: CompiledTurn) -> tuple[list[int], int, list[int]]:
    """(power, base, factor) with factor / base**power = 1 / sum of weights, for each row."""
    sums = [int(s) for s in turn.sum_of_weights]
    base = min(sums)
    powers = [next((p for p in range(s.bit_length()) if base**p == s), None) for s in sums]
    if None in powers:
        base = lcm(*sums)
        return [1] * len(sums), base, [base // s for s in sums]
    return powers, base, [1] * len(sums)


def _rows(turn: CompiledTurn) -> list[list[tuple]]:
    """The outcomes that are not losses, by row: (weight, gain, next mode, options to choose from where there are
    several)."""
    rows: list[list[tuple]] = []
    for first, end in pairwise(turn.row_start.tolist()):
        rows.append([])
        for o in range(first, end):
            if turn.kind[o] == OPTIONS:
                ids = slice(turn.option_start[o], turn.option_start[o + 1])
                options = list(zip(turn.gain[ids].tolist(), turn.next_mode[ids].tolist(), strict=True))
                rows[-1].append((int(turn.weight[o]), *options[0], options if len(options) > 1 else []))
    return rows
