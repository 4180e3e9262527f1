"""Hypergammon by value iteration, written without dicebase: a side is a tuple of how many pips each checker has to go,
25 on the bar and 0 off; a turn is a search over all orders of dice and checkers."""

from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np


def sides(checkers):
    return [s for s in combinations_with_replacement(range(26), checkers) if sum(s)]


def pairs(checkers):
    """All (mover, opponent) in which nobody has won; a point is never shared."""
    return [(a, b) for a, b in product(sides(checkers), repeat=2) if not {25 - x for x in a if 0 < x < 25} & {*b}]


def singles(mover, other, die):
    """The positions after one checker has moved by a die."""
    found = set()
    for i, x in enumerate(mover):
        rest, to = mover[:i] + mover[i + 1 :], x - die
        stuck = x == 0 or (25 in mover and x < 25) or (to > 0 and other.count(25 - to) >= 2)
        too_early = to <= 0 and max(mover) > 6
        wasteful = to < 0 and any(y > x for y in rest)
        if not (stuck or too_early or wasteful):
            to = max(to, 0)
            struck = tuple(25 if to and y == 25 - to else y for y in other)
            found.add((tuple(sorted((*rest, to))), tuple(sorted(struck))))
    return found


@cache
def turns(mover, other, dice):
    """All positions in which a turn can end."""
    most, larger, found = -1, 0, set()
    for order in {dice * 2} if dice[0] == dice[1] else {*permutations(dice)}:
        ahead, used = {(mover, other)}, 0
        for die in order:
            if not (further := {after for side in ahead for after in singles(*side, die)}):
                break
            ahead, used = further, used + 1
        if used > most or (used == 1 == most and order[0] > larger):
            most, larger, found = used, order[0], ahead
        elif used == most != 1:
            found |= ahead
    return found


def payment(loser):
    return 1 if 0 in loser else 3 if max(loser) > 18 else 2


def values(checkers, sweeps=2000):
    """{(mover, opponent): the mover's expected points before the throw}."""
    all_pairs, throws = pairs(checkers), [(a, b) for a in range(1, 7) for b in range(a, 7)]
    places, ends = {pair: i for i, pair in enumerate(all_pairs)}, [1, 2, 3]
    to = [[_place(places, end) for end in turns(*pair, dice)] for pair in all_pairs for dice in throws]
    begin, flat = np.cumsum([0, *map(len, to)])[:-1], np.concatenate(to)
    weights = np.array([1 if a == b else 2 for a, b in throws]) / 36
    found = np.zeros(len(all_pairs))
    for _ in range(sweeps):
        best = np.maximum.reduceat(np.append(-found, ends)[flat], begin)
        before, found = found, best.reshape(-1, len(throws)) @ weights
        if np.abs(found - before).max() < 1e-15:
            break
    return dict(zip(all_pairs, found.tolist(), strict=True))


def _place(places, end):
    """Where the values of an end of a turn are: the other player's position, or after these the points paid."""
    mover, other = end
    return places[other, mover] if any(mover) else len(places) + payment(other) - 1


def after(found, end):
    mover, other = end
    return -found[other, mover] if any(mover) else payment(other)


def opening(found, checkers):
    """The expected points of the player who wins the opening roll."""
    side = tuple(sorted(range(24, 24 - checkers, -1)))
    rolls = [(a, b) for a in range(1, 7) for b in range(1, a)]
    return sum(max(after(found, end) for end in turns(side, side, roll)) for roll in rolls) / 15
