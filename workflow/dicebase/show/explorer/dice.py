"""How the dice can fall, as data: for solving one turn again, and for playing."""

from typing import Any

from dicebase.vocabulary import MultiplierScorecard, Scorecard, Throw, Turn


def dice_of(rules: Any) -> dict[str, Any]:
    """What the rules say of chance and of what falls, by the kind of rules; of other kinds nothing.

    A turn: {stop, keeps, period, modes, rolls: [of each phase [of each mode [roll]]]}, a roll [weight, dice text,
        options or loss], an option [gain, next mode or null, dice kept].
    A throw: {choices, wipes, throws: {choice: [[points, weight]]}}.
    A scorecard: {slots, rolls: [[roll, weight]], gains: [of each slot [of each roll points]], factors or null}.
    """
    if isinstance(rules, Turn):
        phases = range(rules.period)
        rolls = [[[_roll(r) for r in rules.rolls(p, mode)] for mode in rules.modes] for p in phases]
        return {"stop": rules.stop, "keeps": rules.keeps, "period": rules.period, "modes": rules.modes, "rolls": rolls}
    if isinstance(rules, Throw):
        throws = {choice: list(rules.gains(choice).items()) for choice in rules.choices}
        return {"choices": rules.choices, "wipes": rules.wipes, "throws": _numbers(throws)}
    if not isinstance(rules, Scorecard):
        return {}
    slots = range(1, rules.slots + 1)
    multiplies = isinstance(rules, MultiplierScorecard) and rules.multiplies
    return {
        "slots": rules.slots,
        "rolls": _numbers(list(rules.weights.items())),
        "gains": [[rules.gain(slot, roll) for roll in rules.weights] for slot in slots],
        "factors": list(rules.factors) if multiplies else None,
    }


def _roll(roll: Any) -> list:
    options = [[o.gain, o.mode, o.keep] for o in roll.options]
    return [_number(roll.weight), roll.dice, roll.loss.value if roll.loss else options]


def _numbers(weighted: Any) -> Any:
    if isinstance(weighted, dict):
        return {key: _numbers(rows) for key, rows in weighted.items()}
    return [[value, _number(weight)] for value, weight in weighted]


def _number(weight: int) -> int | float:
    """A page reads numbers as doubles."""
    return weight if weight < 2**53 else float(weight)
