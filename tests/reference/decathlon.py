"""Knizia's Decathlon, event by event, with sums of dice instead of single dice wherever sums are enough.

Values are expected points under best play. Races use the distribution of a set's points, heights the chance to clear
them in three jumps; an attempt is valued by a payoff g of its points.

MAXJIANG's values come from two programs that share no code; the second was written from the rulebook.
"""

from collections import Counter
from fractions import Fraction
from functools import cache

from dicebase.audit.record import read

MAXJIANG = "M. Jiang, github.com/maxjiang216/dice_decathlon, worklog: two independent programs for each event"
PRINTED = {row["parameters"]: row["printed"] for row in read("boards") if row["source"] == "Jiang"}


@cache
def throws(dice):
    """{sorted throw: probability}."""
    found = {(): 1}
    for _ in range(dice):
        longer = Counter()
        for throw, n in found.items():
            for face in range(1, 7):
                longer[tuple(sorted((*throw, face)))] += n
        found = longer
    return {throw: Fraction(n, 6**dice) for throw, n in found.items()}


@cache
def race(sets, dice, rethrows, sixes=True):
    """Expected points of `sets` more sets of `dice` dice; `sixes` says whether a six counts -6."""
    if not sets:
        return Fraction(0)
    worth = Fraction(0)
    for throw, chance in throws(dice).items():
        points = sum(-6 if face == 6 and sixes else face for face in throw)
        frozen = points + race(sets - 1, dice, rethrows, sixes)
        worth += chance * (max(frozen, race(sets, dice, rethrows - 1, sixes)) if rethrows else frozen)
    return worth


def jump(height, dice, ones=True):
    """The chance that dice reach a height; `ones` says whether a 1 is allowed."""
    good = (chance for throw, chance in throws(dice).items() if sum(throw) >= height and (ones or 1 not in throw))
    return sum(good, Fraction(0))


def high_jump(height):
    """The best chance of one jump."""
    return jump(height, 5)


@cache
def pole_vault(height):
    """The best chance of one jump, by the distribution of the sum of dice without a 1."""
    best, sums = Fraction(0), {0: Fraction(1)}
    for _ in range(8):
        longer = Counter()
        for total, chance in sums.items():
            for face in range(2, 7):
                longer[total + face] += chance / 6
        sums = longer
        best = max(best, sum((c for total, c in sums.items() if total >= height), Fraction(0)))
    return best


@cache
def heights(chance, most, height=10, cleared=0):
    """Expected height; chance(height) is the best chance of a jump, and each height allows three jumps."""
    if height > most:
        return Fraction(cleared)
    clears = 1 - (1 - chance(height)) ** 3
    goes = clears * heights(chance, most, height + 2, height) + (1 - clears) * cleared
    return max(goes, heights(chance, most, height + 2, cleared))


def best_of(attempts, most, attempt):
    """Expected points of the best of some attempts; `attempt` maps a payoff of points to its value."""
    worth = [Fraction(b) for b in range(most + 1)]
    for _ in range(attempts):
        worth = [attempt(lambda points, b=b, w=worth: w[max(b, points)]) for b in range(most + 1)]
    return worth[0]


def shot_put(g, dice=8):
    """The value of an attempt with the payoff g."""

    @cache
    def after(thrown, total):
        fall = [g(total + face) if thrown + 1 == dice else after(thrown + 1, total + face) for face in range(2, 7)]
        goes = (g(0) + sum(fall)) / Fraction(6)
        return max(goes, g(total)) if thrown else goes

    return after(0, 0)


def parity(g, dice, odd):
    """The value of an attempt with the discus or the javelin; the player freezes the highest allowed dice first."""

    @cache
    def roll(left, total):
        worth = Fraction(0)
        for throw, chance in throws(left).items():
            may = [face for face in throw[::-1] if face % 2 == odd]
            points = [(left - n, total + sum(may[:n])) for n in range(1, len(may) + 1)]
            choices = [g(t) for _, t in points] + [roll(rest, t) for rest, t in points if rest]
            worth += chance * (max(choices) if choices else g(0))
        return worth

    return roll(dice, 0)


def long_jump(g, dice=5):
    """The value of an attempt: the player freezes the lowest dice in the run-up and the highest in the jump."""

    @cache
    def jumps(left, total):
        if not left:
            return g(total)
        each = ((chance, throw[::-1]) for throw, chance in throws(left).items())
        return sum(c * max(jumps(left - n, total + sum(t[:n])) for n in range(1, left + 1)) for c, t in each)

    @cache
    def runs(frozen, total):
        left, worth = dice - frozen, Fraction(0)
        for throw, chance in throws(left).items():
            choices = [g(0)]
            for n in range(1, left + 1):
                if (more := total + sum(throw[:n])) <= 8:
                    choices.append(jumps(frozen + n, 0))
                    choices += [runs(frozen + n, more)] if n < left else []
            worth += chance * max(choices)
        return worth

    return runs(0, 0)
