"""A turn of Pass the Pigs by the gain of one more throw, and for matches in which a throw can lose all points or the
match.

A throw adds E points on average and loses the turn with probability p, so at a total t it gains E - p t: throwing pays
below E / p, and nowhere above, because totals only grow.
"""

from fractions import Fraction
from functools import cache

from reference.matches import BUST, OUT, WIPE, Turn

PIGS = {"side": 615, "dot": 471, "trotter": 128, "razorback": 411, "snouter": 46, "jowler": 17}
"""The counts of 1688 pigs; F. Derepas (www.derepas.com/petco) prints the squares of their frequencies, such as 0.132741
for two pink sides."""

SINGLE = {"razorback": 5, "trotter": 5, "snouter": 10, "jowler": 15}
DOUBLE = {"side": 1, "dot": 1, "razorback": 20, "trotter": 20, "snouter": 40, "jowler": 60}


def throw(pigs):
    """(chance to pig out, {points: chance}) of two pigs."""
    n, falls = Fraction(sum(pigs.values())) ** 2, {}
    for one in pigs:
        for other in pigs:
            points = DOUBLE[one] if one == other else SINGLE.get(one, 0) + SINGLE.get(other, 0)
            falls[points] = falls.get(points, 0) + pigs[one] * pigs[other] / n
    return falls.pop(0), falls


def turn(pigs):
    """(value of a turn, E, p)."""
    p, falls = throw(pigs)
    mean = sum(points * chance for points, chance in falls.items())

    @cache
    def worth(total):
        if total and total * p >= mean:
            return Fraction(total)
        return sum(chance * worth(total + points) for points, chance in falls.items())

    return worth(0), mean, p


def turn_of(counts):
    """The turn for `reference.matches`, with counts of `touching` and `piggyback` throws."""
    beside = {loss: counts[what] for what, loss in (("touching", WIPE), ("piggyback", OUT)) if what in counts}
    p, falls = throw({position: n for position, n in counts.items() if position in PIGS})
    apart = Fraction(sum(counts.values()) - sum(beside.values()), 2)
    rolls = [(apart * chance, ((points, 1),)) for points, chance in falls.items()]
    return Turn(1, 1, {1: (*rolls, (apart * p, BUST), *((n, loss) for loss, n in beside.items()))})
