"""Two players race to a target without seeing each other's score: variant 4 of section 5 of Tijms & van der Wal (2005).
The match is a draw after T = `horizon` rounds, which the paper leaves open.

A plan depends only on throw number and own score, and dynamic programming finds a best response (docs/why/solvers.md,
Single throws). The payoff is linear in each player's flow, so one linear program yields an optimal plan, but over all
rows and throws it takes HiGHS minutes even for G = 40 with ten dice. Instead:

1. Predictive regret matching+ (Farina, Kroer & Sandholm 2021) of a plan against itself comes within about 1e-7 of
equilibrium; few of the reached rows (t, a) are then undecided between throws.

2. The linear program is written over those rows of choice. Between them the plan is fixed, so each choice is a
*stretch* to the next rows of choice or the end, and two stretches have a known payoff. A best response over all throws
checks each solution, and throws that gain are added to the program. Each program solves for a correction of the plan,
which is magnified so that the solver's tolerance shrinks with it.

In a row that play reaches with probability p while the opponent still plays, the plan may lose exploitability / p; rows
with p below MATTERS keep their choices from regret matching.
"""

from typing import NamedTuple

import numpy as np

from dicebase.solvers.throws.hidden_play import answer, match_regrets, play, stretches
from dicebase.vocabulary.progress import Progress, reporter

MATCHED = 1e-9  # exploitability below which the linear program takes over
STEPS, LOOKS = 500, 20  # regret matching: steps between two checks, and most checks
MATTERS = 1e-13  # least P(own throws lead to the row) * P(opponent still plays) of rows in the program
CLOSE = 1e-4  # largest loss, given that the match goes on, of a throw that is a candidate
MAGNIFIED = (1.0, 1e-3, 1e-5)  # units of the corrections
ROUNDS = 40  # most linear programs
ENOUGH = 1e-15  # smaller exploitabilities are equal in doubles, so the plan of the later, finer program is kept


class Hidden(NamedTuple):
    """An equilibrium plan. Payoffs are P(win) - P(lose) against an opponent who follows the plan.

    By throw t (0 = the first), own score a, throw d: T = horizon, G = target.
    """

    probability: np.ndarray  # (T, G, D) the plan; NaN in rows that it never reaches
    value: np.ndarray  # (T, G) of a best response, given that the match goes on; NaN in unreachable rows
    q_values: np.ndarray  # (T, G, D) the same if the next throw is d
    exploitability: float  # the payoff of a best response to the plan


def solve_hidden(gain: np.ndarray, target: int, horizon: int) -> Hidden:
    """Return an equilibrium of the hidden game.

    gain : (D, largest gain + 1), P(throw d gains g), in the units of `target`; 0 is a throw of nothing.
    Missing the goal of 1e-9 raises no error, so check `exploitability`.
    """
    game, report = _Game(gain, target, horizon), reporter("step")
    return _publish(game, _refine(game, _match(game, report), report))


class _Reply(NamedTuple):
    reach: np.ndarray
    alive: np.ndarray
    q: np.ndarray
    v: np.ndarray

    @property
    def regret(self) -> np.ndarray:
        """The loss of each throw compared with the best, (T, G, D), given that the match goes on."""
        on = np.where(self.alive > 0, self.alive, 1.0)
        return (self.v[:-1, :, None] - self.q) / on[:, None, None]


class _Game(NamedTuple):
    gain: np.ndarray
    target: int
    horizon: int

    def reply(self, plan: np.ndarray) -> _Reply:
        """Return the plan's reach and a best response to it."""
        reach, alive, beyond = play(self.gain, plan)
        q, v = answer(self.gain, alive, beyond, self.target)
        return _Reply(reach, alive, q.transpose(0, 2, 1), v)


def _match(game: _Game, report: Progress) -> np.ndarray:
    """Return a plan with exploitability at most MATCHED, or the best found."""
    shape = game.horizon, game.target, len(game.gain)
    plan, regret = np.full(shape, 1.0 / shape[2]), np.zeros(shape)
    best, least = plan.copy(), game.reply(plan).v[0, 0]
    for look in range(LOOKS):
        if least <= MATCHED:
            break
        match_regrets(game.gain, plan, regret, STEPS)
        gained = game.reply(plan).v[0, 0]
        if gained < least:
            best, least = plan.copy(), gained
        report(look + 1, LOOKS + ROUNDS)
    return best


