"""Find how a policy's turns end by forward induction, roll by roll, from the rules."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON
from dicebase.certify.pairs import Ends
from dicebase.certify.turns.kernel import BUST, OPTIONS, WIPE, Turns
from dicebase.matches.turns.hold_at import HoldAt
from dicebase.vocabulary.kernels import kernel


class TurnPolicy(NamedTuple):
    """The decisions of turns that begin equally far from the target.

    roll : values of rolling, (opponent's totals or 1, turn totals, modes). stop : values of stopping, (opponent's
    totals or 1, turn totals), -inf if the player may not stop. score : of positions, (opponent's totals or 1, turn
    totals, modes + 1); the last entry is that of an end by force. The policy rolls if that is better by more than
    `tie`; among options whose scores are within `tie` of the best it takes the largest gain.
    """

    roll: np.ndarray
    stop: np.ndarray
    score: np.ndarray
    tie: float = 0.0

    @classmethod
    def greedy(cls, turns: Turns, roll: np.ndarray, stop: np.ndarray, tie: float = 0.0) -> "TurnPolicy":
        """Return the policy that scores positions by their values."""
        banks = stop[..., np.newaxis]
        best = np.where(turns.rolls.must_roll, roll, np.maximum(roll, banks))
        return cls(roll, stop, np.concatenate([best, banks], axis=-1), tie)


def holds(turns: Turns, size: int, policy: HoldAt, too_few: Callable[[int], np.ndarray]) -> Callable[[int], TurnPolicy]:
    """Return the decisions of a policy that stops at turn totals; too_few : by the mover's total, whether a turn total
    is too small to bank, (size - mover's total,)."""
    stops, if_ended, if_rolled = map(np.array, policy)

    def decide(me: int) -> TurnPolicy:
        few, ended = too_few(me), if_ended[: size - me, np.newaxis]
        total = turns.unit * np.arange(size - me)[:, np.newaxis]
        rolls = (total < stops[me % len(stops)][:, np.newaxis]) | turns.rolls.must_roll | few[:, np.newaxis]
        score = np.where(rolls, if_rolled[: size - me], ended)
        last = np.broadcast_to(ended, (len(score), *ended.shape))
        stop = np.where(few, -np.inf, 0.5) * np.ones((len(score), 1))
        return TurnPolicy(rolls.astype(float), stop, np.concatenate([score, last], axis=-1).astype(float))

    return decide


def ends_of(turns: Turns, size: int, decide: Callable[[int], TurnPolicy], totals: int | None = None) -> Ends:
    """Return how the turns of a policy end, from its decisions by the mover's total in units, at the first `totals`
    totals or at all."""
    parts = [_ends(turns.rolls, *decide(me), size) for me in range(totals or size)]
    return Ends(*map(np.array, zip(*parts, strict=True)))


@kernel(_nrt=True)
def _ends(rolls, roll, stop, score, tie, size):
    """Return the arrays of Ends at one total of the mover; roll, stop, score and tie as in TurnPolicy."""
    first_roll, weight, kind, first_option, gain, next_mode, must_roll = rolls
    records, need, modes = roll.shape
    me = size - need
    ends, busts, wipes = np.zeros((records, size + 1)), np.zeros(records), np.zeros(records)
    outs, wrongs = np.zeros(records), np.zeros(records)
    sums = np.array([weight[first_roll[m] : first_roll[m + 1]].sum() for m in range(modes)])
    # The score of each position by total and mode, with stopping as the last mode; infinite at the target.
    best = np.full((need + gain.max(), modes + 1), np.inf)
    for i in range(records):
        best[:need] = score[i]
        visits, unsure = np.zeros((need, modes)), np.zeros((need, modes))
        visits[0, 0] = 1.0
        for t in range(need):
            for m in range(modes):
                here, wrong_here = visits[t, m], unsure[t, m]
                if here == 0.0:
                    continue
                may_stop = t > 0 and not must_roll[m] and stop[i, t] > -np.inf
                if may_stop and not roll[i, t, m] - stop[i, t] > tie:
                    ends[i, me + t] += here
                    wrongs[i] += wrong_here + EPSILON / 2 * ends[i, me + t]
                    continue
                for o in range(first_roll[m], first_roll[m + 1]):
                    share = weight[o] / sums[m]
                    chance = here * share
                    wrong = wrong_here * share + EPSILON * chance  # the quotient and product round by EPSILON / 2 each
                    if kind[o] != OPTIONS:
                        if kind[o] == BUST:
                            busts[i] += chance
                        elif kind[o] == WIPE:
                            wipes[i] += chance
                        else:
                            outs[i] += chance
                        wrongs[i] += wrong + EPSILON / 2 * (busts[i] + wipes[i] + outs[i])
                        continue
                    top = -np.inf
                    for k in range(first_option[o], first_option[o + 1]):
                        top = max(top, best[t + gain[k], next_mode[k]])
                    chosen = -1
                    for k in range(first_option[o], first_option[o + 1]):
                        worth = best[t + gain[k], next_mode[k]]
                        if worth >= top - tie and (
                            chosen < 0
                            or gain[k] > gain[chosen]
                            or (gain[k] == gain[chosen] and next_mode[k] < next_mode[chosen])
                        ):
                            chosen = k
                    x = t + gain[chosen]
                    if x < need and next_mode[chosen] >= 0:
                        visits[x, next_mode[chosen]] += chance
                        unsure[x, next_mode[chosen]] += wrong + EPSILON / 2 * visits[x, next_mode[chosen]]
                    else:
                        to = me + min(x, need)
                        ends[i, to] += chance
                        wrongs[i] += wrong + EPSILON / 2 * ends[i, to]
    return ends, busts, wipes, outs, wrongs
