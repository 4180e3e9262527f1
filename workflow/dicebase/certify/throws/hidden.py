"""Unseen throws: what the best of all plans gains against the published mix, found in the mix and the rules alone.

The mix is played forward: how likely an opponent who follows it is still below the target, and how likely each end is.
A best reply then looks ahead from each throw and own total (two plans do not see each other, so the opponent's ends do
not depend on one's own throws; see solve/throws/hidden.py). Its worth at the start is the exploitability: the game is
the same for both players, so its value is 0, and the published mix guarantees minus that. The rows' values and q-values
are those of the best reply. All in the longest doubles.
"""

from fractions import Fraction

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.certify.throws import referee as referee_throws
from dicebase.certify.throws.arrays import check_mix, gain_probabilities
from dicebase.matches.hidden import HiddenRace
from dicebase.vocabulary import State

GOAL = 1e-6  # an equilibrium that gives away more is none

simulated = referee_throws.play


def check(game: HiddenRace, published: Published, exact: Fraction | None, fail: Fail) -> Finding:
    """Certify the rows of a variant."""
    q, unit = gain_probabilities(game.rules, game.unit_of_points), game.unit_of_points
    choices = list(game.actions(()))
    mix = np.zeros((game.horizon, game.totals, len(choices)), np.longdouble)
    for state, rows in published.actions.items():
        throw, score = state
        if list(rows) != choices or not 1 <= throw <= game.horizon or score % unit or not 0 <= score < game.target:
            fail(state, f"the actions are {sorted(rows)}; {game.why_missing(state)}")
        mix[throw - 1, score // unit] = [rows[choice]["probability"] for choice in choices]
        if (mix[throw - 1, score // unit] < 0).any() or not abs(mix[throw - 1, score // unit].sum() - 1) <= 1e-14:
            fail(state, "the probabilities are not those of a mix")
    reach, alive, ends = _play(q, mix)
    _cover(game, published, reach, fail)
    value, worth = _reply(q, alive, ends, game.totals)
    residual = 0.0
    for (throw, score), rows in published.actions.items():
        t, a, state = throw - 1, score // unit, (throw, score)
        still = alive[t]
        q_values = [rows[choice]["q_value"] for choice in choices]
        off = np.abs(np.array([published.values[state], *q_values]) - np.array([value[t, a], *worth[t, a]]) / still)
        # Far from the start of play little is left of the opponent: what is divided by it has its rounding.
        if not off.max() * still <= 1e-13:
            fail(state, f"values are up to {float(off.max()):.3g} away from those of the best reply")
        residual = max(residual, float(off.max() * still))
        _claims(published, state, choices, fail)
    gain = float(value[0, 0])
    if not gain <= GOAL:
        fail((1, 0), f"a plan gains {gain:.3g} against the mix")
    bound = max(gain, 0.0) + float(np.finfo(np.longdouble).eps) * 10 * mix.size
    proof = "exploitability: what the best of all plans gains against the mix, whose value is 0 by symmetry"
    return Finding(published.values[1, 0], bound, bound, residual, proof)


def _play(q: np.ndarray, mix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(reach (T, totals), alive (T + 1,), ends (T, gains)): the mix played alone; ends by points past the target."""
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
    """(value (T, totals), worth by throw (T, totals, throws)) of the best reply, times the chance of being on."""
    horizon = len(ends)
    past = np.arange(q.shape[1])
    # Who ends further past the target wins; who is still below loses.
    meets = np.sign(np.subtract.outer(past, past)) @ ends.T  # by (past the target, throw)
    value = np.zeros((horizon + 1, size), np.longdouble)  # after the last throw: a draw
    worth = np.zeros((horizon, size, len(q)), np.longdouble)
    for t in range(horizon - 1, -1, -1):
        after = np.concatenate([value[t + 1] - ends[t].sum(), meets[:, t] + alive[t + 1]])
        for a in range(size):
            worth[t, a] = q @ after[a : a + q.shape[1]]
        value[t] = worth[t].max(axis=1)
    return value[:-1], worth


def _cover(game: HiddenRace, published: Published, reach: np.ndarray, fail: Fail) -> None:
    """That the rows are those which the mix reaches."""
    unit = game.unit_of_points
    reached = {(int(t) + 1, int(a) * unit) for t, a in np.argwhere(reach > 0)}
    missing = "the mix leads there, but the table does not have it"
    check_keys(published, reached, fail, missing, "the table has this row, but the mix never leads there")


def _claims(published: Published, state: State, choices: list[str], fail: Fail) -> None:
    """That the rows say what follows from the value, the q-values and the mix."""
    rows, value = published.actions[state], published.values[state]
    used = [choice for choice in choices if rows[choice]["probability"] > 0]
    check_mix(published, state, used, fail)
    for choice, row in rows.items():
        if row["regret"] != max(0.0, value - row["q_value"]):
            fail(state, f"regret of '{choice}' is {row['regret']!r}, its q-value says otherwise")
    others = [row["regret"] for choice, row in rows.items() if choice not in used]
    if published.margins[state] != (min(others) if len(used) == 1 and others else None):
        fail(state, f"margin is {published.margins[state]!r}, the regrets say otherwise")
