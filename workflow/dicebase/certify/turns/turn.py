"""Certify one turn: the continuation claimed beyond its last total (theorem of docs/why/solvers.md), then its rows.

The claim has a value w for every class that a turn can reach, a slope if some modes must be rolled, and a cut-off.
Every solution of the theorem's equations and inequalities is right. From the cut-off on, f = total + w is at least the
value of banking and at least the expected f after a roll, so no policy earns more. (No w is negative: the smallest
would exceed itself by a gain.) The policy that rolls exactly in the safe classes, with the best options, earns f
because it ends: if it never left some safe classes, the equations, averaged over the time spent in each, would make
their gains zero, but each is positive. For the same reason, no w solves the equations if a turn can go on for ever
without being lost.
"""

from fractions import Fraction
from math import gcd
from types import ModuleType

from dicebase.certify import decisions
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.play.simulation import Simulation
from dicebase.certify.published import Published
from dicebase.certify.turns import stopping
from dicebase.matches.turns.turn import BestTurn
from dicebase.vocabulary import Class, Option, Roll, Turn, over_one_denominator


def check(game: BestTurn, published: Published, fail: Fail) -> Finding:
    """Certify the continuation of a variant, and then its rows."""
    check_continuation(game, fail)
    return _rows(game).check(game, published, fail)


def simulated(game: BestTurn, published: Published, seed: int) -> Simulation | None:
    """Play a published table that has passed its check; return None if games take too long."""
    return _rows(game).simulated(game, published, seed)


def _rows(game: BestTurn) -> ModuleType:
    """Return the module that checks the rows: `stopping` if each roll is lost or has one option, else `decisions`."""
    rolls = [roll for c in game.continuation.worth for roll in game.rules.rolls(*c)]
    forced = any(len(roll.options) != (not roll.loss) or any(o.mode is None for o in roll.options) for roll in rolls)
    return decisions if len(game.columns) > 1 or forced or game.rules.least_stop else stopping


def check_continuation(game: BestTurn, fail: Fail) -> None:
    """Fail unless the claim satisfies the theorem, with the first possible multiple of the gains' unit as cut-off."""
    rolls, claim = rolls_by_class(game.rules), game.continuation
    if claim is None:
        fail(None, "no values are claimed beyond the last total")
    if odd := rolls.keys() ^ claim.worth.keys():
        what = "no value is claimed" if min(odd) in rolls else "a value is claimed, but no turn gets there,"
        fail(None, f"{what} beyond the last total {_place(game.rules, min(odd))}")
    gains = [o.gain for of_class in rolls.values() for roll in of_class for o in roll.options]
    unit, cutoff = gcd(*gains), Fraction(max(1, game.rules.least_stop))
    numerators, over = over_one_denominator([number for c in rolls for number in claim.line(c)])
    stop = over, 0
    claimed = dict(zip(rolls, zip(numerators[::2], numerators[1::2], strict=True), strict=True))
    for c, of_class in rolls.items():
        sums, rolled = sum(roll.weight for roll in of_class), (0, 0)
        for roll in of_class:
            ahead = [
                (x, x * o.gain + y) for o in roll.options for x, y in [claimed.get(_after(game.rules, c, o), stop)]
            ]
            if ahead:
                best = max(ahead)
                rolled = rolled[0] + roll.weight * best[0], rolled[1] + roll.weight * best[1]
                cutoff = max(cutoff, *(_met(best, line) for line in ahead))
        choices = [rolled] if c[1] in game.rules.must_roll else [rolled, (sums * over, 0)]
        line = tuple(Fraction(number, over * sums) for number in max(choices))
        if claim.line(c) != line:
            (x, y), (slope, worth) = (map(float, numbers) for numbers in (claim.line(c), line))
            what = f"the value beyond the last total {_place(game.rules, c)} is claimed to be {y!r}"
            slopes = f", its slope {x!r}" * (x != slope), f", a slope of {slope!r}" * (x != slope)
            fail(None, f"{what}{slopes[0]}, the rules give {worth!r}{slopes[1]}")
        cutoff = max(cutoff, *(_met(max(choices), line) for line in choices))
    cutoff = -(-cutoff // unit)
    if claim.cutoff != cutoff * unit:
        fail(None, f"values of far totals are claimed from {claim.cutoff} on, the rules say from {cutoff * unit}")


def rolls_by_class(rules: Turn) -> dict[Class, tuple[Roll, ...]]:
    """Return the classes that a turn can reach, each with its rolls."""
    found: dict[Class, tuple[Roll, ...]] = {}
    ahead = {(0, rules.modes[0])}
    while ahead:
        found |= {c: tuple(rules.rolls(*c)) for c in ahead}
        options = ((c, o) for c in ahead for roll in found[c] for o in roll.options if o.mode is not None)
        ahead = {after for c, o in options if (after := _after(rules, c, o)) not in found}
    return found


def _met(line: tuple[int, int], other: tuple[int, int]) -> Fraction:
    """Return the total from which on `line`, (slope, value at 0), is at least `other`, which is not steeper."""
    return Fraction(other[1] - line[1], line[0] - other[0]) if line[0] > other[0] else Fraction(0)


def _after(rules: Turn, c: Class, option: Option) -> Class:
    return (c[0] + option.gain) % rules.period, option.mode


def _place(rules: Turn, c: Class) -> str:
    return f"in mode {c[1]}" + (f" at totals {c[0]} modulo {rules.period}" if rules.period > 1 else "")
