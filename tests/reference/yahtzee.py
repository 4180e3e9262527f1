"""Yahtzee and Yatzy from their printed rules: throws are tuples of dice, a card is a dict of the boxes filled.

The values of keeps are the product of a matrix, 462 keeps by 252 throws, with the values of throws; the
best keep of a throw is a maximum over its sub-multisets. Weights are integers, so that object arrays of Python's
integers give exact values: a turn from a start scales them by 7776**3.

The joker of a second yahtzee, once the yahtzee box is filled, is read in several ways:

* forced: the box of its face, if open; otherwise any open lower box, where a full house and straights score in full;
  otherwise an upper box with 0. (Hasbro, rules 40958; Woodward 2003.)
* free: any open box; once the box of its face is filled too, full house and straights count in full. (T. Verhoeff,
  rules.html; Glenn 2006.)
* bonus_only: as any other throw, but 100 points where the yahtzee box has 50.
* any other name: as any other throw.
* kniffel: as forced; 50 points, not 100, and only in the box of its face. (Schmidt Spiele, Reise-Kniffel, "Zweiter,
  dritter usw. Kniffel".)
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np

FACES = dict(zip(("ones", "twos", "threes", "fours", "fives", "sixes"), range(1, 7), strict=True))
AMERICAN = (*FACES, "three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yahtzee")
AMERICAN += ("chance",)
YACHT = (*FACES, "choice", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yacht")
YATZY = (*FACES, "one_pair", "two_pairs", "three_of_a_kind", "four_of_a_kind", "small_straight", "large_straight")
YATZY += ("full_house", "chance", "yatzy")


def repeated(throw, least):
    """The faces shown at least `least` times, the highest first."""
    return sorted((face for face, times in Counter(throw).items() if times >= least), reverse=True)


def american(box, throw):
    """Hasbro's score card: the points of a throw in a box."""
    shape, shown = sorted(Counter(throw).values()), set(throw)
    if box in FACES:
        return FACES[box] * throw.count(FACES[box])
    if box in ("three_of_a_kind", "four_of_a_kind"):
        return sum(throw) if repeated(throw, 3 if box[0] == "t" else 4) else 0
    if box == "full_house":
        return 25 if shape == [2, 3] else 0
    if box == "small_straight":
        return 30 if any(set(range(low, low + 4)) <= shown for low in (1, 2, 3)) else 0
    if box == "large_straight":
        return 40 if any(set(range(low, low + 5)) <= shown for low in (1, 2)) else 0
    return {"yahtzee": 50 if shape == [5] else 0, "chance": sum(throw)}[box]


def yatzy(box, throw):
    """The Scandinavian card: equal dice score their sum, a full house all dice; straights are 1-5 and 2-6."""
    if box in FACES:
        return FACES[box] * throw.count(FACES[box])
    if box in ("one_pair", "three_of_a_kind", "four_of_a_kind"):
        times = {"o": 2, "t": 3, "f": 4}[box[0]]
        return times * max(repeated(throw, times), default=0)
    if box == "two_pairs":
        pairs = repeated(throw, 2)
        return 2 * sum(pairs) if len(pairs) == 2 else 0
    if box.endswith("straight"):
        low, points = (1, 15) if box[0] == "s" else (2, 20)
        return points if sorted(throw) == list(range(low, low + 5)) else 0
    if box == "full_house":
        return sum(throw) if sorted(Counter(throw).values()) == [2, 3] else 0
    return {"chance": sum(throw), "yatzy": 50 if repeated(throw, 5) else 0}[box]


def yatzy_2012(box, throw):
    """Scores of ScoreCard.java by M. Larsson and A. Sjöberg: two pairs of a throw with one pair are that pair."""
    return 2 * sum(repeated(throw, 2)) if box == "two_pairs" else yatzy(box, throw)


def yacht_dice(box, throw):
    """Scores by ho94949: a full house (or five alike) scores its dice, straights of 4 and 5 dice 15 and 30."""
    if box == "full_house":
        return sum(throw) if sorted(Counter(throw).values()) in ([2, 3], [5]) else 0
    points = american({"choice": "chance", "yacht": "yahtzee"}.get(box, box), throw)
    return {"small_straight": 15, "large_straight": 30}.get(box, points) if points else 0


JOKERS = {"full_house": 25, "small_straight": 30, "large_straight": 40}


def fills(boxes, score, joker, is_open, bonus, throw):
    """The legal boxes of the last throw: {box: (points without the upper bonus, upper points, bonus afterwards)}."""
    five = len(set(throw)) == 1
    mine = list(FACES)[throw[0] - 1]
    second = five and "yahtzee" in boxes and "yahtzee" not in is_open
    earns = joker in ("forced", "free", "bonus_only", "kniffel")
    extra = 100 if second and bonus and earns else 0
    if joker == "kniffel":
        extra = 50 if extra and mine in is_open else 0
    allowed, counts = list(is_open), False
    if second and joker in ("forced", "kniffel"):
        below = [box for box in is_open if box not in FACES]
        allowed, counts = ([mine] if mine in is_open else below or list(is_open)), True
    elif second and joker == "free":
        counts = mine not in is_open
    found = {}
    for box in allowed:
        points = JOKERS[box] if counts and box in JOKERS else score(box, throw)
        above = points if box in FACES else 0
        found[box] = points + extra, above, bonus or (box == "yahtzee" and points > 0 and earns)
    return found


