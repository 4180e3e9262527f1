"""Hog for one player and for two players in turn (Tijms and van der Wal 2005), in rationals.

A throw of d dice adds their sum, or nothing with a 1 among them (section 1). A score of `target` or more ends the game.
`Q` holds the value of throwing d dice once and playing on optimally; the paper's second equation of section 3.1 throws
d dice until something is scored.
"""

from fractions import Fraction
from functools import cache

from reference import matches
from reference.matches import BUST, Turn


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


def as_turn(dice, sides=6, nothing=BUST):
    """A throw as a turn for `matches`: its first mode, 0, chooses the number of dice, the next mode, and the throw ends
    the turn. `nothing` is what a 1 costs."""
    choice = tuple((0, d) for d in range(1, dice + 1))
    thrown = {
        d: tuple((p, ((gain, None),) if gain else nothing) for gain, p in enumerate(gains(d, sides)) if p)
        for _, d in choice
    }
    return Turn(1, 0, {0: ((1, choice),)} | thrown)


def by_dice(decisions, choose=max):
    """(Q, best) by record, {d: value of throwing d dice} and [the best d], from decisions of `matches` on `as_turn`."""
    Q = {}
    for (*record, _, d), (thrown, _) in sorted(decisions.items()):
        if d:
            Q.setdefault(tuple(record), {})[d] = thrown
    return Q, {record: optima(of, choose) for record, of in Q.items()}


def race(target, dice, sides=6):
    """Section 3.1: (Q, best) by (score,), expected numbers of throws."""
    return by_dice(matches.race(as_turn(dice, sides), target)[1], min)


def reach(target, throws, dice, sides=6):
    """Section 3.2: (Q, best) by (throws left, score)."""
    return by_dice(matches.reach(as_turn(dice, sides), target, throws)[1])


def duel(target, dice, nothing=BUST, number=Fraction):
    """Section 5, variant 2: (Q, best) by (mover's score, other's score), probabilities that the mover wins."""
    return by_dice(matches.duel(as_turn(dice, nothing=nothing), target, number)[1])
