"""Two players who place the same rolls and see both cards: best responses and matchups, by backward induction.

A position is (A, B, d): the row player's free slots, as many of the column player's, and the points by which the row is
ahead. A best response to a policy that places roll x in slot j(B, A, -d, x) maximises

    V[A, B, d] = floor( sum over rolls x of w(x) * max over i in A of V[A without i, B without j, d + gain(i, x)
                        - gain(j, x)] / sum of w ),     V[empty, empty, d] = ONE, ONE / 2 or 0 for d > 0, = 0 or < 0

in integers, so that placements depend on no rounding. The row can still gain at most U[A, B] points on the column (the
array `lead`), so V is stored only for -U[A, B] <= d <= U[B, A], where both can win. To win by more than m points, play
as if you were m points further behind, because V depends only on differences.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dicebase.solvers.sheets.one_roll.policies import Card
from dicebase.solvers.sheets.one_roll.same_rolls_kernels import ONE, place, respond, step


class Policy(NamedTuple):
    """A best response to the policy `assumed`, given by its values, that tries to win by more than `handicap` points.
    Without values, the policy is `optimal`, or `random` if set."""

    values: np.ndarray = np.zeros(0, dtype=np.int32)  # (positions,)
    # The slots of the opponent's policy, (positions, rolls); empty for `optimal`.
    assumed: np.ndarray = np.zeros((0, 0), dtype=np.int8)
    handicap: int = 0
    random: bool = False


@dataclass(frozen=True)
class SameRolls:
    """The positions of two cards. Arrays by (A, B) have the shape (2**slots, 2**slots)."""

    card: Card
    handicap: int = 0  # the largest handicap of any policy

    @cached_property
    def sets(self) -> list[np.ndarray]:
        """The sets of free slots by size."""
        sizes = np.bitwise_count(np.arange(len(self.card.order)))
        return [np.flatnonzero(sizes == k) for k in range(self.card.rules.slots + 1)]

    @cached_property
    def lead(self) -> np.ndarray:
        """The most points by which rolls placed in A can be ahead of the same rolls placed in B, (A, B)."""
        rules, slots, rolls = self.card.rules, self.card.rules.slots, self.card.rules.weights
        lead = np.zeros((1 << slots, 1 << slots), dtype=np.int32)
        for k in range(1, slots + 1):
            factors = np.array([[f for i, f in enumerate(rules.factors) if a >> i & 1] for a in self.sets[k]])
            # Pair the greatest factors with the smallest, where a convex function of the differences is greatest.
            apart = factors[:, None, :] - factors[None, :, ::-1]
            lead[np.ix_(self.sets[k], self.sets[k])] = np.maximum(apart * min(rolls), apart * max(rolls)).sum(axis=2)
        return lead

    @cached_property
    def windows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(low, width, start, base): for each pair the least d, the number of d, and the index of d = 0 among all
        positions; then the first index for each number of free slots."""
        size = len(self.lead)
        filled = size - 1 - np.arange(size)
        # The filled slots bound d as well.
        ahead = self.lead[np.ix_(filled, filled)] + self.handicap
        low, high = np.maximum(-ahead.T, -self.lead), np.minimum(ahead, self.lead.T)
        width = np.maximum(0, high - low + 1)
        start = np.zeros((size, size), dtype=np.int64)
        base = [0]
        for sets in self.sets:
            pairs = np.ix_(sets, sets)
            ends = base[-1] + np.cumsum(width[pairs].ravel(), dtype=np.int64)
            start[pairs] = (ends - width[pairs].ravel()).reshape(len(sets), -1) - low[pairs]
            base.append(int(ends[-1]))
        return low, width, start, np.array(base)

    def response(self, assumed: np.ndarray) -> np.ndarray:
        """Return V, (positions,), of a best response to the placements `assumed`; empty means `optimal`."""
        values = np.zeros(self.windows[3][-1], dtype=np.int32)
        values[self.windows[2][0, 0]] = ONE // 2  # with both cards full only d = 0 is undecided
        for _, *layer in self._layers():
            respond(*layer, self.card.w, values, assumed)
        return values

    def placements(self, policy: Policy) -> np.ndarray:
        """Return the slots of a policy that is not random, (positions, rolls)."""
        slots = np.zeros((self.windows[3][-1], len(self.card.w)), dtype=np.int8)
        for layer in self._layers():
            place(*layer, policy, slots)
        return slots

    def play(self, row: Policy, column: Policy) -> tuple[float, float]:
        """Return the row player's (P(win), P(tie)), by playing forward, in doubles, over the positions reached."""
        card, (*_, start, base) = self.card, self.windows
        now, after = np.zeros((2, np.diff(base).max()))
        full, p, won = len(self.lead) - 1, card.w / card.w.sum(), 0.0
        reached, now[start[full, full] - base[-2]] = np.array([[full, full, 0]], dtype=np.int32), 1.0
        for k in range(len(self.sets) - 1, 0, -1):
            found = np.empty((base[k] - base[k - 1], 3), dtype=np.int32)
            places = (k, start, self.lead, reached, now, base[k], found, after, base[k - 1])
            gained, count = step(p, card.gains, card.order, *places, row, column)
            reached, now, after, won = found[:count], after, now, won + gained
        return won, float(now[start[0, 0]])

    def _layers(self) -> Iterator[tuple]:
        """Yield the kernels' arguments for each number of free slots from 1 on: the number, gains, order, the sets of
        this size, and the arrays by pair."""
        for k in range(1, len(self.sets)):
            yield k, self.card.gains, self.card.order, self.sets[k], *self.windows[:3], self.lead
