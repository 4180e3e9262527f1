"""Compiled passes over plans of the hidden game, for its solver, in doubles.

Arrays, by throw t = 0, ..., T - 1 (throws already made), own score a < G, throw chosen d < D:

gain    (D, M) P(throw d gains g points), g = 0, ..., M - 1
plan    (T, G, D) P(choosing d); a row that is never reached may hold zeros
reach   (T, G) P(the plan leads to score a before throw t)
alive   (T,) P(below G before throw t): the sums of `reach`
beyond  (T, M) P(throw t ends at G + j or more), j = 0, ..., M - 1; the last is zero

A player who has a total k >= G after throw t wins if the opponent has less after that throw, so the payoff

    W_t(k) = alive[t] - beyond[t, k - G] - beyond[t, k - G + 1]

is P(the opponent plays throw t and then has less) - P(plays it and then has more). Staying below G while the opponent
arrives loses beyond[t, 0]. All values here are sums over the event that the opponent still plays: divide by alive[t]
for the expectation given that the match goes on.
"""

import numpy as np

from dicebase.vocabulary.kernels import inner, kernel


@inner(_nrt=True)
def _follow(gain, plan, place, first, chosen, reach, arrive, alive, beyond):
    """Follow `plan` from the scores in reach[first] until a row of choice, where place[t, a] >= 0, or the end: fill the
    later rows of `reach`, and add to the other arrays, which are as for `stretches`, without starts.
    chosen : the throw of number `first`, or -1 if `plan` chooses it."""
    T, G, D = plan.shape
    M = gain.shape[1]
    total = np.empty(G + M)
    for t in range(first, T):
        total[:] = 0.0
        for a in range(G):
            if reach[t, a] == 0.0:
                continue
            if t > first and place[t, a] >= 0:
                arrive[place[t, a]] += reach[t, a]
                continue
            alive[t] += reach[t, a]
            for d in range(D):
                share = plan[t, a, d] if t > first or chosen < 0 else (1.0 if d == chosen else 0.0)
                flow = reach[t, a] * share
                if flow > 0.0:
                    for g in range(M):
                        total[a + g] += flow * gain[d, g]
        if t + 1 < T:
            reach[t + 1] = total[:G]
        for j in range(M - 2, -1, -1):
            beyond[t, j] = beyond[t, j + 1] + total[G + j]


@kernel(_nrt=True)
def play(gain, plan):
    """Return (reach, alive, beyond) of a plan."""
    T, G, _ = plan.shape
    reach, alive, beyond = np.zeros((T, G)), np.zeros(T), np.zeros((T, gain.shape[1]))
    reach[0, 0] = 1.0
    _follow(gain, plan, np.full((T, G), -1), 0, -1, reach, np.empty(0), alive, beyond)
    return reach, alive, beyond


@inner
def _worth(t, v, alive, beyond, worth):
    """Fill worth[k], the value of total k after throw t; v[a] is the value of going on from a < G."""
    G = len(v)
    for a in range(G):
        worth[a] = v[a] - beyond[t, 0]
    for j in range(beyond.shape[1] - 1):
        worth[G + j] = alive[t] - beyond[t, j] - beyond[t, j + 1]


@inner
def _expected(gain, worth, q):
    """Fill q[d, a] with the expectation of `worth` at a plus the gain of throw d."""
    D, G = q.shape
    q[:] = 0.0
    for d in range(D):
        for g in range(gain.shape[1]):
            for a in range(G):
                q[d, a] += gain[d, g] * worth[a + g]


@kernel(_nrt=True)
def answer(gain, alive, beyond, G):
    """Return q, (T, D, G), and v, (T + 1, G), of a best response: sums over the event that the opponent still plays."""
    T, D, M = len(alive), gain.shape[0], gain.shape[1]
    q, v, worth = np.empty((T, D, G)), np.empty((T + 1, G)), np.zeros(G + M)
    v[T] = 0.0
    for t in range(T - 1, -1, -1):
        _worth(t, v[t + 1], alive, beyond, worth)
        _expected(gain, worth, q[t])
        for a in range(G):
            v[t, a] = q[t, :, a].max()
    return q, v


@kernel(_nrt=True)
def match_regrets(gain, plan, regret, rounds):
    """Run `rounds` steps of predictive regret matching+ of a plan against itself, in place.

    regret : (T, G, D), kept from step to step, zeros at first, in values given that the match goes on. A step adds the
    gain of each choice over the plan and raises negative regrets to zero. The new plan is proportional to the regrets
    that one more such step would give.
    """
    T, G, D = plan.shape
    M = gain.shape[1]
    v, mean, worth, q = np.empty(G), np.empty(G), np.zeros(G + M), np.empty((D, G))
    for _ in range(rounds):
        _, alive, beyond = play(gain, plan)
        v[:] = 0.0
        for t in range(T - 1, -1, -1):
            _worth(t, v, alive, beyond, worth)
            _expected(gain, worth, q)
            for a in range(G):
                mean[a] = 0.0
                for d in range(D):
                    mean[a] += plan[t, a, d] * q[d, a]
                total = 0.0
                for d in range(D):
                    step = (q[d, a] - mean[a]) / alive[t] if alive[t] > 0.0 else 0.0
                    regret[t, a, d] = max(0.0, regret[t, a, d] + step)
                    plan[t, a, d] = max(0.0, regret[t, a, d] + step)
                    total += plan[t, a, d]
                for d in range(D):
                    plan[t, a, d] = plan[t, a, d] / total if total > 0.0 else 1.0 / D
            v, mean = mean, v


@kernel(_nrt=True)
def stretches(gain, plan, place, starts):
    """Play on from each start until a row of choice; return (arrive, alive, beyond).

    place : (T, G), the number of a row of choice, or -1 for rows in which `plan` is played. starts : (n, 3) of (t, a,
    d). arrive, (n, rows), is P(getting from a start to a row of choice without another in between); alive, (n, T), is
    P(playing throw t before any row of choice), the start included; beyond, (n, T, M), is as for a plan.
    """
    (T, G, _), n = plan.shape, len(starts)
    arrive, reach = np.zeros((n, place.max() + 1)), np.empty((T, G))
    alive, beyond = np.zeros((n, T)), np.zeros((n, T, gain.shape[1]))
    for i in range(n):
        t, a, d = starts[i]
        reach[t] = 0.0
        reach[t, a] = 1.0
        _follow(gain, plan, place, t, d, reach, arrive[i], alive[i], beyond[i])
    return arrive, alive, beyond
