"""One turn in rationals: the same recursion as lanes.py, in integers over one denominator at a time.

A rational is numerator / (scale * base**exponent): one base serves all weights of a game of dice, so sums need no
greatest common divisor, which dominates the time of general rationals when numbers have thousands of digits. Only the
totals that a roll leads to matter at a time. Their numbers have one exponent, and some factors of the base to spare:
where rolling is right, its worth is divided by the sum of weights without a remainder, until none are left.
"""

from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from dicebase.solve.turns.compiled import OPTIONS, CompiledTurn

SPARE = 40  # factors of the base


class ExactTurn:
    """W by (total in units, mode index): roll[t][m] is the worth of rolling, in units, as (numerator, exponent), which
    stand for numerator / (scale * base**exponent)."""

    def __init__(self, scale: int, base: int, totals: int) -> None:
        self.scale, self.base, self.powers = scale, base, [1]
        self.roll: list[list[tuple[int, int]]] = [[] for _ in range(totals)]

    def power(self, exponent: int) -> int:
        """base**exponent, multiplied out once."""
        while len(self.powers) <= exponent:
            self.powers.append(self.powers[-1] * self.base)
        return self.powers[exponent]

    def bank(self, total: int) -> tuple[int, int]:
        return total * self.scale, 0

    def fraction(self, number: tuple[int, int]) -> Fraction:
        return Fraction(number[0], self.scale * self.power(number[1]))

    def common(self, numbers: list[tuple[int, int]]) -> tuple[list[int], int]:
        """The numerators over one denominator, and that denominator."""
        exponent = max(e for _, e in numbers)
        scaled = [n if e == exponent else n * self.power(exponent - e) for n, e in numbers]
        return scaled, self.scale * self.power(exponent)


def solve_exactly(turn: CompiledTurn, totals: int, tail: list[list[Fraction]]) -> ExactTurn:
    """The turn with bank[t] = t, bust = wipe = end of nothing, maximised.

    tail : V at totals T, T + 1, ..., at least max_gain rows by mode, where T = `totals`; in units, as is the result.
    """
    powers, base, factors = _powers(turn)
    scale = lcm(*(v.denominator for row in tail for v in row))
    exact, rows, moving = ExactTurn(scale, base, totals), _rows(turn), _MovingSum(turn)
    # By total, and by mode, the last one being of a turn that has ended: a numerator, and the least exponent it has.
    best = np.zeros((totals + len(tail), len(turn.modes) + 1), object)
    needs = np.zeros(best.shape, int)
    for t, row in enumerate(tail, start=totals):
        best[t] = [*(int(v * scale) for v in row), t * scale]
    for t in reversed(range(totals, len(best))):
        moving.to(t, best)
    exponent, one = 0, scale
    for t in range(totals - 1, -1, -1):
        ahead, needed = (numbers[t + 1 : t + 1 + moving.reach].reshape(-1) for numbers in (best, needs))
        best[t] = t * one
        for m in range(len(turn.modes)):
            row = (t % turn.period) * len(turn.modes) + m
            weights, places, choices, anywhere = rows[row]
            need = powers[row] + needed[anywhere].max(initial=0)
            if need > exponent:
                further = exact.power(need + SPARE - exponent)
                ahead *= further
                best[t] *= further
                moving.sums = [number * further for number in moving.sums]
                exponent, one = need + SPARE, one * further
            total = moving.to(t, best)
            if total is None:
                total = weights @ ahead[places] + sum(w * max(ahead[of]) for w, of in choices)
            exact.roll[t].append((total * factors[row], exponent + powers[row]))
            # What is ahead has the factors to spare that its worth is divided by.
            worth = total * factors[row] // exact.power(powers[row])
            if worth > best[t, m]:
                best[t, m], needs[t, m] = worth, need
    return exact


class _MovingSum:
    """The weighted sum of what is ahead of a total, from that of the total after it, where a roll depends on the total
    by what is lost alone. Fair dice that are added make it a moving sum of moving sums: few terms come and go.

    sums[k] is the sum, differenced k times from one total to the next.
    """

    def __init__(self, turn: CompiledTurn) -> None:
        self.reach, self.sums, self.terms = turn.max_gain, [], []
        rows = _rows(turn)
        weights = np.zeros((turn.period, turn.max_gain + 1), int)
        for phase, (of_places, places, choices, _) in enumerate(rows):
            if len(turn.modes) > 1 or choices or (places % 2).any():
                return
            weights[phase, places // 2 + 1] = of_places
        common, after = weights.max(axis=0), np.add.outer(np.arange(turn.period), np.arange(turn.max_gain + 1))
        self.lost = np.zeros(turn.period, bool)
        self.lost[after[weights < common] % turn.period] = True
        if (weights != np.where(self.lost[after % turn.period], 0, common)).any():
            return
        differences = [common]
        while len(differences) < 5:
            differences.append(np.convolve(differences[-1], [1, -1]))
        order = min(range(5), key=lambda k: k + np.count_nonzero(differences[k]))
        self.terms = [(int(c), gain) for gain, c in enumerate(differences[order]) if c]
        self.reach, self.sums = turn.max_gain + order, [0] * (order + 1)

    def to(self, t: int, best: np.ndarray) -> int | None:
        """The sum ahead of total t, the last one asked for being t + 1; None where it takes all terms."""
        if not self.terms:
            return None
        there = ((c, t + gain) for c, gain in self.terms if t + gain < len(best))
        self.sums[-1] = sum(c * best[x, 0] for c, x in there if not self.lost[x % len(self.lost)])
        for k in reversed(range(len(self.sums) - 1)):
            self.sums[k] += self.sums[k + 1]
        return self.sums[0]


def _powers(turn: CompiledTurn) -> tuple[list[int], int, list[int]]:
    """(power, base, factor) with factor / base**power = 1 / sum of weights, for each row."""
    sums = [int(s) for s in turn.sum_of_weights]
    base = min(sums)
    powers = [next((p for p in range(s.bit_length()) if base**p == s), None) for s in sums]
    if None in powers:
        base = lcm(*sums)
        return [1] * len(sums), base, [base // s for s in sums]
    return powers, base, [1] * len(sums)


def _rows(turn: CompiledTurn) -> list[tuple]:
    """The rolls that are not lost, by row: weights and places of those that leave no choice, (weight, places) of the
    others, and all places. These count (gain, mode) from a gain of 1; ENDS is the last of the modes."""
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
        anywhere = np.concatenate([places for _, places in found] or [[]]).astype(int)
        rows.append((np.array(weights, object), np.array(places, int), choices, anywhere))
    return rows
