"""F. Crocce and E. Mordecki, A finite exact algorithm to solve a dice game (2014): Tables 1, 4 and 5.

Values are in chips of 50 points. A configuration (f, o, t) counts the 5s and 1s of a roll and names its tern.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import ceil

from dicebase.audit.catalogue import Catalogue, Place, Variant
from dicebase.audit.record import Cell, Ours, read
from dicebase.games.ten_thousand import RESIGNED, Rules
from dicebase.vocabulary import Definition

SOURCE = "Crocce and Mordecki (2014)"
CHIP = 50
TERNS = {"111": 1000, "222": 200, "333": 300, "444": 400, "555": 500, "666": 600}
RULES = Definition("crocce_mordecki", {"dice": 5, "combinations": {"1": 100, "5": 50, **TERNS}})
"""Section 2.1 of the paper: what the name in the catalogue must stand for."""
TURNS = {
    moves: Variant("ten_thousand_turn", {"rules": str(RULES), "moves": moves}, {"rules": RULES.content})
    for moves in RESIGNED
}

Configuration = tuple[int, int, int]


def configuration(roll: str) -> Configuration:
    """[f, o, t] of a roll (section 2.1)."""
    tern = next((int(die) for die in "2346" if roll.count(die) >= 3), 0)
    return roll.count("5"), roll.count("1"), tern


@cache
def rolls(dice: int) -> dict[Configuration, dict[str, int]]:
    """{configuration: {roll: weight}} of some dice."""
    found: dict[Configuration, dict[str, int]] = {}
    for roll in Rules(RULES).rolls(0, dice):
        found.setdefault(configuration(roll.dice), {})[roll.dice] = roll.weight
    return found


@cache
def scoring(i: Configuration) -> tuple[str, int]:
    """(the scoring dice, as sorted digits; their chips) of a configuration."""
    for dice in range(1, 6):
        for roll in Rules(RULES).rolls(0, dice):
            if configuration(roll.dice) == i and roll.options:
                best = max(roll.options, key=lambda option: option.gain)
                return best.keep, best.gain // CHIP
    return "", 0


@cache
def resigned(moves: str) -> frozenset[str]:
    """The sets of scoring dice that a player may put back, of all rolls."""
    found = set()
    for dice in range(1, 6):
        for roll in Rules(RULES, moves).rolls(0, dice):
            whole = Counter(scoring(configuration(roll.dice))[0])
            found |= {"".join(sorted((whole - Counter(option.keep)).elements())) for option in roll.options}
    return frozenset(found - {""})


@cache
def cutoff() -> int:
    """Equation (6): the first total, in whole chips, at which no hand gains as much by its roll as it risks."""
    ratios = []
    for dice in Rules(RULES).modes:
        gains = [(r.weight, max((o.gain for o in r.options), default=0)) for r in Rules(RULES).rolls(0, dice)]
        ratios.append(sum(n * gain for n, gain in gains) / Fraction(sum(n for n, gain in gains if not gain)))
    return CHIP * ceil(max(ratios) / CHIP)


def table_1(catalogue: Catalogue) -> Iterator[Cell]:
    by_rules = "dicebase.games.ten_thousand.score"
    for row in read("crocce_mordecki_table1"):
        dice = row["combination"]
        options = next(r.options for r in Rules(RULES).rolls(0, len(dice)) if r.dice == dice)
        points = max(option.gain for option in options)
        yield Cell(f"{dice}, points", row["points"], Ours(points, by_rules))
        yield Cell(f"{dice}, chips", row["chips"], Ours(points // CHIP, by_rules))


def table_4(catalogue: Catalogue) -> Iterator[Cell]:
    for row in read("crocce_mordecki_table4"):
        moves = row["moves"]
        actions = 2 + len(resigned(moves))  # stop, roll and the moves
        yield Cell(f"{moves}, actions", row["number_of_actions"], Ours(actions, f"Rules(moves='{moves}').rolls"))
        yield Cell(f"{moves}, value", row["value"], catalogue.start(TURNS[moves], over=CHIP))


def table_5(catalogue: Catalogue) -> Iterator[Cell]:
    by_rules = "dicebase.games.ten_thousand.Rules.rolls"
    for row in read("crocce_mordecki_table5"):
        i = tuple(int(row[letter]) for letter in "fot")
        keep, chips = scoring(i)
        combinations = keep.count("1") + keep.count("5") + any(die in keep for die in "2346")
        for name, ours in (("dice", len(keep)), ("combinations", combinations), ("score", chips)):
            yield Cell(f"[{i[0]},{i[1]},{i[2]}], {name}", row[name], Ours(ours, by_rules))
        for n in range(1, 6):
            # An empty field: no roll of so few dice has the configuration.
            frequency = sum(rolls(n).get(i, {}).values())
            yield Cell(f"[{i[0]},{i[1]},{i[2]}], f({n}, i)", row[f"f{n}"] or "0", Ours(frequency, by_rules))


PLACES = (
    Place(SOURCE, "Table 1, scores of combinations", table_1, (TURNS["all"],)),
    Place(SOURCE, "Table 4, values of restricted games", table_4, tuple(TURNS.values())),
    Place(SOURCE, "Table 5, scores and frequencies of configurations", table_5, (TURNS["all"],)),
)
