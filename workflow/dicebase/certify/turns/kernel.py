"""One turn solved from the rules, roll by roll: the certifier's own kernel, which merges nothing."""

import numpy as np
from numba import njit

from dicebase.certify.finding import EPSILON
from dicebase.certify.turns.stakes import Worth
from dicebase.vocabulary.ranking import TIE
from dicebase.vocabulary.turns import Loss, RepeatedTurn, Roll

OPTIONS, BUST, WIPE = 0, 1, 2


class Turns:
    """The rolls of a turn as arrays, in the rules' order; points in units."""

    def __init__(self, rules: RepeatedTurn, unit: int, together: bool = False) -> None:
        """`together` takes rolls of one mode that offer the same as one roll, at the place of the first."""
        self.modes = tuple(rules.modes)
        rolls = [(m, roll) for m, mode in enumerate(self.modes) for roll in rules.rolls(0, mode)]
        if together:
            alike: dict[tuple, int] = {}
            for m, roll in rolls:
                what = m, roll.loss, roll.options
                alike[what] = alike.get(what, 0) + roll.weight
            rolls = [(m, Roll(weight, "", options, loss)) for (m, loss, options), weight in alike.items()]
        number = {mode: m for m, mode in enumerate(self.modes)} | {None: -1}
        self.mode_of_roll = np.array([m for m, _ in rolls])
        self.weight = np.array([roll.weight for _, roll in rolls], float)
        self.kind = np.array([{Loss.BUST: BUST, Loss.WIPE: WIPE}.get(roll.loss, OPTIONS) for _, roll in rolls])
        options = [(i, o.gain // unit, number[o.mode]) for i, (_, roll) in enumerate(rolls) for o in roll.options]
        self.first_option = np.searchsorted([i for i, _, _ in options], np.arange(len(rolls) + 1))
        self.gain, self.next = np.array([o[1:] for o in options]).reshape(-1, 2).T.copy()
        self.first_roll = np.searchsorted(self.mode_of_roll, np.arange(len(self.modes) + 1))

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """For the kernel."""
        return self.first_roll, self.weight, self.kind, self.first_option, self.gain, self.next

    def positions(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(total in units, mode index, dice) of every position below `size` that a turn comes to, sorted."""
        found = {(0, 0)}
        todo = [(0, 0)]
        moves = [
            {(int(g), int(n)) for g, n in zip(self.gain[low:high], self.next[low:high], strict=True) if n >= 0}
            for low, high in (self.first_option[self.first_roll[m : m + 2]] for m in range(len(self.modes)))
        ]
        while todo:
            total, mode = todo.pop()
            for gain, after in moves[mode]:
                if total + gain < size and (total + gain, after) not in found:
                    found.add((total + gain, after))
                    todo.append((total + gain, after))
        rows = sorted((total, self.modes[mode], mode) for total, mode in found)
        total, dice, mode = np.array(rows).T
        return total, mode, dice


Played = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Of some turns: (worth of rolling, bound on its rounding) by (turn, total in units, mode); and by turn, under the
policy that follows them, and banks where rolling on is not better by more than TIE: (the expected `after` of where it
ends, but for a bust, and the probability of a bust)."""


def play(turns: Turns, worth: Worth, sense: int, after: Worth | None = None, at_target: float = 0.0) -> Played:
    """Play turns from what they lead to; `after` is any other quantity by where a turn leads, `at_target` there."""
    bank, bust, wipe = worth
    later, _, wiped = after or (np.zeros_like(bank), bust, np.zeros_like(wipe))
    return _play(*turns.arrays, bank, bust, wipe, float(sense), later, wiped, at_target)


@njit(cache=True, nogil=True)
def _play(first_roll, weight, kind, first_option, gain, next_mode, bank, bust, wipe, sense, later, wiped, target):
    records, need = bank.shape
    modes = len(first_roll) - 1
    W, error = np.empty((records, need, modes)), np.empty((records, need, modes))
    ends, losses = np.empty(records), np.empty(records)
    N, busts = np.empty((need, modes)), np.empty((need, modes))
    for i in range(records):
        for t in range(need - 1, -1, -1):
            for m in range(modes):
                # Compensated summation (Kahan): the order and number of terms do not matter.
                total, lost, weights, errors, length, bust_here = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
                for o in range(first_roll[m], first_roll[m + 1]):
                    w = weight[o]
                    weights += w
                    if kind[o] == BUST:
                        best = bust[i]
                        bust_here += w
                    elif kind[o] == WIPE:
                        best = wipe[i]
                        length += w * wiped[i]
                    else:
                        best, its_length, its_busts, worst = -sense * np.inf, 0.0, 0.0, 0.0
                        for k in range(first_option[o], first_option[o + 1]):
                            x, n = t + gain[k], next_mode[k]
                            # To reach the target is worth 1.
                            value, this_length, this_busts = 1.0, target, 0.0
                            if x < need:
                                value, this_length = bank[i, x], later[i, x]
                                if n >= 0:
                                    # Where banking is better by more than that, an error of W does no harm.
                                    if sense * (W[i, x, n] - value) > -error[i, x, n]:
                                        worst = max(worst, error[i, x, n])
                                    if sense * (W[i, x, n] - value) > TIE:
                                        this_length, this_busts = N[x, n], busts[x, n]
                                    if sense * W[i, x, n] > sense * value:
                                        value = W[i, x, n]
                            if sense * value > sense * best:
                                best, its_length, its_busts = value, this_length, this_busts
                        errors += w * worst
                        length += w * its_length
                        bust_here += w * its_busts
                    y = w * best - lost
                    following = total + y
                    lost = (following - total) - y
                    total = following
                W[i, t, m] = total / weights
                # A rounding of each product, two of the sum and one of the quotient, of half an EPSILON each.
                error[i, t, m] = errors / weights * (1.0 + 1e-9) + 2.001 * EPSILON * abs(W[i, t, m])
                N[t, m] = length / weights
                busts[t, m] = bust_here / weights
        ends[i], losses[i] = N[0, 0], busts[0, 0]
    return W, error, ends, losses
