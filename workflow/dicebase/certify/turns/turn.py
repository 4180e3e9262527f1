"""One turn: what it is claimed to be worth beyond its last total, by the theorem of docs/why/solvers.md; then every row
as of any decisions.

Claimed are a worth w of every class that a turn can reach, a slope where some modes must be rolled, and a cut-off. What
solves the theorem's equations and inequalities is right: from the cut-off on f = total + w is no less than banking is
worth and no less than what a roll leads to, so that no policy earns more. (No w is below 0: the least of them would
exceed itself by a gain.) And the policy that rolls exactly in the safe classes, the best way each, earns f, because it
ends: if some safe classes were never left, the equations, averaged over the time spent in each, would say that their
gains are none, but each is positive. For the same reason no w solves the equations where a turn can go on for ever
without being lost.
"""

from fractions import Fraction
from math import gcd
from types import ModuleType

from dicebase.certify import decisions
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.simulation import Simulation
from dicebase.certify.turns import stopping
from dicebase.matches.turn import BestTurn
from dicebase.vocabulary import Class, Option, Roll, Turn, over_one_denominator


def check(game: BestTurn, published: Published, fail: Fail) -> Finding:
    """Certify what holds beyond the rows of a variant, and then the rows."""
    check_continuation(game, fail)
    return _rows(game).check(game, published, fail)


def simulated(game: BestTurn, published: Published, seed: int) -> Simulation | None:
    """Play a published table, whose rows have passed their check; None where games take too long."""
    return _rows(game).simulated(game, published, seed)


def _rows(game: BestTurn) -> ModuleType:
    """What checks the rows: arrays where a roll either is lost or gains so many points."""
    rolls = [roll for c in game.continuation.worth for roll in game.rules.rolls(*c)]
    forced = any(len(roll.options) != (not roll.loss) or any(o.mode is None for o in roll.options) for roll in rolls)
    return decisions if len(game.columns) > 1 or forced or game.rules.least_stop else stopping


def check_continuation(game: BestTurn, fail: Fail) -> None:
    """That the claim of the game is what the theorem asks for, and its cut-off the first such multiple of all gains."""
    rolls, claim = rolls_by_class(game.rules), game.continuation
    if claim is None:
        fail(None, "nothing is claimed of what holds beyond the last total")
    if odd := rolls.keys() ^ claim.worth.keys():
        what = "no worth is claimed" if min(odd) in rolls else "a worth is claimed, but no turn gets there,"
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
            what = f"the worth beyond the last total {_place(game.rules, c)} is claimed to be {y!r}"
            slopes = f", its slope {x!r}" * (x != slope), f", a slope of {slope!r}" * (x != slope)
            fail(None, f"{what}{slopes[0]}, the rules give {worth!r}{slopes[1]}")
        cutoff = max(cutoff, *(_met(max(choices), line) for line in choices))
    cutoff = -(-cutoff // unit)
    if claim.cutoff != cutoff * unit:
        fail(None, f"the worth of far totals is claimed from {claim.cutoff} on, the rules say from {cutoff * unit}")


def rolls_by_class(rules: Turn) -> dict[Class, tuple[Roll, ...]]:
    """The classes that a turn can reach, from its start, with their rolls."""
    found: dict[Class, tuple[Roll, ...]] = {}
    ahead = {(0, rules.modes[0])}
    while ahead:
        found |= {c: tuple(rules.rolls(*c)) for c in ahead}
        options = ((c, o) for c in ahead for roll in found[c] for o in roll.options if o.mode is not None)
        ahead = {after for c, o in options if (after := _after(rules, c, o)) not in found}
    return found


def _met(line: tuple[int, int], other: tuple[int, int]) -> Fraction:
    """The total from which on a line, (slope, at 0), is no less than one whose slope is no greater."""
    return Fraction(other[1] - line[1], line[0] - other[0]) if line[0] > other[0] else Fraction(0)


def _after(rules: Turn, c: Class, option: Option) -> Class:
    return (c[0] + option.gain) % rules.period, option.mode


def _place(rules: Turn, c: Class) -> str:
    return f"in mode {c[1]}" + (f" at totals {c[0]} modulo {rules.period}" if rules.period > 1 else "")
