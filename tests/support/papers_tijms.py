"""Tables for the statements of Tijms and van der Wal's paper; G is the target, D the most dice."""

from fractions import Fraction
from functools import cache

from dicebase.games.hog import Rules
from support.contract_throws import tabulated
from support.contract_turns import read_rows
from support.hog_rounds import Stage, stage

G, SHOW, SMALL = 40, 10, 5  # Tables 2 to 4 are of the show, Table 5 is of five dice
FAR = 13  # Table 5 goes from G - 13 to G - 1

# One unit of the last place off, where the numbers of a cell were perhaps made to add to 1: (row, column, dice).
LAST_DIGIT = {
    ("G-9", "G-4", 3),
    ("G-9", "G-4", 5),
    ("G-8", "G-3", 3),
    ("G-8", "G-3", 5),
    ("G-7", "G-4", 3),
    ("G-7", "G-4", 5),
    ("G-4", "G-3", 3),
    ("G-3", "G-2", 5),
    ("G-3", "G-4", 3),
    ("G-2", "G-3", 3),
    ("G-2", "G-4", 5),
    ("G-1", "G-3", 5),
}


def chances(dice: int) -> dict[int, Fraction]:
    """{gain: probability} of one throw."""
    weights = Rules(max_dice=dice).gains(dice)
    return {gain: Fraction(weight, sum(weights.values())) for gain, weight in weights.items()}


@cache
def table(match: str, **variant: int) -> dict[tuple, tuple]:
    """A published table: {state: (throws, ranking, probabilities)}."""
    return read_rows(tabulated("hog", match, variant))


@cache
def rounds(dice: int = SMALL) -> Stage:
    """Simultaneous throws to 40 points."""
    return stage(G, dice)


def state(row: str, column: str) -> tuple[int, int]:
    """The state of two totals such as G-3."""
    return G + int(row[1:]), G + int(column[1:])


def best(match: str, *at: int, **variant: int) -> list[int]:
    """The optimal numbers of dice."""
    throws, ranked, _ = table(match, **variant)[at]
    return [int(throw) for throw, optimal in zip(throws, ranked.optimal, strict=True) if optimal]
