"""Rolls where dice are kept: the tables have what lies on the table after keeping, a player asks what to keep.

A way to keep adds points to the turn and leaves dice in the hand, all dice if all were kept. What it is worth to roll
them, or to bank, is in the row of that turn total and so many dice; points that reach the target end the match at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from dicebase.matches.by_turns import ByTurns
from dicebase.tables.follow.ranking import Choices, StoredRows
from dicebase.tables.names import Table
from dicebase.vocabulary import Layout, Roll, Turn

DICE, ROLL = "dice", "roll"
"""The column of the dice in the hand, and what may be given in its place."""


def takes_rolls(table: Table, columns: Iterable[str]) -> bool:
    """Whether the positions of a table with these columns are what lies on the table after keeping dice."""
    return table.match_class.layout is Layout.TWO_ACTIONS and table.rules_class.keeps and DICE in columns


def keeps(
    game: ByTurns, stored: StoredRows, variant: Mapping[str, int | str], state: Mapping[str, np.ndarray], dice: str
) -> Choices | None:
    """The ways to use a roll at n positions of a variant; None where nothing can be kept of such dice.

    state : the columns of a row but for the dice, as arrays of shape (n,) int64.
    """
    roll = roll_of(game.rules, dice)
    if not (roll and roll.options):
        return None
    total = state["turn_total"]
    size = len(total)
    fixed = [np.full(size, number) for number in stored.key(variant)]
    record = [state[c.name] for c in game.record_columns]

    def row(points: int, hand: int) -> np.ndarray:
        return stored.numbers([*fixed, *record, total + points, np.full(size, hand)])

    found = row(0, len(dice)) >= 0
    names, q_values, leads_to = [], [], []
    for option in roll.options:
        ends = total + option.gain >= game.target - record[game.mine]
        here = row(option.gain, option.mode)
        value = np.where(here >= 0, stored.rows["value"][here], np.nan)
        signed = stored.rows["margin"][here]
        other = value - game.sense * np.abs(signed)
        banks = np.signbit(signed)
        # What ends the match is worth one: a win, or the turn that is counted.
        names += [f"keep {option.keep}, {game.rules.stop}", f"keep {option.keep}, roll {option.mode}"]
        q_values += [
            np.where(ends, 1.0, np.where(banks, value, other)),
            np.where(ends, np.nan, np.where(banks, other, value)),
        ]
        # Of the same turn total, banked or rolled with as many dice, two actions are the same in all but name.
        leads_to += [np.where(ends, 0, option.gain), np.full(size, -(option.gain * 1000 + option.mode))]
    q = np.where(found[:, np.newaxis], np.array(q_values).T, np.nan)
    return Choices(names, q, found, np.array(leads_to).T)


@lru_cache(maxsize=4096)
def roll_of(rules: Turn, dice: str) -> Roll | None:
    """The roll of these sorted dice, if there is one."""
    if len(dice) not in rules.modes:
        return None
    return next((roll for roll in rules.rolls(0, len(dice)) if roll.dice == dice), None)


def why_no_roll(game: ByTurns, state: tuple, possible: Sequence[int]) -> str:
    """Why nobody decides anything at (record, turn total, roll), where so many dice may be rolled."""
    *_, total, roll = state
    if not possible:
        return game.why_missing((*state[:-1], len(roll)))
    if roll_of(game.rules, roll) and len(roll) not in possible:
        *most, last = map(str, possible)
        numbers = f"{', '.join(most)} or {last}" if most else last
        return f"at a turn total of {total} one rolls {numbers} dice, not {len(roll)}"
    return game.rules.why_missing(total, roll)
