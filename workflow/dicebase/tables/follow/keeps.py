"""What to keep of a roll, from mapped rows of what lies on the table after keeping; rolls.py says it in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from dicebase.catalog.row_arrays import Part
from dicebase.matches.by_turns import ByTurns
from dicebase.tables.follow.choices import Choices, rank_choices
from dicebase.vocabulary.ranking import TIE
from dicebase.vocabulary.turns import Roll, Turn


def keeps(
    game: ByTurns, part: Part, variant: Mapping[str, Any], state: Mapping[str, np.ndarray], roll: str
) -> tuple[Choices, np.ndarray] | None:
    """The ways to use a roll at n positions of a variant, and whether the table has the position, of shape (n,);
    None where nothing can be kept of such dice.

    state : the columns of a row but for the dice, as arrays of shape (n,) int64.
    """
    if not (options := roll_of(game.rules, roll).options if roll_of(game.rules, roll) else ()):
        return None
    size = len(state["turn_total"])
    fixed = [np.full(size, number) for number in part.key(variant)]
    record = [state[c.name] for c in game.record_columns]
    total = state["turn_total"]

    def row(points: np.ndarray | int, dice: int) -> np.ndarray:
        return part.ranks.ranks([*fixed, *record, total + points, np.full(size, dice)])

    found = row(0, len(roll)) >= 0
    names, q_values, leads_to = [], [], []
    for option in options:
        ends = total + option.gain >= game.target - record[game.mine]
        here = row(option.gain, option.mode)
        value = np.where(here >= 0, part.rows["value"][here], np.nan)
        signed = part.rows["margin"][here]
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
    return rank_choices(names, q, game.sense, TIE, np.array(leads_to).T), found


@lru_cache(maxsize=4096)
def roll_of(rules: Turn, dice: str) -> Roll | None:
    """The roll of these sorted dice, if there is one."""
    if len(dice) not in rules.modes:
        return None
    return next((roll for roll in rules.rolls(0, len(dice)) if roll.dice == dice), None)
