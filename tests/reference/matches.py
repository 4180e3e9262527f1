"""Reference solutions of turn games inside matches: race, reach and duel, for pig with one die or two.

A `Turn` describes a turn, and the match values its endings.  An ending is WIN (the target is reached, which ends the
turn at once), BUST, WIPE, OUT (the match is lost) or the number of points banked.  The first roll is compulsory.

`race`, `reach` and `duel` work in Fractions (the answer is exact and satisfies the optimality equation) or in floats.
`duel_interval` solves the duel in another way, in floats: it encloses the answer from both sides, wipes included.
Every solution is (values, decisions): the values at the start of a turn and, for each position within a turn,
(value of rolling, value of banking), the second None at turn total 0.  Positions are those a turn can produce.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

WIN, BUST, WIPE, OUT = "win", "bust", "wipe", "out"
LOSSES = (BUST, WIPE, OUT)


@dataclass(frozen=True, eq=False)
class Turn:
    """Points come in multiples of `unit`, the turn begins by rolling in mode `start`, and `rolls[mode]` lists pairs.

    A pair is (weight, BUST), (weight, WIPE), (weight, OUT) or (weight, ((gain, next mode), ...)) with the options to
    choose from; an option with the next mode None banks the points and ends the turn.
    """

    unit: int
    start: int
    rolls: dict


def by_outcome(outcomes):
    """Group equally likely outcomes: the pairs (weight, outcome)."""
    return tuple((weight, outcome) for outcome, weight in Counter(outcomes).items())


def pig(sides=6, dice=1):
    """Pig: with one die a 1 loses the turn; with two, one 1 loses the turn and two 1s lose all banked points."""

    def outcome(roll):
        ones = roll.count(1)
        if ones:
            return WIPE if ones == 2 else BUST
        return ((sum(roll), dice),)

    return Turn(1, dice, {dice: by_outcome(map(outcome, product(range(1, sides + 1), repeat=dice)))})


def options_at(outcome, t):
    """The positions an outcome lets the player choose from at turn total t; none after a loss."""
    return () if outcome in LOSSES else tuple((t + gain, mode) for gain, mode in outcome)


@cache
def positions(turn, need):
    """Every (turn total < need, mode) a turn can produce, the largest totals first."""
    found, new = set(), {(0, turn.start)}
    while new:
        found |= new
        options = {o for t, mode in new for _, outcome in turn.rolls[mode] for o in options_at(outcome, t)}
        new = {(t, mode) for t, mode in options if t < need and mode is not None} - found
    return sorted(found, reverse=True)


def value(position, need, decisions, worth, choose):
    """The value of a position: WIN's if the target is reached, else the better of rolling and banking."""
    total, mode = position
    if total >= need or mode is None:
        return worth(WIN if total >= need else total)
    rolled, banked = decisions[position]
    return rolled if banked is None else choose(rolled, banked)


def decide(turn, need, worth, choose=max):
    """{(t, mode): (value of rolling, value of banking)}, if `need` points are missing and `worth` values the
    endings."""
    decisions = {}

    def after(outcome, t):
        if outcome in LOSSES:
            return worth(outcome)
        return choose(value(position, need, decisions, worth, choose) for position in options_at(outcome, t))

    for t, mode in positions(turn, need):
        rolls = turn.rolls[mode]
        rolled = sum(weight * after(outcome, t) for weight, outcome in rolls) / sum(weight for weight, _ in rolls)
        decisions[t, mode] = rolled, worth(t) if t else None
    return decisions


def endings(turn, need, decisions, worth, choose=max, number=Fraction):
    """{ending: probability} of a turn played by `decisions`, with ties banked."""
    visits, ends = Counter({(0, turn.start): number(1)}), Counter()
    for position in filter(visits.get, reversed(positions(turn, need))):
        t, mode = position
        rolled, banked = decisions[position]
        if banked is not None and choose(rolled, banked) == banked:
            ends[t] += visits[position]
            continue
        total = sum(weight for weight, _ in turn.rolls[mode])
        for weight, outcome in turn.rolls[mode]:
            chance = visits[position] * weight / total
            if outcome in LOSSES:
                ends[outcome] += chance
            else:
                options = options_at(outcome, t)
                reached = choose(options, key=lambda p: value(p, need, decisions, worth, choose))
                over = reached[0] >= need or reached[1] is None
                where, key = (ends, WIN if reached[0] >= need else reached[0]) if over else (visits, reached)
                where[key] += chance
    return ends


