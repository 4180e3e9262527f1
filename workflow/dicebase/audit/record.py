"""A printed cell and our number for it, and the rule that decides whether the two agree."""

import csv
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

PRINTED = Path(__file__).parent / "printed"
"""The printed record: numbers as their sources print them, and findings about them."""

BLANK, DASH = "blank", "dash"
"""The spellings of a blank cell and of a dash."""

Row = Mapping[str, str]
"""A row of a printed file, by column."""

STANDARD_ERRORS = 5
"""Fewer than one simulated mean in a million is more standard errors than this away from the true mean."""


class Ours(NamedTuple):
    """The counterpart of a printed cell in dicebase."""

    value: int | str | float | Fraction | tuple[int | str, ...]  # a tuple lists equally good values
    query: str  # SQL that returns the value, or data from which it follows; or the name of a function
    bound: float | None = None  # certified error bound; None if no certificate covers the number
    standard_error: float | None = None  # standard error of the printed number if it is a simulated mean
    other: float | None = None  # value of another quantity that the source may have printed instead


def follows(value: int | str | tuple[int | str, ...], query: str) -> Ours:
    """A value that is derived from the answer to a query, but is not itself the answer."""
    return Ours(value, f"from: {query}")


class Cell(NamedTuple):
    """One printed cell of a place. An illegible cell has empty `printed`; `raw` is the text of the transcription."""

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
    """Our value as text: words and whole numbers unchanged, other numbers with 15 significant digits."""
    if isinstance(value, tuple):
        return " or ".join(map(str, value))
    return format(float(value), ".15g") if isinstance(value, float | Fraction) else str(value)


def unit(printed: str) -> Fraction:
    """One unit of the last printed digit."""
    return Fraction(10) ** Decimal(printed).as_tuple().exponent


def away(printed: str, value: float | Fraction | int) -> Fraction:
    """The distance of a printed number from ours."""
    return abs(Fraction(printed) - Fraction(value))


def agrees(printed: str, ours: Ours) -> bool:
    """Whether a cell agrees: words, whole numbers and fractions must be equal; other numbers must round to the cell.

    The rule allows for our error bound, for halves rounded up or down, and for any of several equally good values.
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
    """Whether a number is printed without a decimal point or exponent, so that it is a count or a certainty rather than
    a rounded number."""
    return bool(re.fullmatch(r"-?\d+", printed))


def one(values: Iterable) -> object:
    """The common value of several states in one printed cell; raises ValueError if they differ."""
    (value,) = set(values)
    return value
