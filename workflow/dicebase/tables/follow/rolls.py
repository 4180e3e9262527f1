"""Rolls from which a player keeps dice, according to the rules; keeps.py has their values."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from dicebase.matches.turns.by_turns import ByTurns
from dicebase.tables.names import Table
from dicebase.vocabulary import Layout, Roll, Turn, answered

DICE, ROLL = "dice", "roll"
"""The column of the dice in the hand, and the name under which a lookup may give a roll instead."""

ROLLED = f"the dice as they fell, as digits in any order, instead of '{DICE}': ranks which of them to keep"


def takes_rolls(table: Table, columns: Iterable[str]) -> bool:
    """Whether the rows of a table with these columns are positions after keeping dice."""
    return table.match_class.layout is Layout.TWO_ACTIONS and table.rules_class.keeps and DICE in columns


@lru_cache(maxsize=4096)
def roll_of(rules: Turn, mode: int, dice: str) -> Roll | None:
    """The roll of these sorted dice in a mode; None if there is none."""
    if mode not in rules.modes or rules.dice_in(mode) != len(dice):
        return None
    return next((roll for roll in rules.rolls(0, mode) if roll.dice == dice), None)


def is_bust(rules: object, dice: str) -> bool:
    """Whether these sorted dice lose the turn, unless they are its first roll."""
    return isinstance(rules, Turn) and (roll := roll_of(rules, len(dice), dice)) is not None and roll.loss is not None


def why_no_roll(game: ByTurns, state: tuple, possible: Sequence[int]) -> str:
    """The reason why there is no decision at (record, turn total, roll), if only `possible` modes may be rolled."""
    *_, total, roll = state
    if not possible:
        return game.why_missing((*state[:-1], len(roll)))
    possible = [*map(game.rules.dice_in, possible)]
    if roll_of(game.rules, len(roll), roll) and len(roll) not in possible:
        *most, last = map(str, possible)
        numbers = f"{', '.join(most)} or {last}" if most else last
        return f"at a turn total of {total}, the player rolls {numbers} dice, not {len(roll)}"
    return answered("why_missing", game.rules.why_missing, total, roll)