def linear_solve(A, b):
    """The x with A x = b, by Gauss-Jordan elimination."""
    rows = [[*row, right] for row, right in zip(A, b, strict=True)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i, k=k: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [entry - row[k] * above for entry, above in zip(row, rows[k], strict=True)]
    return [row[-1] for row in rows]


def fixed_point(turn, target, blocks, after, sign, choose, number):
    """The x with x(s) = best over ways to play one turn of 1 - P(OUT) + sign * sum of P(ending) x(after(s, ending))
    over the endings except WIN and OUT.

    s[0] is the mover's total.  The states of a block depend on each other and on earlier blocks; each block is solved
    by policy iteration: play best against x, solve that play's equations for the next x, until x repeats.
    """
    x, decisions = {}, {}
    for block in blocks:
        x.update((s, number(1) / 2) for s in block)
        seen = []
        while True:
            A, b = [], []
            for s in block:

                def worth(ending, s=s):
                    return number(ending == WIN) if ending in (WIN, OUT) else 1 + sign * x[after(s, ending)]

                found = decide(turn, target - s[0], worth, choose)
                decisions |= {(*s, *position): pair for position, pair in found.items()}
                ends = endings(turn, target - s[0], found, worth, choose, number)
                moves = [(after(s, ending), chance) for ending, chance in ends.items() if ending not in (WIN, OUT)]
                A.append([number(s == to) - sign * sum(chance for t, chance in moves if t == to) for to in block])
                b.append(1 - ends[OUT] + sign * sum(chance * x[to] for to, chance in moves if to not in block))
            solution = linear_solve(A, b)
            x.update(zip(block, solution, strict=True))
            if solution in seen:
                break
            seen.append(solution)
        if number is Fraction and solution != seen[-1]:  # else x satisfies the equation of the docstring exactly
            raise ArithmeticError("policy iteration went round in a circle")
    return x, decisions


def blocks_of(turn, states):
    """Blocks of states that depend on each other: all if a roll can lose banked points, else a state and its mirror."""
    if any(outcome == WIPE for rolls in turn.rolls.values() for _, outcome in rolls):
        return [states]
    return list({frozenset((s, s[::-1])): sorted({s, s[::-1]}) for s in states}.values())


def new_total(total, ending):
    """A player's total after a turn that does not win."""
    return {BUST: total, WIPE: 0}[ending] if ending in (BUST, WIPE) else total + ending


def race(turn, target, number=Fraction):
    """Fewest expected turns to reach the target: ({banked: turns}, {(banked, t, mode): (roll, bank)}).

    The present turn counts as one at all its positions: the value of banking x from b is 1 + values[b + x].
    """
    blocks = blocks_of(turn, [(b,) for b in range(0, target, turn.unit)][::-1])
    x, decisions = fixed_point(turn, target, blocks, lambda s, e: (new_total(s[0], e),), +1, min, number)
    return {b: turns for (b,), turns in x.items()}, decisions


def reach(turn, target, turns, number=Fraction):
    """Best P(target within the turns): ({(turns_left, banked): P}, {(turns_left, banked, t, mode): (roll, bank)})."""
    values, decisions = {(0, b): number(0) for b in range(0, target, turn.unit)}, {}
    for left in range(1, turns + 1):
        for b in range(0, target, turn.unit):

            def worth(ending, left=left, b=b):
                return number(1) if ending == WIN else values[left - 1, new_total(b, ending)]

            found = decide(turn, target - b, worth)
            values[left, b] = found[0, turn.start][0]
            decisions |= {(left, b, *position): pair for position, pair in found.items()}
    return {s: value for s, value in values.items() if s[0]}, decisions


def duel(turn, target, number=Fraction):
    """P(the mover wins): ({(me, opponent): P}, {(me, opponent, t, mode): (roll, bank)})."""
    totals = range(0, target, turn.unit)
    blocks = blocks_of(turn, sorted(product(totals, totals), key=sum, reverse=True))
    return fixed_point(turn, target, blocks, lambda s, e: (s[1], new_total(s[0], e)), -1, max, number)


def duel_interval(turn, target, width=1e-13):
    """(lower, upper): arrays indexed [me / unit, opponent / unit] that enclose P(the mover wins), up to rounding.

    If the opponent's probabilities are at most Q, the mover's are at least the values of a turn with 1 - Q at its end,
    and conversely. The two bounds start from 0 and 1 and approach each other.
    """
    n = -(-target // turn.unit)
    lower, upper = np.zeros((n, n)), np.ones((n, n))
    while (upper - lower).max() > width:
        lower, upper = _one_turn(turn, n, upper), _one_turn(turn, n, lower)
    return lower, upper


def _one_turn(turn, n, Q):
    """The mover's P(win) if Q[opponent, me] is the opponent's on the next turn."""
    bank = np.vstack([1 - Q.T, np.ones((n, n))])  # bank[total, opponent]
    V = {}
    for t in range(n - 1, -1, -1):
        for mode, rolls in turn.rolls.items():
            rolled = 0
            for weight, outcome in rolls:
                if outcome in (BUST, WIPE):
                    rolled = rolled + weight * (bank[:n] if outcome == BUST else bank[0])
                else:
                    options = [V.get((t + gain // turn.unit, to), bank[n:]) for gain, to in outcome]
                    rolled = rolled + weight * np.maximum.reduce(options)
            V[t, mode] = rolled / sum(weight for weight, _ in rolls)
            if t:
                V[t, mode] = np.maximum(V[t, mode], bank[t : t + n])
                V[t, mode][n - t :] = 1  # the target is reached
    return V[0, turn.start]
