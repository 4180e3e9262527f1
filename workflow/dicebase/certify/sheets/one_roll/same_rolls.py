"""Two players who place the same rolls, found again: whole layers of pairs of sets of free slots, as NumPy arrays.

The same definitions as matches/versus_matchups.py, in other arrays: the values of a layer are one block by (row's set,
column's set, points ahead), and placements are looked up in them whenever they are asked for. Games are played forward
over the positions that play reaches, which are kept as sorted numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dicebase.certify.sheets.one_roll.policies import Layers

ONE = 1 << 30
Place = Callable[[int, np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]
"""The slots of a policy: (number of free slots, own sets, the other's, points ahead, number of the roll) -> slots."""


@dataclass(frozen=True)
class Blocks:
    """Pairs of cards, by layer."""

    layers: Layers
    handicap: int  # the largest of any policy

    @cached_property
    def reach(self) -> list[int]:
        """By number of free slots: from so many points ahead on, play is decided, or no play is there."""
        most = [int(leads.max()) for leads in self.leads]
        return [max(1, min(one, other + self.handicap)) for one, other in zip(most, reversed(most), strict=True)]

    @cached_property
    def leads(self) -> list[np.ndarray]:
        """By number of free slots: (sets, sets), the most points by which rolls on one set can be ahead of the same
        rolls on another. Factors times a roll differ most where the greatest meet the least."""
        rules, found = self.layers.rules, []
        for sets in self.layers.sets:
            owned = [[f for i, f in enumerate(rules.factors) if own >> i & 1] for own in sets.tolist()]
            apart = np.array(owned)[:, None, :] - np.array(owned)[None, :, ::-1]
            found.append(np.maximum(apart * min(rules.weights), apart * max(rules.weights)).sum(axis=2))
        return found

    def look_up(self, values: list[np.ndarray], k: int, a: np.ndarray, b: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """V with k free slots, by the numbers of the sets in their layer."""
        reach = self.reach[k]
        inside = values[k][a, b, np.clip(ahead, -reach, reach) + reach]
        return np.where(ahead > reach, ONE, np.where(ahead < -reach, 0, inside))

    def empty(self) -> np.ndarray:
        """V with both cards full."""
        ahead = np.arange(-self.reach[0], self.reach[0] + 1)
        return (np.where(ahead > 0, ONE, 0) + np.where(ahead == 0, ONE // 2, 0)).astype(np.int32)[None, None, :]

    def respond_to_optimal(self) -> list[np.ndarray]:
        """V against `optimal`, by number of free slots."""
        values, index, layers = [self.empty()], self.layers.index, self.layers
        for k in range(1, len(self.reach)):
            sets, reach, before = layers.sets[k], self.reach[k], self.reach[k - 1]
            block = np.zeros((len(sets), len(sets), 2 * reach + 1), dtype=np.int32)
            owners = [np.flatnonzero(sets >> i & 1) for i in range(len(self.layers.gains))]
            for n, b in enumerate(sets.tolist()):
                # Further behind or ahead than this, play against the set b is decided.
                first = -min(reach, int(self.leads[k][:, n].max()))
                last = min(reach, int(self.leads[k][n].max()))
                block[:, n, last + 1 + reach :] = ONE
                width = last + 1 - first
                mean = np.zeros((len(sets), width))  # whole numbers below 2^53
                taken = self.layers.ranked[k][:, n, 0].tolist()
                left = {j: np.ascontiguousarray(values[k - 1][:, index[b & ~(1 << j)]]) for j in set(taken)}
                for x, (weight, j) in enumerate(zip(layers.rules.odds, taken, strict=True)):
                    after, best = left[j], np.zeros((len(sets), width), dtype=np.int32)
                    for i, own in enumerate(owners):
                        shift = int(self.layers.gains[i, x] - self.layers.gains[j, x]) + first + before
                        rest = index[sets[own] & ~(1 << i)]
                        # Columns of `after` that are those of `best` after the shift.
                        low = min(width, max(0, -shift))
                        high = max(low, min(width, 2 * before + 1 - shift))
                        best[own, low:high] = np.maximum(best[own, low:high], after[rest, low + shift : high + shift])
                        best[own, high:] = ONE
                    mean += np.multiply(best, float(weight))
                block[:, n, first + reach : last + 1 + reach] = mean // layers.total
            values.append(block)
        return values

    def respond(self, rival: Place) -> list[np.ndarray]:
        """V against any placements, by number of free slots."""
        values = [self.empty()]
        for k in range(1, len(self.reach)):
            sets, reach = self.layers.sets[k], self.reach[k]
            shape = (len(sets), len(sets), 2 * reach + 1)
            a, b, ahead = np.indices(shape).reshape(3, -1)
            ahead -= reach
            mean = np.zeros(len(a), dtype=np.int64)
            for x, weight in enumerate(self.layers.rules.odds):
                mean += weight * self._best(values, rival, k, a, b, ahead, x)[0]
            values.append((mean // self.layers.total).astype(np.int32).reshape(shape))
        return values

    def optimal(self, k: int, a: np.ndarray, b: np.ndarray, ahead: np.ndarray, x: int) -> np.ndarray:
        """The placements of `optimal`."""
        return self.layers.ranked[k][x, a, 0]

    def placing(self, values: list[np.ndarray], rival: Place, handicap: int = 0) -> Place:
        """The placements of the response with these values to a policy."""

        def place(k: int, a: np.ndarray, b: np.ndarray, ahead: np.ndarray, x: int) -> np.ndarray:
            return self._best(values, rival, k, a, b, ahead - handicap, x)[1]

        return place

    def _best(self, values: list[np.ndarray], rival: Place, k: int, a, b, ahead, x: int) -> tuple[np.ndarray, ...]:
        """(value, slot) of the best placement of a roll, with these values, where the other places it as `rival`."""
        sets, index = self.layers.sets[k], self.layers.index
        j = rival(k, b, a, -ahead, x)
        left = index[sets[b] & ~(1 << j)]
        best, slot = np.full(len(a), -1, dtype=np.int64), np.zeros(len(a), dtype=np.int64)
        for nth in range(k):
            i = self.layers.ranked[k][x, a, nth]
            rest = index[sets[a] & ~(1 << i)]
            value = self.look_up(values, k - 1, rest, left, ahead + self.layers.gains[i, x] - self.layers.gains[j, x])
            slot = np.where(value > best, i, slot)
            best = np.maximum(best, value)
        return best, slot

    def play(self, row: Place | None, column: Place | None) -> tuple[float, float]:
        """(P(win), P(tie)) of the row; None places at random."""
        index, span = self.layers.index, 1 << 20
        a, b, ahead, chances = np.zeros(1, int), np.zeros(1, int), np.zeros(1, int), np.ones(1)
        for k in range(len(self.reach) - 1, 0, -1):
            sets, found, parts = self.layers.sets[k], [], []
            for x, weight in enumerate(self.layers.rules.odds):
                mine = [(row(k, a, b, ahead, x), 1)] if row else self._any(k, a, x)
                theirs = [(column(k, b, a, -ahead, x), 1)] if column else self._any(k, b, x)
                for i, choices in mine:
                    for j, others in theirs:
                        rest, left = (index[sets[s] & ~(1 << slot)] for s, slot in ((a, i), (b, j)))
                        after = ahead + self.layers.gains[i, x] - self.layers.gains[j, x]
                        found.append((rest * len(self.layers.index) + left) * span + after + span // 2)
                        parts.append(chances * (weight / self.layers.total / (choices * others)))
            places, inverse = np.unique(np.concatenate(found), return_inverse=True)
            chances = np.bincount(inverse, weights=np.concatenate(parts))
            pairs, ahead = places // span, places % span - span // 2
            a, b = pairs // len(self.layers.index), pairs % len(self.layers.index)
        return float(chances[ahead > 0].sum()), float(chances[ahead == 0].sum())

    def _any(self, k: int, sets: np.ndarray, x: int) -> list[tuple[np.ndarray, int]]:
        return [(self.layers.ranked[k][x, sets, place], k) for place in range(k)]
