"""A turn of Pass the Pigs by what one throw more gains: the first total to stop at, and what the turn is worth.

A throw adds E points in the mean and loses the turn with chance p, so that at a total t it gains E - p t: it pays below
E / p, and nowhere above, as totals only grow.
"""

from fractions import Fraction
from functools import cache

DEREPAS = "F. Derepas, Pass the Pigs, www.derepas.com/petco: expected points, chance to pig out, when to stop"
PIGS = {"side": 615, "dot": 471, "trotter": 128, "razorback": 411, "snouter": 46, "jowler": 17}
"""The 1688 pigs of which he prints the squares of the frequencies, such as 0.132741 of two pink sides."""

PRINTED = {"points": "4.919", "pigs out": "0.203", "stop": "24.23"}

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
