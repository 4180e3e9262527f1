"""Policies of one who rolls alone on a scorecard, and the exact distributions of their scores, in integers.

A policy maximises the mean of a payoff of the final score (docs/why/solvers.md, Scorecards), an integer that is rounded
down in each round, so that the placements depend on no rounding of a machine. What the policy then scores is counted in
whole numbers of equally likely games, in limbs of 31 bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod

import numpy as np

from dicebase.solve.sheets.one_roll.subsets import ranked_slots
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.sheets import LIMB


@dataclass(frozen=True)
class Card:
    """One scorecard: `weights` {roll: weight}, `factors` by slot, never falling."""

    weights: Mapping[int, int]
    factors: Sequence[int]

    @cached_property
    def w(self) -> np.ndarray:
        """The weights of the rolls in lowest terms."""
        divisor = gcd(*self.weights.values())
        return np.array([weight // divisor for weight in self.weights.values()], dtype=np.int64)

    @cached_property
    def gains(self) -> np.ndarray:
        """(slots, rolls)."""
        return np.outer(np.array(self.factors, dtype=np.int64), np.array(list(self.weights), dtype=np.int64))

    @cached_property
    def shifts(self) -> np.ndarray:
        """(slots, rolls), what a slot scores above its least."""
        return self.gains - self.gains.min(axis=1)[:, None]

    @cached_property
    def least(self) -> int:
        return int(self.gains.min(axis=1).sum())

    @cached_property
    def size(self) -> int:
        """The number of final scores, from the least to the greatest."""
        return int(self.shifts.max(axis=1).sum()) + 1

    @cached_property
    def games(self) -> int:
        """The number of equally likely games."""
        return (sum(self.weights.values()) // gcd(*self.weights.values())) ** len(self.factors)

    @cached_property
    def one(self) -> int:
        """What is certain: as much as 64 bits allow for."""
        return 1 << min(52, 62 - int(self.w.sum()).bit_length())

    @cached_property
    def order(self) -> np.ndarray:
        """(2**slots, rolls, slots): the free slots by expected score, the best first, of equal ones the lowest."""
        return ranked_slots(self.weights, len(self.factors), self._gain)

    def _gain(self, slot: int, roll: int) -> int:
        return self.factors[slot - 1] * roll

    @cached_property
    def optimal(self) -> np.ndarray:
        """The placements that maximise the expected score, in the shape of those of `maximise`."""
        best = self.order[:, None, :, 0]
        return np.ascontiguousarray(np.broadcast_to(best, (len(best), self.size, len(self.weights))))

    def maximise(self, payoff: Sequence[int]) -> np.ndarray:
        """The slot for each (set of free slots, points, roll) that maximises a payoff, 0 to `one`, by final score."""
        return _maximise(self.w, self.shifts, self.order, most(self.shifts), np.array(payoff, dtype=np.int64))

    def play(self, placements: np.ndarray) -> list[int]:
        """How many of `games` end with each score, from the least."""
        limbs = self.games.bit_length() // LIMB + 2
        counted = _play(self.w, self.shifts, placements, self.size, limbs)
        return [sum(int(limb) << LIMB * k for k, limb in enumerate(row)) for row in counted]

    def play_at_random(self) -> list[int]:
        """The same where each roll goes to any free slot: then each slot holds a roll of its own, and the games are
        counted by the coefficients of a product of polynomials, each one long integer."""
        weights, bits = list(self.weights.values()), sum(self.weights.values()).bit_length() * len(self.factors) + 1
        slots = (sum(w << bits * s for w, s in zip(weights, row, strict=True)) for row in self.shifts.tolist())
        product, divisor = prod(slots), gcd(*weights) ** len(self.factors)
        return [(product >> bits * s & (1 << bits) - 1) // divisor for s in range(self.size)]


def most(shifts: np.ndarray) -> np.ndarray:
    """The most points above the least that the filled slots can score, by bit mask of the free ones, (2**slots,)."""
    sets = np.arange(1 << len(shifts))
    return sum((~sets >> i & 1) * span for i, span in enumerate(shifts.max(axis=1)))


@kernel(_nrt=True)
def _maximise(w, shifts, order, filled, payoff):
    slots, rolls = shifts.shape
    total = w.sum()
    values = np.zeros((1 << slots, len(payoff)), dtype=np.int64)
    for s in range(len(payoff)):  # a whole array at once takes two seconds of compiling
        values[0, s] = payoff[s]
    placements = np.zeros((1 << slots, len(payoff), rolls), dtype=np.int8)
    for free in range(1, 1 << slots):
        size = len([i for i in range(slots) if free >> i & 1])
        for s in range(filled[free] + 1):
            mean = 0
            for x in range(rolls):
                best = -1
                for k in range(size):
                    i = order[free, x, k]
                    value = values[free ^ (1 << i), s + shifts[i, x]]
                    if value > best:
                        best = value
                        placements[free, s, x] = i
                mean += w[x] * best
            values[free, s] = mean // total
    return placements


@kernel(_nrt=True)
def _play(w, shifts, placements, size, limbs):
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
