"""The certifier's kernel, independent of the solver's: one turn by backward induction, roll by roll from the rules."""

from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON
from dicebase.certify.turns.stakes import Stakes, Worth
from dicebase.matches.turns.reachable import turn_places
from dicebase.vocabulary import TIE, Loss, RepeatedTurn
from dicebase.vocabulary.arithmetic.simd import LANES, in_blocks, load, splat, store, where
from dicebase.vocabulary.kernels import inner, kernel

OPTIONS, BUST, WIPE, OUT = range(4)

KINDS = {Loss.BUST: BUST, Loss.WIPE: WIPE, Loss.OUT: OUT}


class Rolls(NamedTuple):
    """The rolls of a turn, mode by mode in the rules' order; points in units. Rolls of one mode with the same options
    are merged into one, in the place of the first."""

    first: np.ndarray  # (modes + 1,), the first roll of each mode
    weight: np.ndarray  # (rolls,)
    kind: np.ndarray  # (rolls,), OPTIONS, BUST, WIPE or OUT
    first_option: np.ndarray  # (rolls + 1,)
    gain: np.ndarray  # (options,)
    next: np.ndarray  # (options,), the mode afterwards, or -1 if the turn ends
    must_roll: np.ndarray  # (modes,), whether the player may not stop


class Turns:
    """The rules of a turn, its modes, and its rolls as arrays."""

    def __init__(self, rules: RepeatedTurn, unit: int) -> None:
        self.rules, self.modes, self.unit = rules, tuple(rules.modes), unit
        thrown = [(m, roll) for m, mode in enumerate(self.modes) for roll in rules.rolls(0, mode)]
        alike: dict[tuple, int] = {}
        for m, roll in thrown:
            what = m, roll.loss, roll.options
            alike[what] = alike.get(what, 0) + roll.weight
        number = {what: i for i, what in enumerate(alike)}
        # By roll of the rules, mode by mode: the index of the merged roll.
        self.stands_for = np.array([number[m, roll.loss, roll.options] for m, roll in thrown])
        number = {mode: m for m, mode in enumerate(self.modes)} | {None: -1}
        self.mode_of_roll = np.array([m for m, *_ in alike])
        found = [(i, o.gain // unit, number[o.mode]) for i, (*_, options) in enumerate(alike) for o in options]
        of_roll, gain, after = np.array(found).reshape(-1, 3).T.copy()
        self.rolls = Rolls(
            np.searchsorted(self.mode_of_roll, np.arange(len(self.modes) + 1)),
            np.array([*alike.values()], float),
            np.array([KINDS.get(loss, OPTIONS) for _, loss, _ in alike]),
            np.searchsorted(of_roll, np.arange(len(alike) + 1)),
            gain,
            after,
            np.array([mode in rules.must_roll for mode in self.modes]),
        )

    def positions(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the totals in units, mode indices and dice of the positions below `size` that turns reach, sorted."""
        places = sorted(place for place in turn_places(self.rules, size * self.unit) if place[1] is not None)
        total, dice = np.array(places).T
        return total // self.unit, np.array([*map(self.modes.index, dice.tolist())]), dice


Played = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Value of rolling and a bound on its rounding, by (turn, total in units, mode); expected `after` of ends without a
bust and probability of a bust, by turn, if the player banks unless rolling is better by more than TIE. The last two
are NaN without `after`."""


def play(
    turns: Turns,
    worth: Worth,
    sense: int,
    after: Worth | None = None,
    totals: int | None = None,
    needs: np.ndarray | None = None,
) -> Played:
    """Solve turns from the values of their ends; `after` is another quantity of each end, 0 at the target.

    totals : number of turn totals, from 0, for which to return values of rolling; all by default.
    needs : (turns,) units that end each turn; by default, the number of totals in `worth`. Banking more has value 1.
    """
    bank, bust, wipe = worth
    records, known = bank.shape
    needs = np.full(records, known) if needs is None else needs
    later, _, wiped = after or (np.zeros((records, known)), bust, np.zeros(records))
    W, error = np.empty((2, records, int(needs.max()) if totals is None else totals, len(turns.modes)))
    ends, busts = np.full((2, records), np.nan)
    stakes = (in_blocks(numbers) for numbers in (bank.T, bust, wipe, later.T, wiped, needs.astype(float)))
    _play(turns.rolls, *stakes, float(sense), after is not None, W, error, ends, busts)
    return W, error, ends, busts


def play_inside(
    turns: Turns, stakes: Stakes, block: slice, total: np.ndarray, mode: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the value of rolling, a bound on its rounding, the value of banking, and whether the player must roll, at
    each of the positions in `total` and `mode` that a turn of the block reaches before it ends, turn after turn."""
    worth, needs = stakes.block(block), stakes.need[block]
    totals = int(min(total[-1] + 1, needs.max()))
    W, error, _, _ = play(turns, worth, stakes.game.sense, totals=totals, needs=needs)
    turn, here = np.nonzero(total < needs[:, np.newaxis])
    at = turn, total[here], mode[here]
    bank = worth[0][at[:2]]
    return W[at], error[at], bank, (at[1] == 0) | turns.rolls.must_roll[at[2]] | np.isinf(bank)


class Inside(NamedTuple):
    """The values of rolling inside turns, by turn total, mode and lane."""

    worths: np.ndarray
    errors: np.ndarray  # bounds on the rounding of the values
    lengths: np.ndarray  # expected `after`
    losses: np.ndarray  # probabilities of a bust


@inner
def _best(inside, p, how, banked, after):
    """Return lanes: the best value of the place `p` of `inside`, where the player may roll or bank; a bound on its
    rounding; expected `after` and probability of a bust. `banked` and `after` are those of banking.

    how : (sense, whether the player must roll, whether the turn has not reached its end there, tracks).
    """
    sense, must_roll, goes_on, tracks = how
    zero, one, least = splat(0.0), splat(1.0), splat(-np.inf)
    rolled, error, busts = load(inside.worths, p), load(inside.errors, p), zero
    gains = where(goes_on, one if must_roll else sense * (rolled - banked), least)
    # The error of rolling does not matter if banking is better by more than this error.
    matters = where(gains + error > zero, error, zero)
    if tracks:
        rolls_on = gains > TIE
        after = where(rolls_on, load(inside.lengths, p), after)
        busts = where(rolls_on, load(inside.losses, p), zero)
    return where(gains > zero, rolled, banked), matters, after, busts


@inner
def _best_option(rolls, o, t, first, ends, inside, banking, sense, tracks):
    """Return lanes for the best option of roll `o` at turn total `t`: value, bound on its rounding, expected `after`,
    probability of a bust. ends : totals at which turns end, by lane, and the largest; banking : the values of banking
    and `after`, flat, with the number of totals and of turns; first : the first turn."""
    (needed, need), (banks, laters, known, stride) = ends, banking
    zero, one, modes = splat(0.0), splat(1.0), len(rolls.first) - 1
    best, worst, length, busts = sense * splat(-np.inf), zero, zero, zero
    for k in range(rolls.first_option[o], rolls.first_option[o + 1]):
        x, n = t + rolls.gain[k], rolls.next[k]
        # Totals without a known value of banking reach the target, which has the value 1.
        value, error, its_length, its_busts = one, zero, zero, zero
        if x < known:
            value = load(banks, x * stride + first)
            if tracks:
                its_length = load(laters, x * stride + first)
            if n >= 0 and x < need:
                how = sense, rolls.must_roll[n], needed > splat(float(x)), tracks
                value, error, its_length, its_busts = _best(inside, (x * modes + n) * LANES, how, value, its_length)
        worst = where(error > worst, error, worst)
        better = sense * value > sense * best
        best = where(better, value, best)
        if tracks:
            length = where(better, its_length, length)
            busts = where(better, its_busts, busts)
    return best, worst, length, busts


@kernel(_nrt=True, error_model="numpy")
def _play(rolls, bank, bust, wipe, later, wiped, needs, sense, tracks, W, error, ends, busts):
    """Fill W, error (turns, totals, modes) and ends, busts (turns,) from bank, later (totals, turns) and the rest.
    Values are padded to blocks of lanes, and `tracks` asks for ends and busts."""
    first_roll, weight, kind = rolls.first, rolls.weight, rolls.kind
    need, modes = int(needs.max()), len(first_roll) - 1
    banking = bank.ravel(), later.ravel(), *bank.shape
    worths, errors, lengths, losses = np.empty((4, need * modes * LANES))
    inside = Inside(worths, errors, lengths, losses)
    zero = splat(0.0)
    for first in range(0, len(ends), LANES):
        busted, was_wiped, wipe_length = load(bust, first), load(wipe, first), load(wiped, first)
        needed = load(needs, first)
        for t in range(need - 1, -1, -1):
            for m in range(modes):
                # Compensated summation (Kahan): its error does not depend on the order and number of terms.
                total, lost, wrong, length, bust_here, weights = zero, zero, zero, zero, zero, 0.0
                for o in range(first_roll[m], first_roll[m + 1]):
                    w = weight[o]
                    weights += w
                    if kind[o] == BUST:
                        best = busted
                        bust_here += splat(w)
                    elif kind[o] == WIPE:
                        best = was_wiped
                        length += w * wipe_length
                    elif kind[o] == OUT:
                        best = zero  # the match is lost
                    else:
                        best, worst, its_length, its_busts = _best_option(
                            rolls, o, t, first, (needed, need), inside, banking, sense, tracks
                        )
                        wrong += w * worst
                        length += w * its_length
                        bust_here += w * its_busts
                    y = w * best - lost
                    following = total + y
                    lost = (following - total) - y
                    total = following
                p = (t * modes + m) * LANES
                value = total / weights
                store(worths, p, value)
                # Each product, twice the sum, and the quotient are rounded, by half an EPSILON each.
                size = where(zero > value, zero - value, value)
                store(errors, p, wrong / weights * (1.0 + 1e-9) + 2.001 * EPSILON * size)
                store(lengths, p, length / weights)
                store(losses, p, bust_here / weights)
        for i in range(min(LANES, len(ends) - first)):
            if tracks:
                ends[first + i], busts[first + i] = lengths[i], losses[i]
            for t in range(W.shape[1]):
                for m in range(modes):
                    p = (t * modes + m) * LANES + i
                    W[first + i, t, m], error[first + i, t, m] = worths[p], errors[p]
