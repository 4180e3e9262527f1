"""How the dice can fall, as data: for solving one turn again, and for playing."""

from collections.abc import Mapping
from typing import Any

from dicebase.vocabulary import Json, MultiplierScorecard, RepeatedTurn, Scorecard, Sheet, Throw, Turn, multisets


def dice_of(rules: Any) -> Json:
    """What the rules say of chance and of what falls, by the kind of rules; of other kinds nothing.

    A turn: {stop, keeps, period, modes, must, least: [points it takes to bank, and with nothing banked], rolls: [of
        each phase [of each mode [roll]]]}, a roll [weight, dice text, options or loss], an option [gain, next mode or
        null, dice kept].
    A throw: {choices, wipes, throws: {choice: [[points, weight]]}}.
    A sheet: {boxes, dice, sides, rolls, upper_at, upper_bonus, upper: boxes that count towards it, entries: [of each
        roll [fields of an Entry]]}.
    A scorecard: {slots, rolls: [[roll, weight]], gains: [of each slot [of each roll points]], factors or null}.
    """
    if isinstance(rules, Turn):
        phases = range(rules.period)
        rolls = [[[_roll(r) for r in rules.rolls(p, mode)] for mode in rules.modes] for p in phases]
        said = {name: getattr(rules, name) for name in ("stop", "keeps", "period", "modes")}
        least = [rules.least_bank(banked) for banked in (1, 0)] if isinstance(rules, RepeatedTurn) else []
        return {**said, "must": rules.must_roll, "least": least, "rolls": rolls}
    if isinstance(rules, Throw):
        throws = {choice: _numbers(rules.gains(choice)) for choice in rules.choices}
        return {"choices": rules.choices, "wipes": rules.wipes, "throws": throws}
    if isinstance(rules, Sheet):
        said = {n: getattr(rules, n) for n in ("boxes", "dice", "sides", "rolls", "upper_at", "upper_bonus")}
        rolls = (roll for roll, _ in multisets(rules.sides, rules.dice))
        entries = [[[*map(int, entry)] for entry in rules.entries(roll)] for roll in rolls]
        return said | {
            "upper": sorted({box for roll in entries for box, _, upper, *_ in roll if upper}),
            "entries": entries,
        }
    if not isinstance(rules, Scorecard):
        return {}
    multiplies = isinstance(rules, MultiplierScorecard) and rules.multiplies
    return {
        "slots": rules.slots,
        "rolls": _numbers(rules.weights),
        "gains": rules.gains,
        "factors": list(rules.factors) if multiplies else None,
    }


def _roll(roll: Any) -> list:
    options = [[o.gain, o.mode, o.keep] for o in roll.options]
    return [_number(roll.weight), roll.dice, roll.loss.value if roll.loss else options]


def _numbers(weights: Mapping[int, int]) -> list[list]:
    return [[value, _number(weight)] for value, weight in weights.items()]


def _number(weight: int) -> int | float:
    """A page reads numbers as doubles."""
    return weight if weight < 2**53 else float(weight)
