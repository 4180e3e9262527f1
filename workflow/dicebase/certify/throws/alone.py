"""The throws of one who looks at his own total alone, in rationals; of equally good ones the first."""

from fractions import Fraction

from dicebase.matches.targets import OfThrows

Gains = list[dict[int, int]]
"""By throw: the weight of each gain, in units."""


def gains_of(match: OfThrows) -> Gains:
    """What each throw of a match can gain."""
    return [{gain // match.unit_of_points: weight for gain, weight in of.items()} for of in match.gains]


def most_points(gains: Gains) -> int:
    """The throw of the most expected points."""
    means = [Fraction(sum(g * n for g, n in of.items()), sum(of.values())) for of in gains]
    return means.index(max(means))


def fewest_throws(gains: Gains, size: int) -> list[int]:
    """The throw of the fewest expected throws to the target, by total; a throw that gains nothing is repeated."""
    throws: dict[int, Fraction] = {}
    chosen = []
    for score in reversed(range(size)):
        ends = [
            (sum(of.values()) + sum(n * throws.get(score + g, 0) for g, n in of.items() if g))
            / Fraction(sum(n for g, n in of.items() if g))
            for of in gains
        ]
        throws[score] = min(ends)
        chosen.append(ends.index(throws[score]))
    return chosen[::-1]


def most_likely(gains: Gains, size: int, limit: int) -> list[list[int]]:
    """The throw of the most probable target, by throws made and total."""
    values = [Fraction(0)] * size
    plans = []
    for _ in range(limit):
        rows = [
            [
                sum((n * (values[s + g] if s + g < size else 1) for g, n in of.items()), Fraction(0)) / sum(of.values())
                for of in gains
            ]
            for s in range(size)
        ]
        values = [max(row) for row in rows]
        plans.append([row.index(max(row)) for row in rows])
    return plans[::-1]
