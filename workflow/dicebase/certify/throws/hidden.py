"""Check hidden throws: compute the exploitability of the published mix from the mix and the rules alone.

Playing the mix forward gives the probabilities of each final score and of the opponent still playing. Neither player
sees the other, so these do not depend on a player's own throws (docs/why/solvers.md), and backward induction finds a
best response. Its value at the start is the exploitability: by symmetry the game has value 0, and the mix guarantees
minus that number. Rows have the values of the best response. Sums use long doubles.
"""

from functools import partial
from itertools import repeat

import numpy as np

from dicebase.certify.action_rows import check_mix, check_sums
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.throws import referee as referee_throws
from dicebase.certify.throws.arrays import gain_probabilities
from dicebase.matches.duels.hidden import HiddenRace

GOAL = 1e-9  # the largest exploitability that is certified

simulated = referee_throws.play


def check(game: HiddenRace, published: Published, fail: Fail) -> Finding:
    """Certify a variant, whose values are P(win) - P(lose)."""
    q, unit = gain_probabilities(game), game.unit_of_points
    choices = game.actions(())
    throw, score = published.keys
    wrong = (throw < 1) | (throw > game.horizon) | (score % unit != 0) | (score < 0) | (score >= game.target)
    refuse_state = partial(refuse, published.keys, fail)
    refuse_state(wrong, "no match reaches this row")
    published.check_actions(repeat(choices, published.count), fail)
    by_state = {name: published.actions[name].reshape(published.count, -1) for name in ("probability", "q_value")}
    place = throw - 1, score // unit
    mix = np.zeros((game.horizon, game.totals, len(choices)), np.longdouble)
    mix[place] = by_state["probability"]
    first = len(choices) * np.arange(published.count)
    check_sums(published, mix[place].ravel(), first, fail)
    reach, alive, ends = _play(q, mix)
    reached = {(int(t) + 1, int(a) * unit) for t, a in np.argwhere(reach > 0)}
    missing = "the mix leads there, but the table does not have it"
    check_keys(published, reached, fail, missing, "the table has this row, but the mix never leads there")
    value, worth = _reply(q, alive, ends, game.totals)
    still = alive[place[0]]
    theirs = np.column_stack([published.values, by_state["q_value"]])
    again = np.column_stack([value[place], worth[place]]) / still[:, np.newaxis]
    off = np.abs(theirs - again).max(axis=1)
    # Late in a match `still` is small, and dividing by it magnifies rounding.
    refuse_state(~(off * still <= 1e-13), "values are up to {:.3g} away from those of the best reply", off)
    residual = float((off * still).max())
    losses = np.maximum(0.0, published.values[:, np.newaxis] - by_state["q_value"])
    check_mix(published, first, losses.ravel(), 0.0, fail)
    gain = float(value[0, 0])
    if not gain <= GOAL:
        fail((1, 0), f"a plan gains {gain:.3g} against the mix")
    bound = max(gain, 0.0) + float(np.finfo(np.longdouble).eps) * 10 * mix.size
    proof = "exploitability: the gain of the best plan against the mix, whose value is 0 by symmetry"
    return Finding(published.value_of[1, 0], bound, bound, residual, proof)


def _play(q: np.ndarray, mix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play the mix (T, totals, throws) forward; return three probabilities: of each total, (T, totals), of being below
    the target, (T + 1,), and of ending the match each number of units past it, (T, gains)."""
    horizon, size, _ = mix.shape
    reach = np.zeros((horizon + 1, size + q.shape[1]), np.longdouble)
    reach[0, 0] = 1
    ends = np.zeros((horizon, q.shape[1]), np.longdouble)
    for t in range(horizon):
        for a in np.flatnonzero(reach[t, :size]):
            reach[t + 1, a : a + q.shape[1]] += reach[t, a] * (mix[t, a] @ q)
        ends[t] = reach[t + 1, size:]
    return reach[:-1, :size], np.concatenate([[1], reach[1:, :size].sum(axis=1)]), ends


def _reply(q: np.ndarray, alive: np.ndarray, ends: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the values (T, totals) and q-values (T, totals, throws) of a best response, each times `alive`."""
    horizon = len(ends)
    past = np.arange(q.shape[1])
    # The larger total wins; a player below the target loses.
    meets = np.sign(np.subtract.outer(past, past)) @ ends.T  # by (points past the target, throw)
    value = np.zeros((horizon + 1, size), np.longdouble)  # a draw after the last throw
    worth = np.zeros((horizon, size, len(q)), np.longdouble)
    for t in range(horizon - 1, -1, -1):
        after = np.concatenate([value[t + 1] - ends[t].sum(), meets[:, t] + alive[t + 1]])
        for a in range(size):
            worth[t, a] = q @ after[a : a + q.shape[1]]
        value[t] = worth[t].max(axis=1)
    return value[:-1], worth
