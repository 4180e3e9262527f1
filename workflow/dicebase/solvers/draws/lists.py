"""The best ranked list of holds: improve a list line by line, then look at every set of lines that may do better.

Hands that have the same lines form a group. A list takes the same line in all hands of a group, so that its return is a
sum over groups. If each group takes the best of the chosen lines, whatever their order, no list of these lines returns
more; this is the problem of k medians, which Lagrange multipliers bound (G. Cornuejols, M. Fisher and G. Nemhauser,
Location of bank accounts to optimize float, Management Science 23, 1977).
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from dicebase.solvers.cards import range_of
from dicebase.solvers.draws.holds import Holds
from dicebase.vocabulary.kernels import kernel

STEPS = 2000  # updates of the multipliers
MOST_SETS = 20_000_000  # the sets of lines after which the search gives up its proof
MOST_ORDERED = 20_000  # the sets whose best order is found before the search gives up its proof
SLACK = 1e-12  # relative, for the rounding of bounds


def worst_values(holds: Holds, conditions: Sequence[str], known: dict[str, np.ndarray]) -> np.ndarray:
    """Return the least value of the holds that satisfy the first condition that some hold of the hand satisfies, -1 if
    there is none, (hands,). known : the features of each set of cards."""
    found, none = np.full(len(holds.values), -1), np.iinfo(np.int64).max
    ranges, sizes = {name: (x, x) for name, x in known.items()}, known["cards"]
    for condition in reversed(conditions):
        holding = np.broadcast_to(range_of(condition, ranges)[0] != 0, sizes.shape)
        columns = np.flatnonzero(np.isin(holds.held, sizes[holding]))
        values = np.where(holding[holds.classes.kept[:, columns]], holds.values[:, columns], none)
        least = values.min(axis=1, initial=none)
        found = np.where(least < none, least, found)
    return found


class HoldLists:
    """Lists of some lines. values : (hands, lines), the value of each hand by each line, -1 if it has no such hold.

    lost : (groups, lines), what a group loses by a line compared with best play, in coins times `classes.common`,
        summed over its deals; infinite if its hands have no such hold. All have the last line, `otherwise nothing`.
    """

    def __init__(self, holds: Holds, values: np.ndarray) -> None:
        self.holds, nothing = holds, holds.values[:, [0]]
        self.values = np.hstack([values, nothing])
        self.deals, self.best = holds.classes.deals[holds.classes.hands], holds.values.max(axis=1)
        there = self.values >= 0
        packed = np.packbits(there, axis=1)
        _, number = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_inverse=True)
        order = np.argsort(number, kind="stable")
        start = np.flatnonzero(np.diff(number[order], prepend=-1))
        losses = (self.best[:, np.newaxis] - self.values) * self.deals[:, np.newaxis]
        summed = np.add.reduceat(losses[order], start, axis=0)
        self.lost = np.where(there[order[start]], summed, np.inf)

    def losses(self, lines: Sequence[int]) -> np.ndarray:
        """Return what each hand loses by a list compared with best play, times `classes.common`, (hands,)."""
        taken = self.values[:, -1]
        for line in reversed(lines):
            taken = np.where(self.values[:, line] >= 0, self.values[:, line], taken)
        return self.best - taken

    def improved(self, k: int) -> tuple[float, list[int]]:
        """Return (loss, list) of k lines, such that replacing one line does not improve the list, in any order. It
        begins with the best line, and adds the best one again and again."""
        best, lines = (np.inf, []), range(self.lost.shape[1] - 1)
        for _ in range(k):
            best = min(self.ordered([*best[1], line]) for line in lines if line not in best[1])
        while True:
            kept, found = [*combinations(best[1], k - 1)], best
            for line in lines:
                if line not in best[1]:
                    found = min(found, *(self.ordered([*some, line]) for some in kept))
            if found == best:
                return best
            best = found

    def multipliers(self, k: int, cost: float) -> tuple[np.ndarray, float]:
        """Return (gains, bound): no list of lines S loses less than `bound` minus the sum of the gains of S, (lines,).

        cost : the loss of a list. Each group pays a multiplier, at most its loss by `otherwise nothing`; a line gains
        what the groups save if they take it instead of paying.
        """
        nothing, lines = self.lost[:, -1], self.lost[:, :-1]
        pay, best, step, stalled = nothing / 2, -np.inf, 1.0, 0
        for _ in range(STEPS):
            saved = np.maximum(pay[:, np.newaxis] - lines, 0)
            gains = saved.sum(axis=0)
            chosen = np.argsort(-gains, kind="stable")[:k]
            bound = pay.sum() - gains[chosen].sum()
            stalled = 0 if bound > best else stalled + 1
            if bound > best:
                best, found = bound, (pay, gains)
            if stalled == 20:
                pay, step, stalled = found[0], step / 1.5, 0
                continue
            slope = 1.0 - (saved[:, chosen] > 0).sum(axis=1)
            pay = np.clip(pay + step * (cost - bound) / max(slope @ slope, 1.0) * slope, 0, nothing)
        return found[1], float(found[0].sum())

    def ordered(self, lines: Sequence[int]) -> tuple[float, list[int]]:
        """Return (loss, list) of the best order of some lines, by dynamic programming over the sets of lines that come
        first. The first line of a list that a group has determines its loss."""
        k = len(lines)
        total, least, last = np.zeros((k, 1 << k)), np.zeros(1 << k), np.zeros(1 << k, np.int64)
        _order(self.lost, np.array(lines), total, least, last)
        order, left = [], (1 << k) - 1
        while left:
            order.append(lines[last[left]])
            left ^= 1 << last[left]
        return float(least[-1]), order[::-1]

    def search(self, k: int) -> tuple[list[int], float]:
        """Return (list, least): the best list found, and a lower bound on the loss of every list of k lines, which is
        that of the list unless the search gave up."""
        cost, best = self.improved(k)
        gains, pays = self.multipliers(k, cost)
        by_gain = np.argsort(-gains, kind="stable")
        sets = np.empty((MOST_ORDERED, k), np.int64)
        arrays = self.lost[:, by_gain], self.lost[:, -1], gains[by_gain], np.full(k + 1, pays * (1 - SLACK))
        count = _sets(*arrays, cost, MOST_SETS, sets, np.full(k, -1))
        if count < 0:
            every = self.lost.min(axis=1).sum()  # no list loses less, however many lines it has
            return best, min(cost, max(float(every), pays * (1 - SLACK) - gains[by_gain[:k]].sum()))
        for lines in by_gain[sets[:count]].tolist():
            cost, best = min((cost, best), self.ordered(lines))
        return best, cost


@kernel
def _sets(lost, nothing, gains, left, cost, most, sets, chosen):
    """Fill `sets` with the sets of lines that lose less than `cost` if each group takes its best line. Return their
    number, -1 if more than `most` sets were looked at or `sets` is full.

    lost : (groups, lines) and nothing : (groups,), as in HoldLists. gains : (lines,), decreasing: a set loses at least
    left[0] minus the sum of its gains. left : (k + 1,) and chosen : (k,), -1, are working space.
    """
    k, lines, found, looked, depth = sets.shape[1], len(gains), 0, 0, 0
    while depth >= 0:
        chosen[depth] += 1
        i = chosen[depth]
        bound = left[depth]
        for j in range(i, min(i + k - depth, lines)):
            bound -= gains[j]
        if i > lines - (k - depth) or bound >= cost:
            depth -= 1
            continue
        left[depth + 1] = left[depth] - gains[i]
        if depth < k - 1:
            depth += 1
            chosen[depth] = i
            continue
        looked += 1
        total = 0.0
        for g in range(len(nothing)):
            least = nothing[g]
            for j in range(k):
                least = min(least, lost[g, chosen[j]])
            total += least
            if total >= cost:
                break
        if total < cost:
            if found == len(sets):
                return -1
            for j in range(k):
                sets[found, j] = chosen[j]
            found += 1
        if looked > most:
            return -1
    return found


@kernel
def _order(lost, lines, total, least, last):
    """Fill least[s] with the least loss if the lines of s, as bits, come first, and last[s] with the last of them.

    lost : (groups, all lines), as in HoldLists. lines : (k,). total : (k, 1 << k), least : (1 << k,) and last, zeros.
    total[i, s] becomes the loss by line i of the groups that have it and no line outside s.
    """
    k = len(lines)
    for g in range(len(lost)):
        has = 0
        for i in range(k):
            has |= (lost[g, lines[i]] < np.inf) << i
        for i in range(k):
            if has >> i & 1:
                total[i, has] += lost[g, lines[i]]
        if not has:
            least[0] += lost[g, -1]
    for i in range(k):
        for j in range(k):
            for s in range(1 << k):
                if s >> j & 1:
                    total[i, s] += total[i, s ^ 1 << j]
    for s in range(1, 1 << k):
        least[s] = np.inf
        for i in range(k):
            if s >> i & 1:
                before = s ^ 1 << i
                loss = least[before] + total[i, (1 << k) - 1 ^ before]
                if loss < least[s]:
                    least[s], last[s] = loss, i
