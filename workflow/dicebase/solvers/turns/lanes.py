"""The turn kernel: turns that differ in their worths alone, by backward induction in doubles; docs/why/solvers.md has
the recursion (A turn).

Where one may not bank a position is worth its roll: in modes that must be rolled, and where bank[t] is infinitely bad.
Where points that pass the target are not worth 1, what they are worth is given. The slope in the worth of a bust, the
probability of ending so, is what Newton's method on the value of a match needs. Nothing is worth more than reaching the
target, or less where less is better.

Eight turns go side by side through the outcomes and options, one to a lane of the processor's vectors. No lane looks at
another: a result does not depend on what is solved beside it, to the last bit.
"""

import numpy as np

from dicebase.solvers.turns.compiled import BUST, OPTIONS, WIPE, CompiledTurn
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.simd import LANES, in_blocks, load, splat, store, where


def starts(
    turn: CompiledTurn, bank: np.ndarray, need: np.ndarray, bust: np.ndarray, wipe: np.ndarray, sense: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """(W, p_bust) of the first roll of n turns, each of shape (n,).

    bank : (at least the largest need, n) what banking t units is worth, and from `need` on what the turn is that ends
        so, at most 1; beyond the last row it is 1. It is -inf, or inf where less is better, where one may not.
    need : (n,) units that end the turn.
    bust, wipe : (n,) worth of losing the turn, and of losing the bank as well, at most 1.
    sense : -1 where less is better: nothing is below 1 then.
    """
    roll, p_bust = _run(turn, sense * bank, need, sense * bust, sense * wipe, 1, 1, float(sense))
    return sense * roll[:, 0, 0], p_bust[:, 0, 0]


def rolls(
    turn: CompiledTurn, bank: np.ndarray, need: np.ndarray, bust: np.ndarray, wipe: np.ndarray, sense: int = 1
) -> np.ndarray:
    """W by (turn, turn total below the largest need, mode index) of n turns; arguments as for `starts`."""
    totals, modes = int(need.max()), len(turn.modes)
    return sense * _run(turn, sense * bank, need, sense * bust, sense * wipe, totals, modes, float(sense))[0]


def _run(turn, bank, need, bust, wipe, totals, modes, at_target=1.0):
    # Slot 0 of a total is what banking is worth, slot m + 1 is mode m: a forced end has the mode -1.
    ahead = (turn.gain * (len(turn.modes) + 1) + turn.next_mode + 1) * LANES
    weights = turn.weight.astype(float), turn.sum_of_weights.astype(float)
    outcomes = turn.row_start, *weights, turn.kind, turn.option_start, ahead
    sizes = turn.period, turn.max_gain, turn.must_roll, need.max()
    roll, p_bust = np.full((2, len(need), totals, modes), np.nan)  # turns that need less have no larger totals
    stakes = map(in_blocks, (bank, bust, wipe, need.astype(float)))
    _kernel(*sizes, outcomes, *stakes, at_target, need, roll, p_bust)
    return roll, p_bust


@kernel(_nrt=True, error_model="numpy")
def _kernel(period, beyond, must, most, outcomes, bank, bust, wipe, needs, at_target, need, roll, p_bust):
    row_start, weight, sums, kind, option_start, ahead = outcomes
    modes = len(must)
    width, stride, banks = modes + 1, bank.shape[1], bank.ravel()
    size = (most + beyond) * width * LANES
    V, S = np.empty(size), np.empty(size)  # values, and their slopes in the worth of a bust
    worths, slopes = np.empty(LANES), np.empty(LANES)
    zero, reached = splat(0.0), splat(at_target)
    for first in range(0, len(need), LANES):
        totals = 0
        for units in need[first : first + LANES]:
            totals = max(totals, units)
        busted, wiped, needed = load(bust, first), load(wipe, first), load(needs, first)
        for p in range(totals * width, (totals + beyond) * width):
            t = p // width
            store(V, p * LANES, load(banks, t * stride + first) if t < len(bank) else reached)
            store(S, p * LANES, zero)
        for t in range(totals - 1, -1, -1):
            here = t * width * LANES
            banked = load(banks, t * stride + first)
            store(V, here, banked)
            store(S, here, zero)
            for m in range(modes):
                row = (t % period) * modes + m
                worth, slope = zero, zero
                for o in range(row_start[row], row_start[row + 1]):
                    w, k = weight[o], option_start[o]
                    if kind[o] == BUST:
                        worth += w * busted
                        slope += splat(w)
                    elif kind[o] == WIPE:
                        worth += w * wiped
                    elif kind[o] == OPTIONS:  # to be thrown out is worth nothing
                        best, its_slope = load(V, here + ahead[k]), load(S, here + ahead[k])
                        for other in range(k + 1, option_start[o + 1]):
                            value = load(V, here + ahead[other])
                            better = value > best
                            best = where(better, value, best)
                            its_slope = where(better, load(S, here + ahead[other]), its_slope)
                        worth += w * best
                        slope += w * its_slope
                worth, slope = worth / sums[row], slope / sums[row]
                on = where(needed > splat(float(t)), worth, banked)
                rolls_on = needed > splat(float(t)) if must[m] else on > banked
                store(V, here + (m + 1) * LANES, where(rolls_on, worth, banked))
                store(S, here + (m + 1) * LANES, where(rolls_on, slope, zero))
                if t < roll.shape[1] and m < roll.shape[2]:
                    store(worths, 0, worth)
                    store(slopes, 0, slope)
                    for i in range(min(LANES, len(need) - first)):
                        roll[first + i, t, m], p_bust[first + i, t, m] = worths[i], slopes[i]
