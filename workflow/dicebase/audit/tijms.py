"""H. Tijms and J. van der Wal, Dynamic Programming in Real Life (2005), the game Hog: Tables 1 to 5.

G is the target, D the most dice of a throw. Tables 2 to 4 are of the show, with D = 10; Table 5 has D = 5.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from dicebase.audit.catalogue import Catalogue, Place, Variant
from dicebase.audit.record import Cell, Ours, read
from dicebase.games.hog import Rules

SOURCE = "Tijms and van der Wal (2005)"
G, SHOW, SMALL = 40, 10, 5
THROWS = Variant("hog_turn", {"sides": 6, "max_dice": 30})
RACE = Variant("hog_race", {"sides": 6, "max_dice": SHOW, "target": G})
REACH = Variant("hog_reach", {"sides": 6, "max_dice": SHOW, "target": G, "throws": 6})
ROUNDS = Variant("hog_simultaneous", {"sides": 6, "max_dice": SMALL, "on_one": "nothing", "target": G})
RULES = "dicebase.games.hog.Rules.gains"


@cache
def chances(dice: int) -> dict[int, Fraction]:
    """{gain: probability} of one throw."""
    weights = Rules(max_dice=dice).gains(dice)
    return {gain: Fraction(weight, sum(weights.values())) for gain, weight in weights.items()}


@cache
def replies(most: int = SHOW) -> dict[int, dict[int, Fraction]]:
    """{d: {l: V^(d,l)(G-1, G-1)}}: both throw the same again until somebody scores, which ends the game."""
    weights = {dice: Rules(max_dice=most).gains(dice) for dice in range(1, most + 1)}
    whole = {dice: sum(of.values()) for dice, of in weights.items()}
    found: dict[int, dict[int, Fraction]] = {dice: {} for dice in weights}
    for d, mine in weights.items():
        for reply, theirs in weights.items():
            won = sum(p * q * ((i > j) - (i < j)) for i, p in mine.items() for j, q in theirs.items())
            found[d][reply] = Fraction(won, whole[d] * whole[reply] - mine[0] * theirs[0])
    return found


def cell(name: str, row: dict[str, str], ours: Ours) -> Cell:
    """A cell of a table of which some numbers are lost."""
    return Cell(name, row["printed"], ours, row["legible"] != "no", row["raw"])


def table_1(catalogue: Catalogue) -> Iterator[Cell]:
    throws = catalogue.view(THROWS, "action", "_actions")
    for row in read("tijms_table_1"):
        q = chances(int(row["d"]))
        mean = sum(gain * p for gain, p in q.items())
        deviation = math.sqrt(sum(gain * gain * p for gain, p in q.items()) - mean * mean)
        yield Cell(f"mean of {row['d']}", row["mean"], throws.value(row["d"], column="q_value"))
        yield Cell(f"deviation of {row['d']}", row["deviation"], Ours(deviation, RULES))
        yield Cell(f"chance of {row['d']}", row["q0"], Ours(1 - q[0], RULES))


def table_2(catalogue: Catalogue) -> Iterator[Cell]:
    values, throws = catalogue.view(RACE, "score"), catalogue.view(RACE, "score", "_actions")
    for row in read("tijms_table_2"):
        yield Cell(f"V({row['i']})", row["V"], values.value(int(row["i"])))
        yield Cell(f"d({row['i']})", row["d"], throws.best(int(row["i"])))


def table_3(catalogue: Catalogue) -> Iterator[Cell]:
    keys = "throws_left score"
    values, throws = catalogue.view(REACH, keys), catalogue.view(REACH, keys, "_actions")
    for row in read("tijms_table_3"):
        at = int(row["L"]), int(row["i"])
        ours = values.value(*at) if row["name"] == "P" else throws.best(*at)
        yield cell(f"{row['name']}({row['i']}), L = {row['L']}", row, ours)


def table_4(catalogue: Catalogue) -> Iterator[Cell]:
    by_rules = "dicebase.audit.tijms.replies"
    for row in read("tijms_table_4"):
        worth = replies()[int(row["d"])]
        least = min(worth.values())
        best = tuple(reply for reply in worth if worth[reply] == least)
        yield Cell(f"worst of {row['d']}", row["worst"], Ours(least, by_rules))
        yield Cell(f"reply to {row['d']}", row["best_response"], Ours(best, by_rules))


def points(name: str) -> int:
    """A total such as G-3."""
    return G + int(name[1:])


def table_5(catalogue: Catalogue) -> Iterator[Cell]:
    view = catalogue.view(ROUNDS, "me opponent action", "_actions")
    for row in read("tijms_table_5"):
        ours = view.chosen("probability", points(row["row"]), points(row["column"]), row["dice"])
        yield cell(f"({row['row']}, {row['column']}), {row['dice']} dice", row, ours)


PLACES = (
    Place(SOURCE, "Table 1, one throw", table_1, (THROWS,)),
    Place(SOURCE, "Table 2, fewest throws", table_2, (RACE,)),
    Place(SOURCE, "Table 3, best chances within L throws", table_3, (REACH,)),
    # Found from the rules alone, as only the last point is at stake; but of the game that the table is about.
    Place(SOURCE, "Table 4, the same number of dice again and again", table_4, (ROUNDS,)),
    Place(SOURCE, "Table 5, optimal mixes", table_5, (ROUNDS,)),
)
