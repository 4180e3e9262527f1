"""A battle of Risk as a chain of throws of ordered dice, followed forwards to the distribution of its ends.

Both players throw as many dice as they may; `worth` lets the attacker choose and stop.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

OSBORNE = "J. A. Osborne, Markov chains for the RISK board game revisited, a throw of three dice against two"
THREE_AGAINST_TWO = {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}
"""{(attacker's losses, defender's losses): number of throws of 7776}."""

BADER = "J. Bader, Probability of winning battles in Risk, johannesbader.ch: 5 attackers against 3"
FIVE_AGAINST_THREE = {"win": "0.769", "lost": "2.18", "beaten": "2.54", "one lost": "0.208"}


@cache
def throw(attack, defence):
    """{(lost, beaten): chance}."""
    found = Counter()
    for dice in product(range(1, 7), repeat=attack + defence):
        mine, theirs = sorted(dice[:attack])[::-1], sorted(dice[attack:])[::-1]
        pairs = min(attack, defence)
        beaten = sum(mine[i] > theirs[i] for i in range(pairs))
        found[pairs - beaten, beaten] += Fraction(1, 6 ** (attack + defence))
    return found


@cache
def ends(attackers, defenders):
    """{(attackers, defenders) at the end: chance}."""
    there, over = Counter({(attackers, defenders): Fraction(1)}), Counter()
    while there:
        after = Counter()
        for (a, d), chance in there.items():
            for (lost, beaten), of in throw(min(a, 3), min(d, 2)).items():
                place = after if a > lost and d > beaten else over
                place[a - lost, d - beaten] += chance * of
        there = after
    return over


def win(attackers, defenders):
    """The chance that the attacker wins."""
    return sum(chance for (a, _), chance in ends(attackers, defenders).items() if a)


def left(attackers, defenders):
    """The attacker's expected armies at the end."""
    return sum(a * chance for (a, _), chance in ends(attackers, defenders).items())


@cache
def worth(attackers, defenders, victory):
    """The value of a victory minus armies lost, if the attacker may stop before each throw."""
    if not defenders:
        return Fraction(victory)
    if not attackers:
        return Fraction(0)
    found = [Fraction(0)]
    for dice in range(1, min(attackers, 3) + 1):
        falls = throw(dice, min(defenders, 2)).items()
        found.append(
            sum(of * (worth(attackers - lost, defenders - beaten, victory) - lost) for (lost, beaten), of in falls)
        )
    return max(found)
