"""The contract of turns; see contract.py."""

from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from dicebase.vocabulary.contracts.conditions import MOST_WEIGHT, is_whole, need
from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.rules.turns import BOUNCE, BUST, MOST_ROLLS, WINS, Loss, Option, RepeatedTurn, Roll, Turn

MOST_PLACES = 100_000  # period times number of modes
MOST_GAIN = 100_000  # the most points of an option, so that all turn totals of a solved turn fit into a column
MOST_IN_ROW = 10  # the most lost turns in a row that rules may count


def check_turn(rules: Turn) -> tuple[Sequence, Callable[[Any, Any], Any]]:
    """Check everything that a turn states; return (questions, function that asks rules a question)."""
    modes, period = rules.modes, rules.period
    need(is_whole(period, 1), f"period: {period!r} is not a whole number from 1")
    need(period == 1 or not isinstance(rules, RepeatedTurn), "period: rolls of a RepeatedTurn do not depend on totals")
    distinct = type(modes) is tuple and all(is_whole(m, 0) for m in modes) and len({*modes}) == len(modes) > 0
    need(distinct, f"modes: {modes!r} are not different whole numbers from 0, in a tuple")
    first = not rules.keeps or 0 not in (modes[1:] or modes)
    need(first, f"modes: {modes!r}: where dice are kept 0 is the first roll, and the first of several modes")
    need(period * len(modes) <= MOST_PLACES, f"period: {period} totals are too many")
    places = [(phase, mode) for phase in range(period) for mode in modes]
    for place in places:
        rolls, where = rules.rolls(*place), f"rolls{place}"
        need(0 < len(rolls) <= MOST_ROLLS, f"{where}: a throw must have 1 to {MOST_ROLLS} outcomes")
        for roll in rolls:
            if wrong := _wrong_roll(rules, place[1], roll):
                raise ConfigurationError(f"{where}: {roll!r:.80} {wrong}")
        need(sum(r.weight for r in rolls) <= MOST_WEIGHT, f"{where}: the weights sum to more than {MOST_WEIGHT}")
        seen = {r.dice for r in rolls}
        need(not rules.keeps or len(seen) == len(rolls), f"{where}: two rolls show the same dice")
    _check_stops(rules)
    need(any(r.options for r in rules.rolls(*places[0])), f"rolls{places[0]}: the first roll of a turn always busts")
    said = attrgetter("modes", "period", "least_stop", "must_roll")
    return places, lambda asked, place: (said(asked), asked.rolls(*place))


def _check_stops(rules: Turn) -> None:
    """Check the rules about when a player may not stop, and about how turns end."""
    least, must, ends = {"least_stop": rules.least_stop}, rules.must_roll, ()
    if isinstance(rules, RepeatedTurn):
        least["opening"], costs = rules.opening, rules.lost_in_row
        rising = type(costs) is tuple and all(is_whole(x, 0, MOST_GAIN) for x in costs) and [*costs] == sorted(costs)
        need(rising and len(costs) <= MOST_IN_ROW, f"lost_in_row: {costs!r:.80} are not whole numbers that never fall")
        ends = rules.beyond, rules.last_turn
        need(ends[0] in (WINS, BUST, BOUNCE), f"beyond: {ends[0]!r} is not one of {WINS}, {BUST}, {BOUNCE}")
        need(ends[1] in (False, True), f"last_turn: {ends[1]!r} is neither True nor False")
        need(not (ends[1] and ends[0] != WINS), f"last_turn: goes with beyond {WINS}")
    for name, points in least.items():
        need(is_whole(points, 0, MOST_GAIN), f"{name}: {points!r} is not a whole number from 0 to {MOST_GAIN}")
    fits = type(must) is tuple and all(type(m) is int and m in rules.modes for m in must)
    need(fits, f"must_roll: {must!r} are not some of the modes, {rules.modes}, in a tuple")
    rolls = [roll for phase in range(rules.period) for mode in rules.modes for roll in rules.rolls(phase, mode)]
    forced = any(option.mode is None for roll in rolls for option in roll.options)
    for name in [name for name, points in least.items() if points and forced]:
        raise ConfigurationError(f"{name}: not allowed with options that end the turn, as they bank any total")
    falls = BOUNCE in ends or any(roll.loss is Loss.WIPE for roll in rolls)
    need(not (least.get("opening") and falls), "opening: not allowed if a player's total can fall back to 0")


def _wrong_roll(rules: Turn, mode: int, roll: Roll) -> str:
    """The error in a roll, in words; empty if it is correct."""
    if type(roll) is not Roll:
        return "is not a Roll"
    if not is_whole(roll.weight, 1, MOST_WEIGHT):
        return "needs a positive whole weight"
    hand = rules.dice_in(mode) if rules.keeps else len(roll.dice)
    if not _are_dice(roll.dice) or len(roll.dice) != hand:
        return f"needs the digits of its {hand} dice, sorted" if rules.keeps else "shows dice that are no sorted digits"
    if type(roll.options) is not tuple or not all(type(option) is Option for option in roll.options):
        return "needs a tuple of Option"
    if roll.loss is not None and type(roll.loss) is not Loss:
        return "has a loss that is not a Loss"
    if bool(roll.loss) == bool(roll.options):
        return "needs either options or a loss"
    if len(roll.options) > 1 and not rules.keeps:
        return "has several options without kept dice to tell them apart: set keeps"
    for option in roll.options:
        if not is_whole(option.gain, 1, MOST_GAIN):
            return f"has an option whose gain is not a whole number from 1 to {MOST_GAIN}"
        later = tuple(m for m in rules.modes if m or not rules.keeps)
        if option.mode is not None and (type(option.mode) is not int or option.mode not in later):
            return f"leads to a mode that is not one of {later}"
        fits = not option.keep or (_are_dice(option.keep) and not Counter(option.keep) - Counter(roll.dice))
        if not fits or type(option.keep) is not str or bool(option.keep) != rules.keeps:
            return "keeps dice that were not rolled" if rules.keeps else "keeps dice, and keeps is False"
    return "" if len({o.keep for o in roll.options}) == len(roll.options) else "has two options that keep the same"


def _are_dice(text: Any) -> bool:
    return type(text) is str and set(text) <= set("0123456789") and list(text) == sorted(text)
