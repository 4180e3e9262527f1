"""One turn of a match, from the values at the starts of turns; turns.py evaluates many turns side by side."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain
from math import isinf, nan

import numpy as np

from dicebase.tables.follow.turns import Starts


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

    def __call__(self, record: Sequence[int], total: int) -> "OneTurn":
        return OneTurn(self, record, total)

    def evaluate(self, index: Sequence[int], least: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the values of banking (totals,) and of rolling (modes,) for each total from `least` on, of the turn
        whose record has these columns in units. `bincount` adds the rolls of a mode in order, as `Starts.play` does."""
        starts, game, throws = self.starts, self.starts.game, self.starts.throws
        left, mine, banked = starts.left(index), index[game.mine], starts.banked[game.following(index, 0)[:-1]]
        bank = banked.take(np.arange(mine + least, mine + left + throws.most), mode="clip")
        few = -(-game.rules.least_bank(int(mine > 0)) // starts.unit)  # a turn with fewer points cannot be banked
        bank[max(0, 1 - least) : max(0, min(few, left) - least)] = -np.inf
        V = bank.repeat(throws.width).reshape(-1, throws.width)
        V[: left - least, 1:][:, starts.must] = -np.inf
        lost = [hand.bust * banked[mine] + hand.wipe * banked[0] for hand in throws.hands]
        terms, flat, width, worths = np.array([*lost, *self.weights]), V.ravel(), throws.width, []
        rolled, places, first, weights = terms[len(lost) :], self.places, self.first, self.weights
        best_of, multiply, maximum, count = np.maximum.reduceat, np.multiply, np.maximum, np.bincount
        for place in range((left - 1 - least) * width, -1, -width):
            multiply(best_of(flat[place:][places], first), weights, rolled)
            worths.append(count(self.summands, terms) / self.sums)
            here = flat[place + 1 : place + width]
            maximum(here, worths[-1], out=here)
        return bank, worths[::-1]


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
    def _worths(self) -> tuple[np.ndarray, list[np.ndarray]]:
        return self.turns.evaluate(self.index, self.least)

    def __call__(self, total: int, mode: int) -> tuple[float, float] | None:
        starts, (t, rest), slot = self.starts, divmod(total, self.starts.unit), self.starts.slot_of.get(mode)
        if rest or slot is None or not self.least <= t < self.left or not starts.reached[t, slot]:
            return None
        if t == 0:  # a turn begins with a compulsory roll; its value is stored
            return nan, float(starts.values[self.index])
        banks, rolls = self._worths
        bank, roll, sense = float(banks[t - self.least]), float(rolls[t - self.least][slot - 1]), starts.game.sense
        return nan if starts.must[slot - 1] or isinf(bank) else sense * bank, sense * roll