def ways(dice):
    """The number of orders in which the dice can fall."""
    return factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))


@cache
def of_dice(dice, sides):
    """(throws, keeps, integer matrix of keeps by throws whose rows sum to sides**dice, the keeps of each throw)."""
    throws = list(combinations_with_replacement(range(1, sides + 1), dice))
    keeps = [kept for count in range(dice + 1) for kept in combinations_with_replacement(range(1, sides + 1), count)]
    weights, number = np.zeros((len(keeps), len(throws)), object), {keep: i for i, keep in enumerate(keeps)}
    under = []
    for j, throw in enumerate(throws):
        mine = {kept for count in range(dice + 1) for kept in combinations(throw, count)}
        under.append([number[kept] for kept in sorted(mine)])
        for kept in mine:
            thrown = tuple((Counter(throw) - Counter(kept)).elements())
            weights[number[kept], j] = ways(thrown) * sides ** len(kept)
    return throws, keeps, weights, under


class Yahtzee:
    """A card; value(open boxes, upper total, bonus) is the expected score still to come, upper bonus included.

    exact : whether to compute exact values, with integers; slow for more than a few boxes.
    """

    def __init__(self, boxes, score, joker="none", bonus=35, least=63, dice=5, sides=6, exact=False):
        self.boxes, self.score, self.joker, self.bonus, self.least = tuple(boxes), score, joker, bonus, least
        self.throws, self.keeps, weights, self.under = of_dice(dice, sides)
        self.all, self.exact, self.known = sides**dice, exact, {}
        self.weights = weights if exact else weights.astype(float) / self.all

    def value(self, is_open, upper=0, bonus=False):
        """The value before the first throw of a turn; if exact, an integer in units of all**-3 per open box."""
        key = frozenset(is_open), min(upper, self.least), bonus
        if key not in self.known:
            self.known[key] = self._value(tuple(b for b in self.boxes if b in key[0]), *key[1:])
        return self.known[key]

    def _value(self, is_open, upper, bonus):
        if not is_open:
            return 0
        return self.first(self.best(self.second(self.best(self.second(self.last(is_open, upper, bonus))))))

    def worth(self, is_open, upper, bonus, throw):
        """{box: value} of the last throw of a turn."""
        scale = self.all ** (3 * len(is_open) - 3) if self.exact else 1
        found = {}
        for box, (points, above, then) in fills(self.boxes, self.score, self.joker, is_open, bonus, throw).items():
            earned = points + self.bonus * (upper < self.least <= upper + above)
            found[box] = earned * scale + self.value(set(is_open) - {box}, upper + above, then)
        return found

    def last(self, is_open, upper, bonus):
        """The value of each throw without a reroll left."""
        return np.array([max(self.worth(is_open, upper, bonus, throw).values()) for throw in self.throws])

    def second(self, of_throws):
        """The value of each keep, by the values of throws."""
        return self.weights @ of_throws

    def best(self, of_keeps):
        """The value of each throw with a reroll, by the values of keeps."""
        return np.array([of_keeps[under].max() for under in self.under])

    def first(self, of_throws):
        """The value before the first throw."""
        return (self.weights[0] * of_throws).sum()

    def rational(self, is_open, upper=0, bonus=False):
        """The value as a Fraction; needs `exact`."""
        return Fraction(int(self.value(is_open, upper, bonus)), self.all ** (3 * len(is_open)))


class CardOfPars(Yahtzee):
    """A card whose player rates a box by points - par + weight * (upper points - share), as an independent recursion.

    pars, shares : {box: number}; boxes without a share are not rated by upper points. Ties go to the first box, then to
    more dice kept, then to lower dice.
    """

    def __init__(self, boxes, score, weight, pars, shares, **rules):
        super().__init__(boxes, score, exact=True, **rules)
        self.weight, self.pars, self.shares = weight, pars, shares

    def points(self):
        return self.value(self.boxes)

    def rated(self, is_open, bonus, throw):
        """{box: rating} of the last throw."""
        found = fills(self.boxes, self.score, self.joker, is_open, bonus, throw)
        return {
            box: points - self.pars[box] + (self.weight * (above - self.shares[box]) if box in self.shares else 0)
            for box, (points, above, _) in sorted(found.items(), key=lambda of: self.boxes.index(of[0]))
        }

    def _value(self, is_open, upper, bonus):
        if not is_open:
            return Fraction(0)
        ratings, values = [], []
        for throw in self.throws:
            of = self.rated(is_open, bonus, throw)
            box = max(of, key=of.get)
            points, above, then = fills(self.boxes, self.score, self.joker, is_open, bonus, throw)[box]
            earned = points + self.bonus * (upper < self.least <= upper + above)
            ratings.append(Fraction(of[box]))
            values.append(earned + self.value(set(is_open) - {box}, upper + above, then))
        for _ in range(2):
            by_keep = [self.weights @ np.array(of) / self.all for of in (ratings, values)]
            kept = [max(under, key=lambda k: (by_keep[0][k], len(self.keeps[k]), -k)) for under in self.under]
            ratings, values = ([of[k] for k in kept] for of in by_keep)
        return (self.weights[0] * np.array(values)).sum() / self.all
