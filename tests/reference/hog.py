"""Hog for one player and for two players in turn (Tijms and van der Wal 2005), in rationals.

A throw of d dice adds their sum, or nothing with a 1 among them (section 1). A score of `target` or more ends the game.
`Q` holds the value of throwing d dice once and playing on optimally; the paper's second equation of section 3.1 throws
d dice until something is scored.
"""

from fractions import Fraction
from functools import cache
from itertools import product


@cache
def gains(d, sides=6):
    """Section 2: (q_0, q_1, ..., q_(d * sides)), the probabilities of what d dice add, by counting the 1-free sums."""
    ways = [1] + [0] * (d * sides)
    for _ in range(d):
        ways = [sum(ways[i - face] for face in range(2, min(i, sides) + 1)) for i in range(d * sides + 1)]
    ways[0] = sides**d - sum(ways)
    return tuple(Fraction(count, sides**d) for count in ways)


def optima(Q, choose):
    """The dice that attain the optimum, fewest first."""
    return [d for d in sorted(Q) if Q[d] == choose(Q.values())]


def turn(dice, sides=6):
    """Section 2: ({d: expected gain}, [the best d])."""
    Q = {d: sum(i * p for i, p in enumerate(gains(d, sides))) for d in range(1, dice + 1)}
    return Q, optima(Q, max)


def _scored(q, i, worth):
    """Sum of q_j * worth(i + j) over the throws that score."""
    return sum(p * worth(i + j) for j, p in enumerate(q) if j and p)


def race(target, dice, sides=6):
    """Section 3.1: ([V(0), ..., V(target - 1)], {i: {d: Q}}, {i: [best d]}), expected numbers of throws."""
    V, Q = {}, {}
    for i in range(target - 1, -1, -1):
        scored = {d: _scored(gains(d, sides), i, lambda k: V.get(k, 0)) for d in range(1, dice + 1)}
        V[i] = min((1 + later) / (1 - gains(d, sides)[0]) for d, later in scored.items())
        Q[i] = {d: 1 + gains(d, sides)[0] * V[i] + later for d, later in scored.items()}
        assert min(Q[i].values()) == V[i]
    return [V[i] for i in range(target)], Q, {i: optima(Q[i], min) for i in range(target)}


def reach(target, throws, dice, sides=6):
    """Section 3.2: (P, Q, best), each by (throws left, score); P[0, i] = 0, Q and best begin with one throw left."""
    P = {(0, i): Fraction(0) for i in range(target)}
    Q, best = {}, {}
    for left in range(1, throws + 1):
        for i in range(target):
            Q[left, i] = {}
            for d in range(1, dice + 1):
                q = gains(d, sides)
                scored = _scored(q, i, lambda k, left=left: P[left - 1, k] if k < target else 1)
                Q[left, i][d] = q[0] * P[left - 1, i] + scored
            P[left, i] = max(Q[left, i].values())
            best[left, i] = optima(Q[left, i], max)
    return P, Q, best


def _duel_scored(W, a, b, d, target, sides):
    """The value of d dice thrown by the mover at (a, b), without the throws that score nothing."""
    return _scored(gains(d, sides), a, lambda k: 1 - W[b, k] if k < target else 1)


def duel(target, dice, sides=6):
    """Section 5, variant 2: (W, Q, best) by (mover's score, other's score), W = P(the mover wins), exact.

    (a, b) and (b, a) depend on each other through throws that score nothing.  For every pair of numbers of dice their
    two linear equations are solved; the pair from which nobody gains by deviating gives the values.
    """
    W, Q, best = {}, {}, {}
    zero = {d: gains(d, sides)[0] for d in range(1, dice + 1)}
    for total in range(2 * target - 2, -1, -1):
        for a in range(max(0, total - target + 1), total // 2 + 1):
            b = total - a
            here = {d: _duel_scored(W, a, b, d, target, sides) for d in zero}
            there = {d: _duel_scored(W, b, a, d, target, sides) for d in zero}
            for d, e in product(zero, zero):
                # x = here + zero * (1 - y) and y = there + zero * (1 - x)
                x = (here[d] + zero[d] * (1 - there[e] - zero[e])) / (1 - zero[d] * zero[e])
                y = there[e] + zero[e] * (1 - x)
                Qx = {k: here[k] + zero[k] * (1 - y) for k in zero}
                Qy = {k: there[k] + zero[k] * (1 - x) for k in zero}
                if max(Qx.values()) == x and max(Qy.values()) == y:
                    break
            else:
                raise AssertionError("no pair of dice is in equilibrium")
            W[a, b], W[b, a], Q[a, b], Q[b, a] = x, y, Qx, Qy
            best[a, b], best[b, a] = optima(Qx, max), optima(Qy, max)
    return W, Q, best