def _refine(game: _Game, plan: np.ndarray, report: Progress) -> np.ndarray:
    """Return the plan improved by linear programs over the rows of choice."""
    reply = game.reply(plan)
    matters = reply.reach * reply.alive[:, None] > MATTERS
    candidate = (reply.regret <= CLOSE) & matters[:, :, None]
    best, least, unit = plan, reply.v[0, 0], 0
    for done in range(ROUNDS):
        plan = _correct(game, _restricted(plan, candidate), candidate, MAGNIFIED[unit])
        reply = game.reply(plan)
        if reply.v[0, 0] < max(least, ENOUGH):
            best, least = plan, reply.v[0, 0]
        missed = matters & (np.where(candidate, reply.regret, np.inf).min(axis=2) > 1e-12)
        new = missed[:, :, None] & (reply.regret <= 0)
        report(LOOKS + done + 1, LOOKS + ROUNDS)
        if new.any():
            candidate |= new
        elif unit + 1 == len(MAGNIFIED):
            break
        else:
            plan, unit = best, unit + 1
    return best


def _restricted(plan: np.ndarray, candidate: np.ndarray) -> np.ndarray:
    """Return the plan with throws that are not candidates removed, in rows that have candidates."""
    kept = np.where(candidate | ~candidate.any(axis=2, keepdims=True), plan, 0.0)
    empty = kept.sum(axis=2) == 0
    kept[empty] = candidate[empty]
    return kept / kept.sum(axis=2, keepdims=True)


def _correct(game: _Game, plan: np.ndarray, candidate: np.ndarray, magnified: float) -> np.ndarray:
    """Return the plan after one linear program: minimise the value of a best response over changes to candidates.

    Variables: changes of the flows of candidates, then of the values of the rows of choice, all divided by `magnified`.
    The constraints: no value falls below the value of a candidate, and no flow below zero.
    """
    choice = candidate.sum(axis=2) > 1
    choice[0, 0] = True
    place = np.where(choice, np.cumsum(choice).reshape(choice.shape) - 1, -1)
    starts = np.ascontiguousarray(np.argwhere(choice[:, :, None] & candidate))
    t, a, d = starts.T
    arrive, alive, beyond = stretches(game.gain, plan, place, starts)
    n, rows = arrive.shape
    leave = np.equal.outer(place[t, a], np.arange(rows)) - arrive
    arrived = beyond[:, :, :-1] - beyond[:, :, 1:]
    worth = alive[:, :, None] - beyond[:, :, :-1] - beyond[:, :, 1:]
    below = alive - beyond[:, :, 0]
    # einsum adds in a fixed order; the order of BLAS depends on the number of threads.
    payoff = np.einsum("ik,jk->ij", arrived.reshape(n, -1), worth.reshape(n, -1))
    payoff -= np.einsum("it,jt->ij", below, beyond[:, :, 0])

    reply = game.reply(plan)
    flow = reply.reach[t, a] * plan[t, a, d]
    slack = reply.v[t, a] - reply.q[t, a, d]
    from scipy.optimize import linprog  # takes half a second, and other tables of throws do not need it

    result = linprog(
        np.eye(1, n + rows, n)[0],
        A_ub=np.hstack([payoff, -leave]),
        b_ub=slack / magnified,
        A_eq=np.hstack([leave.T, np.zeros((rows, rows))]),
        b_eq=np.zeros(rows),
        bounds=[*((-f, None) for f in flow / magnified), *[(None, None)] * rows],
        method="highs",
        # Presolving such a dense program takes longer than it saves.
        options={"presolve": False, "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.x is None:
        return plan
    flow = np.maximum(flow + magnified * result.x[:n], 0.0)
    total = np.bincount(place[t, a], flow, rows)[place[t, a]]
    changed = plan.copy()
    changed[t, a, d] = np.where(total > 0, flow / np.where(total > 0, total, 1.0), plan[t, a, d])
    return changed


def _publish(game: _Game, plan: np.ndarray) -> Hidden:
    plan = np.where(plan < 1e-12, 0.0, plan)
    plan /= plan.sum(axis=2, keepdims=True)
    reply = game.reply(plan)
    possible = game.reply(np.full(plan.shape, 1.0 / plan.shape[2])).reach > 0
    on = reply.alive[:, None]
    on = np.where(possible & (on > 0), on, np.nan)
    return Hidden(
        probability=np.where(reply.reach[:, :, None] > 0, plan, np.nan),
        value=reply.v[:-1] / on,
        q_values=reply.q / on[:, :, None],
        exploitability=max(0.0, float(reply.v[0, 0])),
    )
