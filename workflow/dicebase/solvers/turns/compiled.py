"""The rules of a turn as arrays, for the compiled kernel and the exact solver."""

from dataclasses import dataclass
from itertools import pairwise
from math import gcd

import numpy as np

from dicebase.vocabulary import ConfigurationError, Loss, Turn, merged

OPTIONS, BUST, WIPE, OUT = range(4)
KINDS = {Loss.BUST: BUST, Loss.WIPE: WIPE, Loss.OUT: OUT}
ENDS = -1  # the mode of an option that ends the turn by force


@dataclass(frozen=True)
class CompiledTurn:
    """A turn as arrays, with rolls merged if they leave the same choice; totals and gains count units of `unit` points.

    Row r = phase * len(modes) + mode has the outcomes row_start[r] : row_start[r + 1], outcome o has the options
    option_start[o] : option_start[o + 1]. Integer arrays: `weight` and `kind` by outcome (weights of a row sum to
    `sum_of_weights[r]`), `gain` and `next_mode` (a mode index, or ENDS) by option.
    """

    unit: int
    period: int  # in units
    modes: tuple[int, ...]
    row_start: np.ndarray
    sum_of_weights: np.ndarray
    weight: np.ndarray
    kind: np.ndarray
    option_start: np.ndarray
    gain: np.ndarray
    next_mode: np.ndarray
    least_stop: int  # least total at which you may stop, in units
    opening: int  # least total at which you may stop while nothing is banked, in units; at least `least_stop`
    must_roll: np.ndarray  # by mode: whether stopping is forbidden

    @property
    def arrays(self) -> tuple:
        """The arrays that compiled kernels take, `period` first."""
        rolls = self.row_start, self.sum_of_weights, self.weight, self.kind
        return self.period, *rolls, self.option_start, self.gain, self.next_mode

    @property
    def max_gain(self) -> int:
        """The largest gain of an option, in units."""
        return int(self.gain.max())

    @property
    def wipes(self) -> bool:
        """Whether a roll can take away what was banked in earlier turns."""
        return bool((self.kind == WIPE).any())

    def may_not_bank(self, T: int, me: np.ndarray) -> np.ndarray:
        """Return whether banking is forbidden, by (turn total below T, *me.shape); `me` is banked, T is the target."""
        total = np.arange(T).reshape(-1, *(1 for _ in np.shape(me)))
        least = np.where(np.equal(me, 0), self.opening, self.least_stop)
        return (total > 0) & (total < least) & (total < T - me)

    def must(self, T: int, me: int) -> np.ndarray:
        """Return whether a turn must go on, by (turn total, mode), with `me` units banked and a target of T units."""
        banks = ~self.may_not_bank(T, np.array(me))[: T - me, np.newaxis]
        banks[0] = False
        return ~banks | self.must_roll

    def positions(self, last: int) -> np.ndarray:
        """Return the sorted pairs (total, mode index) that a turn can reach, (n, 2), with totals up to `last` units."""
        reached = np.zeros((last + 1 + self.max_gain, len(self.modes)), bool)
        reached[0, 0] = True
        options = [slice(*self.option_start[[first, end]]) for first, end in pairwise(self.row_start)]
        ways = [(self.gain[of][on], self.next_mode[of][on]) for of in options for on in [self.next_mode[of] != ENDS]]
        for total in range(last + 1):
            for mode in np.flatnonzero(reached[total]):
                gain, next_mode = ways[(total % self.period) * len(self.modes) + mode]
                reached[total + gain, next_mode] = True
        return np.argwhere(reached[: last + 1])

    def totals_below(self, target: int) -> int:
        """Return T, the target in units, rounded up. Raises ConfigurationError if the target is below 1 or the first
        roll of a turn is always lost."""
        if target < 1:
            raise ConfigurationError(f"target: {target} is not a whole number above 0")
        if not (self.kind[self.row_start[0] : self.row_start[1]] == OPTIONS).any():
            raise ConfigurationError("the first roll of a turn is always lost: no play reaches a target")
        return -(-target // self.unit)


def compile_turn(rules: Turn, unit: int | None = None) -> CompiledTurn:
    """Return the arrays of valid rules. If this turn is a part of another turn, pass the other turn's `unit`."""
    modes = tuple(rules.modes)
    index = {mode: i for i, mode in enumerate(modes)}
    rows = [list(rules.rolls(phase, mode)) for phase in range(rules.period) for mode in modes]
    gains = [option.gain for rolls in rows for roll in rolls for option in roll.options]
    unit = unit or gcd(*gains, *([rules.period] if rules.period > 1 else []))

    row_start, weights, kinds, option_start, gain, next_mode, sums = [0], [], [], [0], [], [], []
    # Every total is a multiple of the unit, so other phases do not occur.
    for rolls in (r for phase in range(0, rules.period, unit) for r in rows[phase * len(modes) :][: len(modes)]):
        choices = merged(rolls)
        for what, weight in choices.items():
            weights.append(weight)
            kinds.append(KINDS.get(what, OPTIONS))
            options = what if kinds[-1] == OPTIONS else ()
            # Put the largest gain first, so that ties do not depend on the order of a set.
            for points, mode in sorted(options, key=lambda o: (-o[0], -1 if o[1] is None else o[1])):
                gain.append(points // unit)
                next_mode.append(ENDS if mode is None else index[mode])
            option_start.append(len(gain))
        row_start.append(len(weights))
        sums.append(choices.total())
    lists = row_start, sums, weights, kinds, option_start, gain, next_mode
    least = (-(-points // unit) for points in (rules.least_stop, rules.least_bank(0)))
    must = np.array([mode in rules.must_roll for mode in modes])
    arrays = (np.array(x, dtype=np.int64) for x in lists)
    return CompiledTurn(unit, max(1, rules.period // unit), modes, *arrays, *least, must)
