"""Numbers as their sources print them: the golden files, and what it means to agree with one."""

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

GOLDEN = Path(__file__).parent / "golden"


class Cell(NamedTuple):
    """One printed cell of a source, beside what dicebase computes."""

    place: str
    cell: str
    printed: str
    computed: Fraction | int | str
    agrees: bool


def read(name: str) -> list[dict[str, str]]:
    """The rows of golden/<name>.csv."""
    with open(GOLDEN / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def agrees(printed: str, computed: Fraction | int) -> bool:
    """Whether the number, rounded as printed, is the printed one: at most half a unit of the last place away."""
    return abs(Fraction(printed) - computed) <= Fraction(10) ** Decimal(printed).as_tuple().exponent / 2


def cell(place: str, name: object, printed: str, computed: Fraction | int | str) -> Cell:
    """A cell; whole numbers and texts agree when they are equal, other numbers when they round to it."""
    if isinstance(computed, str):
        same = printed == computed
    elif isinstance(computed, int):
        same = Fraction(printed) == computed
    else:
        same = agrees(printed, computed)
    return Cell(place, str(name), printed, computed, same)


def decimals(number: Fraction, places: int) -> str:
    """A non-negative rational with so many decimals, rounded half up; no double on the way."""
    scaled = (2 * number.numerator * 10**places + number.denominator) // (2 * number.denominator)
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}}"
