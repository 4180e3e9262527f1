"""A turn of Pass the Pigs by the gain of one more throw, and a match of two in which a throw can lose all points or end
the match.

A throw adds E points on average and loses the turn with probability p, so at a total t it gains E - p t: throwing pays
below E / p, and nowhere above, because totals only grow.
"""

from fractions import Fraction
from functools import cache

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


def thrown(counts):
    """{points or kind of loss: chance} of a throw, with counts of `touching` and `piggyback` throws."""
    beside = {what: counts[what] for what in ("touching", "piggyback") if what in counts}
    p, falls = throw({position: n for position, n in counts.items() if position not in beside})
    apart = Fraction(sum(counts.values()) - sum(beside.values()), 2)
    throws = apart + sum(beside.values())
    falls = {points: chance * apart / throws for points, chance in falls.items()}
    return falls | {"bust": p * apart / throws} | {what: n / throws for what, n in beside.items()}


def worths(falls, theirs, me, opponent, target, least=None):
    """{turn total: value of rolling on}, given the opponent's chances at the start of a turn by (opponent's, my) total;
    the mover banks from `least` on, or, without `least`, whenever banking is best."""
    found, best = {}, {}
    for t in reversed(range(target - me)):
        lost = {"bust": 1 - theirs[opponent, me], "touching": 1 - theirs[opponent, 0], "piggyback": 0}
        after = {n: lost[n] if n in lost else 1 if me + t + n >= target else best[t + n] for n in falls}
        found[t] = sum(chance * after[n] for n, chance in falls.items())
        bank = 1 - theirs[opponent, me + t] if t else -1
        best[t] = max(found[t], bank) if least is None else bank if t >= least else found[t]
    return found


def match(counts, target, mine=None, theirs=None):
    """The chances of both players at the start of a turn at (own, opponent's) total, for optimal play or for players
    that bank from `mine` and `theirs` on, iterated until nothing changes."""
    falls = {n: float(chance) for n, chance in thrown(counts).items()}
    totals = [(a, b) for a in range(target) for b in range(target)]
    chances, change = [dict.fromkeys(totals, 0.5), dict.fromkeys(totals, 0.5)], 1.0
    while change > 1e-15:
        change = 0.0
        for mover, least in enumerate((mine, theirs)):
            for place in totals:
                now = worths(falls, chances[1 - mover], *place, target, least)[0]
                change, chances[mover][place] = max(change, abs(now - chances[mover][place])), now
    return chances
