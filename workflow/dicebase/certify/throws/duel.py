"""Check a duel of single throws: compute every q-value by one step of the rules, and find bounds that a step maps into
themselves. docs/why/certificates.md has the proof (Single throws of two players)."""

from functools import partial

import numpy as np

from dicebase.certify.action_rows import check_rows
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.pairs import along_play, enclosed
from dicebase.certify.published import Published, refuse
from dicebase.certify.throws import referee
from dicebase.certify.throws.arrays import check_bound, gain_probabilities, one_throw, squares, throw_ends
from dicebase.matches.duels.duel import DuelOfThrows

CLOSE = 0.05  # tolerance of the expected length of a match, in throws
PROOF = "one throw keeps every value between two bounds"

simulated = referee.play


def check(game: DuelOfThrows, published: Published, fail: Fail) -> Finding:
    """Certify a variant, whose values are P(win) of the player to move."""
    q = gain_probabilities(game)
    V, stored = squares(published, game, fail, "q_value")
    again = one_throw(q, V, game.wipes)
    refuse_state = partial(refuse, published.keys, fail)
    off = np.abs(stored - again).max(axis=2).ravel()
    refuse_state(~(off <= 1e-13), "a q-value is {:.3g} away from what one step of the rules gives", off)
    off = np.abs(V - again.max(axis=2)).ravel()
    refuse_state(~(off <= 1e-13), "the value is {!r}, the best action is {:.3g} away", published.values, off)
    # A sum of positive terms that is below one has one long-double rounding per term.
    rounding = float(np.finfo(np.longdouble).eps) * (q.shape[1] + 4)
    ends = throw_ends(q, again.argmax(axis=2), game.wipes)
    throws = along_play(ends, ends, *np.ones((2, *V.shape)), CLOSE, fail)[0]
    best = lambda values: (one_throw(q, values, game.wipes).max(axis=2), rounding)  # noqa: E731
    bounds = 1.1 * (float(off.max()) + rounding) * throws
    bound = float(enclosed(best, V.astype(np.longdouble), bounds, fail).max())
    check_bound(bound, fail)
    of = np.repeat(np.arange(published.count), len(q))
    check_rows(published, of, 1, np.full(published.count, 2 * bound), decided=False, fail=fail)
    return Finding(float(V[0, 0]), bound, bound, float(off.max()), PROOF)
