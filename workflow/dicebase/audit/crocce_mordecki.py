"""What F. Crocce and E. Mordecki, A finite exact algorithm to solve a dice game (2014), print that follows from rules.

Values are in chips of 50 points. A configuration (f, o, t) counts the 5s and 1s of a roll and names its tern.
crocce_mordecki_table6.py has Table 6.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import ceil, gcd

from dicebase.audit.catalogue import VARIANTS, Catalogue
from dicebase.audit.record import Ours, Row
from dicebase.games.ten_thousand import Rules
from dicebase.vocabulary import Definition

CHIP = 50
RULES = Definition("crocce_mordecki", VARIANTS["TURN_ALL"].definitions["rules"])

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


def combination(catalogue: Catalogue, row: Row) -> Ours:
    """Table 1: the points or chips of a combination."""
    dice = row["combination"]
    options = next(r.options for r in Rules(RULES).rolls(0, len(dice)) if r.dice == dice)
    points = max(option.gain for option in options)
    return Ours({"points": points, "chips": points // CHIP}[row["asked"]], "dicebase.games.ten_thousand.score")


def actions(catalogue: Catalogue, row: Row) -> Ours:
    """Table 4: stop, roll and the moves."""
    return Ours(2 + len(resigned(row["moves"])), f"Rules(moves='{row['moves']}').rolls")


def scored(catalogue: Catalogue, row: Row) -> Ours:
    """Table 5: what scores in a configuration, and in how many ways so many dice show it."""
    i = tuple(int(row[letter]) for letter in "fot")
    keep, chips = scoring(i)
    combinations = keep.count("1") + keep.count("5") + any(die in keep for die in "2346")
    found = {"dice": len(keep), "combinations": combinations, "score": chips}
    found |= {f"f{n}": sum(rolls(n).get(i, {}).values()) for n in range(1, 6)}
    return Ours(found[row["asked"]], "dicebase.games.ten_thousand.Rules.rolls")


def number(catalogue: Catalogue, row: Row) -> Ours | None:
    """A number of the text, by its name."""
    stop_from = Ours(cutoff() // CHIP, "equation (6): dicebase.audit.crocce_mordecki.cutoff() / 50")
    points = RULES.content["combinations"].values()
    return {
        "points_per_chip": Ours(gcd(*points), "the greatest common divisor of the points of Table 1"),
        "dice": Ours(Rules(RULES).modes[0], "dicebase.games.ten_thousand.Rules.modes"),
        "goal_points": Ours(Rules.defaults["target"], "dicebase.games.ten_thousand.Rules.defaults"),
        "actions": Ours(2 + len(resigned("all")), "dicebase.games.ten_thousand.Rules.rolls"),
        **dict.fromkeys(("stop_from_tau", "critical_threshold", "threshold_lemma", "iterations"), stop_from),
    }.get(row["name"])


def difference_equation_base(*_: object) -> Fraction:
    """The root above 1 of x^2 + ... + x^6 = 6, for which V(0) x^tau solves the equation of section 5.2."""
    low, high = Fraction(1), Fraction(2)
    while high - low > Fraction(1, 10**20):
        middle = Fraction(round((low + high) / 2 * 10**24), 10**24)
        low, high = (middle, high) if sum(middle**k for k in range(2, 7)) < 6 else (low, middle)
    return high
