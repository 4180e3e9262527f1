"""What is printed of races and duels (golden/race_and_duel.csv), cell by cell beside our tables."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np

import match_play
from by_turns import at, columns
from printed import Cell, cell, read
from reference import matches


def cells(source: str = "") -> Iterator[Cell]:
    """The printed cells, of one source or all."""
    for row in read("race_and_duel"):
        if source in row["source"]:
            names, printed, ours = (row["quantity"], row["parameters"]), row["printed"], computed(row)
            if "/" in printed:  # our tables are in doubles
                yield Cell(*names, printed, ours, abs(ours - Fraction(printed)) < Fraction(1, 10**15))
            else:
                yield cell(*names, printed, ours)


def computed(row: dict[str, str]) -> Fraction | int:
    """What our tables have in the place of a printed number."""
    position = {name: int(value) for name, value in (part.split("=") for part in row["parameters"].split())}
    variant = {name: position.pop(name) for name in ("sides", "dice", "target")}
    quantity, name = row["quantity"], f"{row['game']}_{row['match']}"
    if name == "pig_reach":
        return Fraction(100 * float(at(columns(name, dice=2, turns=15), **position, turn_total=0)["value"]))
    rows = columns(name, **variant)
    if quantity == "mover wins":
        return Fraction(float(at(rows, **position)["value"]))
    if quantity == "first player wins if both hold at 20 or goal":
        return Fraction(match_play.matchup(matches.pig(), *2 * [hold_at_20()]))
    if quantity in ("heads to hold at", "least turn total to hold at", "next turn total to roll at"):
        here = (rows["me"] == position["me"]) & (rows["opponent"] == position["opponent"])
        totals, holds = rows["turn_total"][here], rows["action"][here] == "hold"
        # To hold at no total below the target is to go for it.
        least = int(min([*totals[holds], variant["target"] - position["me"]]))
        if quantity == "next turn total to roll at":
            return int(totals[~holds & (totals > least)].min())
        return least // (2 if quantity == "heads to hold at" else 1)
    return Fraction(float(rows["value"][0]) * (100 if "percent" in quantity else 1))


@cache
def hold_at_20(target: int = 100) -> match_play.Policy:
    """Roll below 20, where another roll would be as good, or to the target."""
    worth = np.zeros((target + 20, 2))
    worth[:20, 1] = np.inf
    return match_play.of_a_turn(worth, target)
