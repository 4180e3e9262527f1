"""The turn kernel: backward induction in doubles over turns that differ only in the values of their ends.

docs/why/solvers.md has the recursion (A turn). If banking is forbidden, because a mode must be rolled or bank[t] is
infinitely bad, the value of a position is the value of rolling. Totals beyond the target have the value 1 unless `bank`
has other values for them; no value is better than reaching the target. The derivative of a turn's value with respect to
the value of a bust is the probability of a bust, which Newton's method needs to solve a match.

Eight turns go through outcomes and options side by side, one in each lane of the processor's vectors. Lanes are
independent, so every bit of a result is the same whichever turns fill the other lanes.
"""

import numpy as np

from dicebase.solvers.turns.compiled import BUST, OPTIONS, WIPE, CompiledTurn
from dicebase.vocabulary.arithmetic.simd import LANES, in_blocks, load, splat, store, where
from dicebase.vocabulary.kernels import kernel


def starts(
    turn: CompiledTurn, bank: np.ndarray, need: np.ndarray, bust: np.ndarray, wipe: np.ndarray, sense: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return (W, p_bust), each (n,): the values of n turns before their first roll, and their probabilities of a bust.

    bank : (at least the largest need, n) value of banking t units, at most 1; rows from `need` on have the value of a
        turn that ends there, which is 1 beyond the last row. If banking is forbidden, -inf (inf to minimise).
    need : (n,) number of units at which the turn ends.
    bust, wipe : (n,) value of losing the turn, and of losing the bank as well; at most 1.
    sense : 1 to maximise, -1 to minimise; if -1, all values are at least 1 instead.
    """
    roll, p_bust = _run(turn, sense * bank, need, sense * bust, sense * wipe, 1, 1, float(sense))
    return sense * roll[:, 0, 0], p_bust[:, 0, 0]


def rolls(
    turn: CompiledTurn, bank: np.ndarray, need: np.ndarray, bust: np.ndarray, wipe: np.ndarray, sense: int = 1
) -> np.ndarray:
    """Return W by (turn, turn total below the largest need, mode index); arguments as for `starts`."""
    totals, modes = int(need.max()), len(turn.modes)
    return sense * _run(turn, sense * bank, need, sense * bust, sense * wipe, totals, modes, float(sense))[0]


def _run(turn, bank, need, bust, wipe, totals, modes, at_target=1.0):
    # Slot 0 of a total holds the value of banking, slot m + 1 the value of mode m; a forced end has mode -1.
    ahead = (turn.gain * (len(turn.modes) + 1) + turn.next_mode + 1) * LANES
    weights = turn.weight.astype(float), turn.sum_of_weights.astype(float)
    outcomes = turn.row_start, *weights, turn.kind, turn.option_start, ahead
    sizes = turn.period, turn.max_gain, turn.must_roll, need.max()
    roll, p_bust = np.full((2, len(need), totals, modes), np.nan)  # NaN beyond a turn's own need
    stakes = map(in_blocks, (bank, bust, wipe, need.astype(float)))
    _kernel(*sizes, outcomes, *stakes, at_target, need, roll, p_bust)
    return roll, p_bust


@kernel(_nrt=True, error_model="numpy")
def _kernel(period, beyond, must, most, outcomes, bank, bust, wipe, needs, at_target, need, roll, p_bust):
    """Fill roll and p_bust, (n, totals, modes), from bank, (totals, n), and bust, wipe, needs, (n,), in blocks."""
    row_start, weight, sums, kind, option_start, ahead = outcomes
    modes = len(must)
    width, stride, banks = modes + 1, bank.shape[1], bank.ravel()
    size = (most + beyond) * width * LANES
    V, S = np.empty(size), np.empty(size)  # values, and their slopes in the value of a bust
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
                    elif kind[o] == OPTIONS:  # otherwise the match is lost, with value 0
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
