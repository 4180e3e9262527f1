"""Numbers as their sources print them, and the test of agreement with one."""

from decimal import Decimal
from fractions import Fraction

from dicebase.audit.record import PRINTED, read

__all__ = ["PRINTED", "agrees", "decimals", "read"]


def agrees(printed: str, computed: Fraction | int) -> bool:
    """Whether the number is at most half a unit of the last printed digit away."""
    return abs(Fraction(printed) - computed) <= Fraction(10) ** Decimal(printed).as_tuple().exponent / 2


def decimals(number: Fraction, places: int) -> str:
    """A non-negative rational with `places` decimals, rounded half up without doubles."""
    scaled = (2 * number.numerator * 10**places + number.denominator) // (2 * number.denominator)
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}}"


def of_board(source: str, parameters: str) -> str:
    """A printed value of a board, from the audit's record."""
    (row,) = (row for row in read("boards") if (row["source"], row["parameters"]) == (source, parameters))
    return row["printed"]
