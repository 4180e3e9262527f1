"""Two players who place the same rolls, found again by the definitions of matches/versus_matchups.py.

The values with k free slots are one block by (row's set, column's set, points ahead), and placements are looked up in
them whenever they are needed. Games are played forward over the positions that play reaches, kept as sorted numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.vocabulary import MultiplierScorecard

ONE = 1 << 30
Place = Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]
"""The slots of a policy: (own free slots, the other's, points ahead, number of the roll) -> slots."""


@dataclass(frozen=True)
class Together:
    """Pairs of cards with equally many free slots, which are bit masks."""

    card: Alone
    handicap: int  # the largest of any policy

    @property
    def rules(self) -> MultiplierScorecard:
        return self.card.rules

    @cached_property
    def gains(self) -> np.ndarray:
        """(slots, rolls)."""
        return np.array(self.rules.gains)

    @cached_property
    def sets(self) -> list[np.ndarray]:
        """The sets by number of free slots."""
        masks = np.arange(1 << self.rules.slots)
        return [masks[np.bitwise_count(masks) == k] for k in range(self.rules.slots + 1)]

    @cached_property
    def index(self) -> np.ndarray:
        """The place of each set among those with as many slots."""
        index = np.zeros(1 << self.rules.slots, dtype=np.int64)
        for sets in self.sets:
            index[sets] = np.arange(len(sets))
        return index

    @cached_property
    def reach(self) -> list[int]:
        """By number of free slots: from so many points ahead on, play is decided, or no play is there."""
        rolls, factors, most = np.array([*self.rules.weights]), np.array(self.rules.factors), [0]
        for k in range(1, len(factors) + 1):
            # The same rolls lead most if the greatest factors meet the least, each way round.
            apart = np.array([factors[-k:] - factors[:k][::-1], factors[:k] - factors[-k:][::-1]])
            most.append(int((apart[..., None] * rolls).max(axis=(0, 2)).sum()))
        return [max(1, min(one, other + self.handicap)) for one, other in zip(most, reversed(most), strict=True)]

    def look_up(self, values: list[np.ndarray], k: int, a: np.ndarray, b: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """V with k free slots."""
        reach = self.reach[k]
        inside = values[k][self.index[a], self.index[b], np.clip(ahead, -reach, reach) + reach]
        return np.where(ahead > reach, ONE, np.where(ahead < -reach, 0, inside))

    def empty(self) -> np.ndarray:
        """V with both cards full."""
        ahead = np.arange(-self.reach[0], self.reach[0] + 1)
        return (np.where(ahead > 0, ONE, 0) + np.where(ahead == 0, ONE // 2, 0)).astype(np.int32)[None, None, :]

    def respond_to_optimal(self) -> list[np.ndarray]:
        """V against `optimal`, by number of free slots: as `respond`, but one set of the other at a time."""
        values, index = [self.empty()], self.index
        for k in range(1, len(self.reach)):
            sets, reach, before = self.sets[k], self.reach[k], self.reach[k - 1]
            width = 2 * reach + 1
            block = np.zeros((len(sets), len(sets), width), dtype=np.int32)
            owners = [np.flatnonzero(sets >> i & 1) for i in range(len(self.gains))]
            for n, b in enumerate(sets.tolist()):
                mean = np.zeros((len(sets), width))  # whole numbers below 2^53
                taken = self.card.order[b, :, 0].tolist()
                left = {j: np.ascontiguousarray(values[k - 1][:, index[b & ~(1 << j)]]) for j in set(taken)}
                for x, (weight, j) in enumerate(zip(self.rules.odds, taken, strict=True)):
                    after, best = left[j], np.zeros((len(sets), width), dtype=np.int32)
                    for i, own in enumerate(owners):
                        shift = int(self.gains[i, x] - self.gains[j, x]) - reach + before
                        rest = index[sets[own] & ~(1 << i)]
                        # Columns of `after` that are those of `best` after the shift.
                        low = min(width, max(0, -shift))
                        high = max(low, min(width, 2 * before + 1 - shift))
                        best[own, low:high] = np.maximum(best[own, low:high], after[rest, low + shift : high + shift])
                        best[own, high:] = ONE
                    mean += np.multiply(best, float(weight))
                block[:, n] = mean // sum(self.rules.odds)
            values.append(block)
        return values

    def respond(self, rival: Place) -> list[np.ndarray]:
        """V against any placements, by number of free slots."""
        values = [self.empty()]
        for sets, reach in zip(self.sets[1:], self.reach[1:], strict=True):
            shape = (len(sets), len(sets), 2 * reach + 1)
            a, b, ahead = np.indices(shape).reshape(3, -1)
            mean = np.zeros(len(a), dtype=np.int64)
            for x, weight in enumerate(self.rules.odds):
                mean += weight * self._best(values, rival, sets[a], sets[b], ahead - reach, x)[0]
            values.append((mean // sum(self.rules.odds)).astype(np.int32).reshape(shape))
        return values

    def optimal(self, a: np.ndarray, b: np.ndarray, ahead: np.ndarray, x: int) -> np.ndarray:
        """The placements of `optimal`."""
        return self.card.order[a, x, 0].astype(np.int64)

    def placing(self, values: list[np.ndarray], rival: Place, handicap: int = 0) -> Place:
        """The placements of the response with these values to a policy."""
        return lambda a, b, ahead, x: self._best(values, rival, a, b, ahead - handicap, x)[1]

    def _best(self, values: list[np.ndarray], rival: Place, a, b, ahead, x: int) -> tuple[np.ndarray, np.ndarray]:
        """(value, slot) of the best placement of a roll, with these values, where the other places it as `rival`."""
        j, k = rival(b, a, -ahead, x), int(a[0]).bit_count()
        best, slot = np.full(len(a), -1, dtype=np.int64), np.zeros(len(a), dtype=np.int64)
        for nth in range(k):
            i = self.card.order[a, x, nth].astype(np.int64)
            after = ahead + self.gains[i, x] - self.gains[j, x]
            value = self.look_up(values, k - 1, a & ~(1 << i), b & ~(1 << j), after)
            slot = np.where(value > best, i, slot)
            best = np.maximum(best, value)
        return best, slot

    def play(self, row: Place | None, column: Place | None) -> tuple[float, float]:
        """(P(win), P(tie)) of the row; None places at random."""
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
