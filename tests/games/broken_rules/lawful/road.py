"""A lawful board with more positions than are checked in advance: walk along a road with one die or with both."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction  # noqa: F401, this and the next imports are for changed copies of this file
from functools import reduce  # noqa: F401
from typing import NamedTuple

import numpy as np  # noqa: F401

from dicebase.vocabulary import Board, Column, Objective, parameter

FAR = 100


class Text(str):
    """A subclass of str."""


class Whole(int):
    """A subclass of int."""


class Place(NamedTuple):
    """A subclass of tuple."""

    square: int
    late: int


class Named(StrEnum):
    BOTH = "both dice"


class Number(IntEnum):
    ONE = 1


@dataclass(frozen=True)
class Rules(Board):
    """Made up."""

    squares: int = parameter(120, "squares of the road", low=2, high=150)

    title = "Made up"
    citation = "made up for a test"
    objectives = {"points": Objective("expected points", "points")}  # noqa: RUF012
    columns = (
        Column("square", int, "the square"),
        Column("late", int, "1 far from the start"),
        Column("roll", str, "the two dice, as sorted digits"),
    )

    def start(self):
        return (0, 0)

    def actions(self, state):
        return ["one die", "both dice"]

    def afterstate(self, state, action):
        square, _, roll = state
        there = square + (int(roll[0]) if action == "one die" else sum(map(int, roll)))
        return there, int(there > FAR)

    def outcomes(self, afterstate):
        square, late = afterstate[0], int(afterstate[0] > FAR)
        if square >= self.squares:
            return [(1, None, square % 7, 1)]
        return [(weight, (square, late, roll), 0, 1) for roll, weight in (("11", 1), ("12", 2), ("22", 1))]
