"""One turn of a match, from the values at the starts of turns; turns.py evaluates many turns side by side."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, chain
from math import isinf, nan

import numpy as np

from dicebase.tables.follow.turns import Starts

MARGIN = 1e-9  # more than the rounding of any value


class SingleTurns:
    """The turns of a match one by one (TurnOf of one_position.py)."""

    def __init__(self, starts: Starts) -> None:
        """Lay out the rolls of all modes: the places to choose from, the first place of each roll, the weights, and the
        mode of each summand (what lost rolls add to each mode, then the rolls)."""
        self.starts, modes = starts, starts.throws.hands
        rolls = [(mode, *roll) for mode, (*_, rolls) in enumerate(modes) for roll in rolls]
        of, weights, choices = zip(*rolls, strict=True)
        self.places, self.first = map(np.array, ([*chain(*choices)], [0, *accumulate(map(len, choices[:-1]))]))
        self.weights, self.sums = np.array(weights), np.array([mode.sum for mode in modes])
        self.summands = np.array([*range(len(modes)), *of])
        # The weights of the rolls by (their largest gain, mode), for the distinct gains.
        most = [max(places) // starts.throws.width for places in choices]
        self.gains, at = np.unique(most, return_inverse=True)
        self.by_gain = np.zeros((len(self.gains), len(modes)))
        np.add.at(self.by_gain, (at, of), weights)

    def __call__(self, record: Sequence[int], total: int) -> "OneTurn":
        return OneTurn(self, record, total)

    def evaluate(self, index: Sequence[int], least: int) -> tuple[np.ndarray, Callable[[int], np.ndarray]]:
        """Evaluate the turn whose record has these columns in units. Return the values of banking for each total from
        `least` on (totals,), and a function from the index of a total to the values of rolling there (modes,).
        `bincount` adds the rolls of a mode in order, as `Starts.play` does."""
        starts, game, throws = self.starts, self.starts.game, self.starts.throws
        left, mine, banked = starts.left(index), index[game.mine], starts.banked[game.following(index, 0)[:-1]]
        bank = banked.take(np.arange(mine + least, mine + left + throws.most), mode="clip")
        best = np.maximum.accumulate(bank)  # at least the best of several ways to keep, even if more points are worse
        few = -(-game.rules.least_bank(int(mine > 0)) // starts.unit)  # a turn with fewer points cannot be banked
        bank[max(0, 1 - least) : max(0, min(few, left) - least)] = -np.inf
        V = bank.repeat(throws.width).reshape(-1, throws.width)
        V[: left - least, 1:][:, starts.must] = -np.inf
        lost = [hand.bust * banked[mine] + hand.wipe * banked[0] for hand in throws.hands]
        terms, flat, width = np.array([*lost, *self.weights]), V.ravel(), throws.width
        rolled, places, first, weights = terms[len(lost) :], self.places, self.first, self.weights
        best_of, multiply, maximum, count = np.maximum.reduceat, np.multiply, np.maximum, np.bincount

        def rolls(t: int) -> np.ndarray:
            if t not in known:
                multiply(best_of(flat[t * width :][places], first), weights, rolled)
                known[t] = count(self.summands, terms) / self.sums
            return known[t]

        known: dict[int, np.ndarray] = {}
        for t in range(self._banks_from(bank[: left - least], best, lost) - 1, -1, -1):
            here = flat[t * width + 1 : (t + 1) * width]
            maximum(here, rolls(t), out=here)
        return bank, rolls

    def _banks_from(self, bank: np.ndarray, best: np.ndarray, lost: Sequence[float]) -> int:
        """Return the index of a total from which on banking is optimal in every mode; the number of totals if unknown.

        If one roll before banking gains nothing at any total from t on, no number of rolls does, because totals only
        grow (the monotone case of optimal stopping).

        bank : (totals,), the values of banking. best : bounds on the value of banking up to each total.
        lost : the summands of lost rolls, by mode.
        """
        if self.starts.must.any():
            return len(bank)
        ahead = best[np.arange(len(bank))[:, np.newaxis] + self.gains] @ self.by_gain + lost
        worse = np.flatnonzero((ahead / self.sums).max(axis=1) > bank - MARGIN)
        return int(worse[-1]) + 1 if worse.size else 0


class OneTurn:
    """The values inside one turn (Worths of one_position.py), evaluated on first use."""

    def __init__(self, turns: SingleTurns, record: Sequence[int], total: int) -> None:
        """total : the least turn total that is needed."""
        self.turns, self.starts = turns, turns.starts
        ranges = self.starts.ranges
        whole = [(*divmod(x, step), first, end) for x, (step, first, end) in zip(record, ranges, strict=False)]
        known = all(rest == 0 and first <= units < end for units, rest, first, end in whole)
        self.index = tuple(units for units, *_ in whole)
        self.least, self.left = max(0, total // self.starts.unit), self.starts.left(self.index) if known else 0

    @cached_property
    def _worths(self) -> tuple[np.ndarray, Callable[[int], np.ndarray]]:
        return self.turns.evaluate(self.index, self.least)

    def __call__(self, total: int, mode: int) -> tuple[float, float] | None:
        starts, (t, rest), slot = self.starts, divmod(total, self.starts.unit), self.starts.slot_of.get(mode)
        if rest or slot is None or not self.least <= t < self.left or not starts.reached[t, slot]:
            return None
        if t == 0:  # a turn begins with a compulsory roll; its value is stored
            return nan, float(starts.values[self.index])
        banks, rolls = self._worths
        bank, roll, sense = float(banks[t - self.least]), float(rolls(t - self.least)[slot - 1]), starts.game.sense
        return nan if starts.must[slot - 1] or isinf(bank) else sense * bank, sense * roll
