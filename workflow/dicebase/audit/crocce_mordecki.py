"""Numbers in F. Crocce and E. Mordecki, A finite exact algorithm to solve a dice game (2014), computed from the rules.

Values are in chips of 50 points. A configuration (f, o, t) is the number of 5s, the number of 1s, and the face of
the tern, three or more equal dice of 2, 3, 4 or 6 (0: none). crocce_mordecki_table6.py has Table 6.
"""

from fractions import Fraction
from functools import cache
from math import ceil

from dicebase.audit.catalogue import VARIANTS
from dicebase.games.ten_thousand import Rules
from dicebase.vocabulary import Definition

CHIP = 50
RULES = Definition("crocce_mordecki", VARIANTS["TURN_ALL"].definitions["rules"])

Configuration = tuple[int, int, int]


def configuration(roll: str) -> Configuration:
    """The configuration [f, o, t] of a roll (section 2.1)."""
    tern = next((int(die) for die in "2346" if roll.count(die) >= 3), 0)
    return roll.count("5"), roll.count("1"), tern


@cache
def rolls(dice: int) -> dict[Configuration, dict[str, int]]:
    """Return {configuration: {roll: weight}} for a number of dice."""
    found: dict[Configuration, dict[str, int]] = {}
    for roll in Rules(RULES).rolls(0, dice):
        found.setdefault(configuration(roll.dice), {})[roll.dice] = roll.weight
    return found


@cache
def scoring(i: Configuration) -> tuple[str, int]:
    """Return the scoring dice of a configuration as sorted digits, and their chips."""
    for dice in range(1, 6):
        for roll in Rules(RULES).rolls(0, dice):
            if configuration(roll.dice) == i and roll.options:
                best = max(roll.options, key=lambda option: option.gain)
                return best.keep, best.gain // CHIP
    return "", 0


@cache
def cutoff() -> int:
    """The first total, in whole chips, at which rolling any number of dice risks more than it gains (equation (6))."""
    ratios = []
    for dice in Rules(RULES).modes:
        gains = [(r.weight, max((o.gain for o in r.options), default=0)) for r in Rules(RULES).rolls(0, dice)]
        ratios.append(sum(n * gain for n, gain in gains) / Fraction(sum(n for n, gain in gains if not gain)))
    return CHIP * ceil(max(ratios) / CHIP)


def goal(*_: object) -> int:
    """The target of a match."""
    return Rules.defaults["target"]


def difference_equation_base(*_: object) -> Fraction:
    """The root above 1 of x^2 + ... + x^6 = 6; V(0) x^tau solves the equation of section 5.2."""
    low, high = Fraction(1), Fraction(2)
    while high - low > Fraction(1, 10**20):
        middle = Fraction(round((low + high) / 2 * 10**24), 10**24)
        low, high = (middle, high) if sum(middle**k for k in range(2, 7)) < 6 else (low, middle)
    return high
