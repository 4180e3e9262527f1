"""A printed cell and ours beside it, and when the two agree."""

import csv
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

PRINTED = Path(__file__).parent / "printed"
"""The printed record: what the sources print, as they print it, and what was found of it."""

BLANK, DASH = "blank", "dash"
"""How a blank cell and a dash are written; neither can stand as itself in a column."""

Row = Mapping[str, str]
"""A row of a printed file, by column."""

STANDARD_ERRORS = 5
"""Fewer than one average of random games in a million is further from its mean."""


class Ours(NamedTuple):
    """What dicebase has in the place of a printed cell."""

    value: int | str | float | Fraction | tuple[int | str, ...]  # a tuple: equally good ones
    query: str  # the SQL that gives the value, or that it follows from, or the name of what computes it
    bound: float | None = None  # no more wrong than this, by a certificate; None where none speaks of the number
    standard_error: float | None = None  # of the printed number, where it is an average of random games
    other: float | None = None  # the value of another quantity that the number may be


def follows(value: int | str | tuple[int | str, ...], query: str) -> Ours:
    """What follows from the answer to a query, and is not itself that answer."""
    return Ours(value, f"from: {query}")


class Cell(NamedTuple):
    """One printed cell of a place. An illegible one has nothing printed, but what a transcription has in its place."""

    cell: str
    printed: str
    ours: Ours
    legible: bool = True
    raw: str = ""


@cache
def read(name: str) -> tuple[dict[str, str], ...]:
    """The rows of printed/<name>.csv."""
    with open(PRINTED / f"{name}.csv", encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def text(value: int | str | float | Fraction | tuple[int | str, ...]) -> str:
    """Ours as text: words and whole numbers as they are, other numbers with 15 significant digits."""
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    return format(float(value), ".15g") if isinstance(value, float | Fraction) else str(value)


def unit(printed: str) -> Fraction:
    """One unit of the last printed digit."""
    return Fraction(10) ** Decimal(printed).as_tuple().exponent


def away(printed: str, value: float | Fraction | int) -> Fraction:
    """How far a printed number is from ours."""
    return abs(Fraction(printed) - Fraction(value))


def agrees(printed: str, ours: Ours) -> bool:
    """Words, whole numbers and fractions agree when they are equal, other numbers when ours rounds to the printed one.

    Ours may be off by its bound, and a half rounds either way. Of equally good ones any will do.
    """
    value, bound = ours.value, Fraction(ours.bound or 0)
    if isinstance(value, tuple):
        return printed in map(str, value)
    if isinstance(value, str):
        return printed == value
    if is_whole(printed) or "/" in printed:
        return away(printed, value) <= bound
    return away(printed, value) <= unit(printed) / 2 + bound


def is_whole(printed: str) -> bool:
    """Whether a number is printed without a point or a power: a count or a certainty, not a rounded number."""
    return bool(re.fullmatch(r"-?\d+", printed))


def one(values: Iterable) -> object:
    """What several states of one printed cell have in common; ValueError if they differ."""
    (value,) = set(values)
    return value
