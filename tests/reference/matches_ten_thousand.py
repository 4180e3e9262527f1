"""The turn of Ten Thousand with five dice for `reference.matches`, from the rules in Crocce and Mordecki, section 2.

Table 1: each 1 is worth 100 and each 5 is worth 50; three 1s 1000, three of another face 100 times the face.  Here a
position is (turn total in points, dice to roll); after every roll the player keeps scoring dice, then banks or rolls.
"""

from functools import cache
from itertools import product

from reference.matches import BUST, Turn, by_outcome

DICE = 5


def points(face, count):
    """Points of keeping `count` dice of one face, None if some of the dice do not score."""
    single = {1: 100, 5: 50}.get(face)
    triple = 1000 if face == 1 else 100 * face
    if single is None:
        return {0: 0, 3: triple}.get(count)
    return count * single if count < 3 else triple + (count - 3) * single


def keeps(roll):
    """{(points, dice kept)}: every way to keep scoring dice of a roll, except keeping nothing."""
    choices = [[(points(face, k), k) for k in range(roll.count(face) + 1)] for face in range(1, 7)]
    kept = set()
    for choice in product(*choices):
        if all(score is not None for score, _ in choice):
            kept.add((sum(score for score, _ in choice), sum(k for _, k in choice)))
    return kept - {(0, 0)}


@cache
def outcome(roll):
    """BUST or the options (gain, dice to roll next); if all dice score, the player keeps them all (section 2.2)."""
    options = keeps(roll)
    if not options:
        return BUST
    options = {(gain, kept) for gain, kept in options if kept == len(roll)} or options
    return tuple(sorted((gain, len(roll) - kept or DICE) for gain, kept in options))


@cache
def ten_thousand():
    """The turn, by all 6^n rolls of n dice."""
    rolls = {}
    for n in range(1, DICE + 1):
        all_rolls = product(range(1, 7), repeat=n)
        rolls[n] = by_outcome(outcome(tuple(sorted(roll))) for roll in all_rolls)
    return Turn(50, DICE, rolls)
