"""Policies of two players who place the same rolls, solved again from the definitions of
matches/sheets/versus_matchups.py.

Values with k free slots are one array by (row's set, column's set, points ahead); placements are looked up in it when
needed. Games are played forward over the positions that they reach, which are stored as sorted numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.vocabulary import MultiplierScorecard

ONE = 1 << 30
Place = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]
"""A policy: takes (own free slots, the opponent's, points ahead, number of the roll) and returns slots."""


@dataclass(frozen=True)
class Together:
    """Pairs of cards with equally many free slots; sets of free slots are bit masks."""

    card: Alone
    handicap: int  # the largest handicap of any policy

    @property
    def rules(self) -> MultiplierScorecard:
        return self.card.rules

    @cached_property
    def gains(self) -> np.ndarray:
        """Points by (slot, roll)."""
        return np.array(self.rules.gains)

    @cached_property
    def sets(self) -> list[np.ndarray]:
        """The sets of free slots by size."""
        masks = np.arange(1 << self.rules.slots)
        return [masks[np.bitwise_count(masks) == k] for k in range(self.rules.slots + 1)]

    @cached_property
    def index(self) -> np.ndarray:
        """The index of each set among the sets of its size."""
        index = np.zeros(1 << self.rules.slots, dtype=np.int64)
        for sets in self.sets:
            index[sets] = np.arange(len(sets))
        return index

    @cached_property
    def reach(self) -> list[int]:
        """The largest lead in points with which the outcome is still open, by number of free slots."""
        rolls, factors, most = np.array([*self.rules.weights]), np.array(self.rules.factors), [0]
        for k in range(1, len(factors) + 1):
            # With the same rolls the lead is largest if one player has the greatest factors and the other the smallest.
            apart = np.array([factors[-k:] - factors[:k][::-1], factors[:k] - factors[-k:][::-1]])
            most.append(int((apart[..., None] * rolls).max(axis=(0, 2)).sum()))
        return [max(1, min(one, other + self.handicap)) for one, other in zip(most, reversed(most), strict=True)]

    def look_up(self, values: list[np.ndarray], k: int, a: np.ndarray, b: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """Return the values of positions in which both players have k free slots."""
        reach = self.reach[k]
        inside = values[k][self.index[a], self.index[b], np.clip(ahead, -reach, reach) + reach]
        return np.where(ahead > reach, ONE, np.where(ahead < -reach, 0, inside))

    def empty(self) -> np.ndarray:
        """Return the values of positions in which both cards are full."""
        ahead = np.arange(-self.reach[0], self.reach[0] + 1)
        return (np.where(ahead > 0, ONE, 0) + np.where(ahead == 0, ONE // 2, 0)).astype(np.int32)[None, None, :]

    def respond(self, rival: Place) -> list[np.ndarray]:
        """Return the values of a best response to a rival's policy, by number of free slots, computed for one set of
        the opponent at a time."""
        values, index = [self.empty()], self.index
        for k in range(1, len(self.reach)):
            sets, reach, before = self.sets[k], self.reach[k], self.reach[k - 1]
            ahead, width = np.arange(-reach, reach + 1)[np.newaxis], 2 * reach + 1
            block = np.zeros((len(sets), len(sets), width), dtype=np.int32)
            owners = [np.flatnonzero(sets >> i & 1) for i in range(len(self.gains))]
            for n, b in enumerate(sets.tolist()):
                mean = np.zeros((len(sets), width))  # integers below 2^53
                left = {
                    j: np.ascontiguousarray(values[k - 1][:, index[b ^ 1 << j]])
                    for j in range(b.bit_length())
                    if b >> j & 1
                }
                for x, weight in enumerate(self.rules.odds):
                    taken = rival(np.full((1, 1), b), sets[:, np.newaxis], -ahead, x)
                    for j in np.unique(taken).tolist():
                        best = np.zeros((len(sets), width), dtype=np.int32)
                        for i, own in enumerate(owners):
                            shift = int(self.gains[i, x] - self.gains[j, x]) - reach + before
                            rest = index[sets[own] & ~(1 << i)]
                            # The columns of `best` for which the values after the roll, shifted, have an entry.
                            low = min(width, max(0, -shift))
                            high = max(low, min(width, 2 * before + 1 - shift))
                            after = left[j][rest, low + shift : high + shift]
                            best[own, low:high] = np.maximum(best[own, low:high], after)
                            best[own, high:] = ONE
                        mean += np.multiply(best, np.where(taken == j, float(weight), 0.0))
                block[:, n] = mean // sum(self.rules.odds)
            values.append(block)
        return values

    def optimal(self, a: np.ndarray, b: np.ndarray, ahead: np.ndarray, x: int) -> np.ndarray:
        """Return the placements of the policy `optimal`."""
        return self.card.order[a, x, 0].astype(np.int64)

    def placing(self, values: list[np.ndarray], rival: Place, handicap: int = 0) -> Place:
        """Return the policy that is greedy for these values against a rival, as if it were `handicap` points behind."""
        return lambda a, b, ahead, x: self._best(values, rival, a, b, ahead - handicap, x)[1]

    def _best(self, values: list[np.ndarray], rival: Place, a, b, ahead, x: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the value and the slot of the best placement of roll x, if the opponent places it by `rival`."""
        j, k = rival(b, a, -ahead, x), int(a.flat[0]).bit_count()
        best, slot = np.int64(-1), np.int64(0)
        for nth in range(k):
            i = self.card.order[a, x, nth].astype(np.int64)
            after = ahead + self.gains[i, x] - self.gains[j, x]
            value = self.look_up(values, k - 1, a & ~(1 << i), b & ~(1 << j), after)
            slot = np.where(value > best, i, slot)
            best = np.maximum(best, value)
        return best, slot

    def play(self, row: Place | None, column: Place | None) -> tuple[float, float]:
        """Return (P(win), P(tie)) of the row policy; None stands for random placement."""
        a = b = np.full(1, len(self.index) - 1)
        ahead, chances, span = np.zeros(1, int), np.ones(1), 1 << 20
        for k in range(self.rules.slots, 0, -1):
            found, parts = [], []
            for x, weight in enumerate(self.rules.odds):
                mine = [row(a, b, ahead, x)] if row else self._any(k, a, x)
                theirs = [column(b, a, -ahead, x)] if column else self._any(k, b, x)
                for i in mine:
                    for j in theirs:
                        after = ahead + self.gains[i, x] - self.gains[j, x]
                        pairs = (a & ~(1 << i)) * len(self.index) + (b & ~(1 << j))
                        found.append(pairs * span + after + span // 2)
                        parts.append(chances * (weight / sum(self.rules.odds) / (len(mine) * len(theirs))))
            places, inverse = np.unique(np.concatenate(found), return_inverse=True)
            chances = np.bincount(inverse, weights=np.concatenate(parts))
            (a, b), ahead = divmod(places // span, len(self.index)), places % span - span // 2
        return float(chances[ahead > 0].sum()), float(chances[ahead == 0].sum())

    def _any(self, k: int, sets: np.ndarray, x: int) -> list[np.ndarray]:
        return [self.card.order[sets, x, place].astype(np.int64) for place in range(k)]
