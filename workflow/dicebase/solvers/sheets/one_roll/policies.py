"""Policies of a player who rolls alone on a scorecard, and the exact distributions of their scores, in integers.

A policy maximises the expectation of a payoff of the final score (docs/why/solvers.md, Scorecards). The expectation is
an integer, rounded down in each round, so placements depend on no floating-point rounding. Distributions count equally
likely games, in limbs of 31 bits or by polynomials: the coefficient of z**s is the number of games with score s, and a
polynomial is stored as one long integer, its value at z = 2**bits.
"""

from collections.abc import Sequence
from functools import cached_property
from math import comb, prod

import numpy as np

from dicebase.solvers.sheets.one_roll.subsets import ranked_slots
from dicebase.vocabulary import Scorecard
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.rules.sheets import LIMB


class Card:
    """One scorecard. A distribution lists the number of games with each score, from the least possible score on."""

    def __init__(self, rules: Scorecard) -> None:
        self.rules, self.size = rules, rules.spread + 1  # the number of final scores
        self.w = np.array(rules.odds)  # (rolls,), in lowest terms
        self.chances = np.array([weight / sum(rules.odds) for weight in rules.odds])  # (rolls,)
        self.gains, self.shifts = np.array(rules.gains), np.array(rules.above)  # (slots, rolls)

    @cached_property
    def order(self) -> np.ndarray:
        """The free slots by expected score, best first, the lowest first among equals; (2**slots, rolls, slots)."""
        return ranked_slots(self.rules.weights, self.rules.slots, self.rules.gain)

    def maximise(self, payoff: Sequence[int]) -> np.ndarray:
        """Return the slots, (2**slots, points, rolls), that maximise the expectation of a payoff by final score."""
        return _maximise(self.w, self.shifts, self.order, np.array(payoff, dtype=np.int64))

    def play(self, placements: np.ndarray) -> list[int]:
        """Return the distribution of the score under these placements."""
        limbs = self.rules.games.bit_length() // LIMB + 2
        counted = _play(self.w, self.shifts, placements, self.size, limbs)
        return [sum(int(limb) << LIMB * k for k, limb in enumerate(row)) for row in counted]

    def play_optimal(self) -> list[int]:
        """Return the distribution under the policy with the highest expected score; weights may have any size."""
        polynomials = [1] + [0] * (len(self.order) - 1)
        for free, best in enumerate(self.order[1:, :, 0].tolist(), 1):
            for x, i in enumerate(best):
                polynomials[free] += self.rules.odds[x] * polynomials[free ^ 1 << i] << self._bits[i][x]
        return self._coefficients(polynomials[-1])

    def play_at_random(self) -> list[int]:
        """Return the distribution under random placement, which makes the rolls in the slots independent."""
        return self._coefficients(
            prod(sum(w << bits for w, bits in zip(self.rules.odds, row, strict=True)) for row in self._bits)
        )

    def play_clairvoyant(self) -> list[int]:
        """Return the distribution if the player knows all rolls in advance and sorts them. Roll values are taken from
        the highest down; if k of the remaining rolls have the value, they go to the highest open slots."""
        polynomials = [0] * self.rules.slots + [1]  # by the number of slots still open
        for x in reversed(range(len(self.rules.odds))):
            after = [0] * len(polynomials)
            for open_slots, polynomial in enumerate(polynomials):
                bits = 0
                for k in range(open_slots + 1 if polynomial else 0):
                    bits += self._bits[open_slots - k][x] if k else 0
                    after[open_slots - k] += comb(open_slots, k) * self.rules.odds[x] ** k * polynomial << bits
            polynomials = after
        return self._coefficients(polynomials[0])

    @cached_property
    def _bits(self) -> list[list[int]]:
        """`shifts` as bit shifts of a polynomial."""
        return [[points * (self.rules.games.bit_length() + 1) for points in row] for row in self.rules.above]

    def _coefficients(self, polynomial: int) -> list[int]:
        bits = self.rules.games.bit_length() + 1
        return [polynomial >> bits * s & (1 << bits) - 1 for s in range(self.size)]


@kernel(_nrt=True)
def _maximise(w, shifts, order, payoff):
    """The kernel of `Card.maximise`, by backward induction over free slots. w : (rolls,), weights; shifts : (slots,
    rolls), points above the least."""
    slots, rolls = shifts.shape
    total = w.sum()
    values = np.zeros((1 << slots, len(payoff)), dtype=np.int64)
    for s in range(len(payoff)):  # a whole array at once takes two seconds of compiling
        values[0, s] = payoff[s]
    placements = np.zeros((1 << slots, len(payoff), rolls), dtype=np.int8)
    for free in range(1, 1 << slots):
        size = len([i for i in range(slots) if free >> i & 1])
        for s in range(len(payoff)):  # at scores that play never reaches, any placement will do
            mean = 0
            for x in range(rolls):
                best = -1
                for k in range(size):
                    i = order[free, x, k]
                    value = values[free ^ (1 << i), min(s + shifts[i, x], len(payoff) - 1)]
                    if value > best:
                        best = value
                        placements[free, s, x] = i
                mean += w[x] * best
            values[free, s] = mean // total
    return placements


@kernel(_nrt=True)
def _play(w, shifts, placements, size, limbs):
    """Return the number of games with each score, (scores, limbs); placements : (2**slots, scores, rolls)."""
    slots, rolls = shifts.shape
    counted = np.zeros((1 << slots, size, limbs), dtype=np.int64)
    counted[-1, 0, 0] = 1
    for free in range((1 << slots) - 1, -1, -1):
        for s in range(size):
            carry, some = 0, False
            for k in range(limbs):
                carry += counted[free, s, k]
                counted[free, s, k] = carry & ((1 << LIMB) - 1)
                some = some or carry != 0
                carry >>= LIMB
            if some and free:
                for x in range(rolls):
                    i = placements[free, s, x]
                    for k in range(limbs):
                        counted[free ^ (1 << i), s + shifts[i, x], k] += w[x] * counted[free, s, k]
    return counted[0]
