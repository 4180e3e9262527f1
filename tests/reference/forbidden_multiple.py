"""Reference value iteration for the forbidden-multiple game; the web page is its only source.

"Rolling Dice Game and Value Functions": roll and add; a total that is a positive multiple of
N ends the game with nothing; otherwise the player may stop and score the total.
"""

from fractions import Fraction

D6 = tuple((face, 1) for face in range(1, 7))
"""The page's die: (face sum, weight) pairs."""


def is_bad(total, N):
    """Positive multiples of N end the game with payoff 0."""
    return total > 0 and total % N == 0


def exact_by_fractions(N, weights, s_max):
    """V(0..s_max) as Fractions, in one backward pass of the Bellman equation.

    `weights` is a collection of (face sum, weight) pairs.  Above s_max, V(s) = s (the page's
    boundary "stop immediately"), except that multiples of N have the value 0.
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
