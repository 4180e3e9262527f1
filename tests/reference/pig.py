"""Reference solution of one turn of solitaire Pig (Crocce and Mordecki, section 5.2).

At turn total tau the player stops and scores tau, or rolls: any 1 loses the turn, otherwise
the sum is added.  Stopping is optimal exactly if one more roll gains nothing on average.
The expected gain of a roll (the sum of the dice minus the loss by a 1) decreases as tau grows,
and tau only grows, so once a roll gains nothing on average, no later roll gains anything.
"""

from fractions import Fraction


def _solve(gains, losing, outcomes):
    """Backward induction for the equally likely sums `gains` and a count of losing rolls.

    One roll at tau changes the total by (sum(gains) - losing * tau) / outcomes on average,
    so the threshold is the least tau with losing * tau >= sum(gains).  Above it V(tau) = tau.
    """
    threshold = -(-sum(gains) // losing)
    V = [Fraction(tau) for tau in range(threshold + max(gains) + 1)]
    for tau in range(threshold - 1, -1, -1):
        rolled = sum((V[tau + gain] for gain in gains), Fraction(0)) / outcomes
        V[tau] = max(Fraction(tau), rolled)
    return V[0], V[: threshold + 1], threshold


def turn_value(sides=6):
    """One die, equation (9): returns (V(0), [V(0), ..., V(threshold)], threshold).

    The threshold is the least total where stopping is optimal, a tie counting as stop; it is
    2 + 3 + ... + sides.
    """
    if sides < 2:
        raise ValueError("the die needs a face other than 1")
    return _solve(list(range(2, sides + 1)), 1, sides)


def turn_value_two_dice(sides=6):
    """Two dice, a 1 on either loses the turn: same return as `turn_value`."""
    if sides < 2:
        raise ValueError("the dice need a face other than 1")
    faces = range(2, sides + 1)
    gains = [a + b for a in faces for b in faces]
    return _solve(gains, sides * sides - len(gains), sides * sides)
