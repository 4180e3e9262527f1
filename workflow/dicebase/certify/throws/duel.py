"""Alternate single throws: every q-value by one step of the rules, and bounds between which that step leads, as
docs/why/certificates.md proves (Single throws of two players)."""

from functools import partial

import numpy as np

from dicebase.certify.action_rows import check_rows
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.pairs import along_play
from dicebase.certify.published import Published, refuse
from dicebase.certify.throws import referee
from dicebase.certify.throws.arrays import check_bound, gain_probabilities, one_throw, squares, throw_ends
from dicebase.matches.duel import DuelOfThrows

SWEEPS = 1000
PROOF = "one throw leads between two bounds on every value"

simulated = referee.play


def check(game: DuelOfThrows, published: Published, fail: Fail) -> Finding:
    """Certify the rows of a variant."""
    q = gain_probabilities(game)
    V, stored = squares(published, game, fail, "q_value")
    again = one_throw(q, V, game.wipes)
    refuse_state = partial(refuse, published.keys, fail)
    off = np.abs(stored - again).max(axis=2).ravel()
    refuse_state(~(off <= 1e-13), "a q-value is {:.3g} away from what one step of the rules gives", off)
    off = np.abs(V - again.max(axis=2)).ravel()
    refuse_state(~(off <= 1e-13), "the value is {!r}, the best action is {:.3g} away", published.values, off)
    # A sum of positive terms below one: a rounding of the longest doubles for each.
    rounding = float(np.finfo(np.longdouble).eps) * (q.shape[1] + 4)
    bound = float(_bounds(q, V, game.wipes, again.argmax(axis=2), float(off.max()) + rounding, rounding, fail).max())
    check_bound(bound, fail)
    of = np.repeat(np.arange(published.count), len(q))
    check_rows(published, of, 1, np.full(published.count, 2 * bound), decided=False, fail=fail)
    return Finding(float(V[0, 0]), bound, bound, float(off.max()), PROOF)


def _bounds(
    q: np.ndarray, V: np.ndarray, wipes: bool, best: np.ndarray, left: float, rounding: float, fail: Fail
) -> np.ndarray:
    """How wrong each value may be: w such that one throw leads from V - w and from V + w to values between the two.

    left : what one throw leaves of the values. It is added up along the best play, and widened until the step holds.
    """
    ends = throw_ends(q, best, wipes)
    found = 1.1 * along_play(ends, ends, *np.full((2, *V.shape), left), 0.05 * left, fail)[0]
    V = V.astype(np.longdouble)
    for _ in range(SWEEPS):
        above, below = (one_throw(q, V + side * found, wipes).max(axis=2) - V for side in (-1, 1))
        wider = (np.maximum(above, -below) + rounding).astype(float)
        if (wider <= found).all():
            return found
        found = np.maximum(found, 1.01 * wider)
    fail(None, "no bounds are found that one throw leads between")
