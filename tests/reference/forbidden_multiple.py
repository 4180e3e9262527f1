"""Reference value iteration for the forbidden-multiple game, written from the web page alone.

"Rolling Dice Game and Value Functions": roll and add; a total that is a positive multiple of
N ends the game with nothing; otherwise the player may stop and score the total.
"""

from fractions import Fraction
from typing import NamedTuple

D6 = tuple((face, 1) for face in range(1, 7))
"""The page's die: (face sum, weight) pairs."""


class Iteration(NamedTuple):
    """What the page's program computes; `deltas` is its `delta`, one per iteration."""

    V: list
    policy: list
    iterations: int
    thresholds: dict
    deltas: list


def is_bad(total, N):
    """Positive multiples of N end the game with payoff 0."""
    return total > 0 and total % N == 0


def roll_value(S, V, N, s_max, die):
    """The page's roll value R(S), in the order and rounding of its program."""
    total_weight = float(sum(weight for _, weight in die))
    value = 0.0
    for x, weight in die:
        if is_bad(S + x, N):
            contrib = 0.0
        elif S + x <= s_max:
            contrib = V[S + x]
        else:
            contrib = float(S + x)
        value += contrib * weight / total_weight
    return value


def value_iteration(N, s_max=200, tol=1e-10, die=D6, max_iter=10_000):
    """The page's value iteration: returns an Iteration.

    `thresholds` maps each remainder r to the least S with that remainder where stopping is
    optimal, or to None.  A tie counts as stop, as in the page's program.
    """
    V = [0.0 if is_bad(S, N) else float(S) for S in range(s_max + 1)]
    deltas = []
    for _ in range(max_iter):
        V_new = V.copy()
        for S in range(s_max + 1):
            if not is_bad(S, N):
                V_new[S] = max(float(S), roll_value(S, V, N, s_max, die))
        deltas.append(max(abs(new - old) for new, old in zip(V_new, V, strict=True)))
        V = V_new
        if deltas[-1] < tol:
            break

    policy = []
    for S in range(s_max + 1):
        if is_bad(S, N):
            policy.append("terminal")
        else:
            policy.append("roll" if roll_value(S, V, N, s_max, die) > float(S) else "stop")

    thresholds = {}
    for r in range(N):
        stops = (S for S in range(r, s_max + 1, N) if policy[S] == "stop")
        thresholds[r] = next(stops, None)
    return Iteration(V, policy, len(deltas), thresholds, deltas)


def exact_by_fractions(N, weights, s_max):
    """V(0..s_max) as Fractions, in one backward pass of the Bellman equation.

    `weights` is a collection of (face sum, weight) pairs.  Totals above s_max are worth
    themselves (the page's boundary "stop immediately"), multiples of N nothing.
    """
    weights = tuple(weights)
    if any(face <= 0 for face, _ in weights):
        raise ValueError("a backward pass needs positive faces")
    total_weight = sum(weight for _, weight in weights)
    highest = s_max + max(face for face, _ in weights)
    V = [Fraction(0 if is_bad(S, N) else S) for S in range(highest + 1)]
    for S in range(s_max, -1, -1):
        if not is_bad(S, N):
            rolled = sum((weight * V[S + face] for face, weight in weights), Fraction(0))
            V[S] = max(Fraction(S), rolled / total_weight)
    return V[: s_max + 1]
