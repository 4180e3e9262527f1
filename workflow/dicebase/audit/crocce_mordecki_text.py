"""The numbers of the running text of Crocce and Mordecki (2014), in chips of 50 points but for Pig."""

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from dicebase.audit.catalogue import Catalogue, Place, Variant
from dicebase.audit.crocce_mordecki import CHIP, RULES, SOURCE, TURNS, cutoff, resigned
from dicebase.audit.record import Cell, Ours, read
from dicebase.games.ten_thousand import Rules

PIG = Variant("pig_turn", {"sides": 6, "dice": 1})


def difference_equation_base() -> Fraction:
    """The root above 1 of x^2 + ... + x^6 = 6, for which V(0) x^tau solves the equation of section 5.2."""
    low, high = Fraction(1), Fraction(2)
    while high - low > Fraction(1, 10**20):
        middle = Fraction(round((low + high) / 2 * 10**24), 10**24)
        low, high = (middle, high) if sum(middle**k for k in range(2, 7)) < 6 else (low, middle)
    return high


def numbers(catalogue: Catalogue) -> Iterator[Cell]:
    """The numbers of the running text."""
    points = RULES.content["combinations"].values()
    stop_from = Ours(cutoff() // CHIP, "equation (6): dicebase.audit.crocce_mordecki.cutoff() / 50")
    computed = {
        "points_per_chip": Ours(gcd(*points), "the greatest common divisor of the points of Table 1"),
        "dice": Ours(Rules(RULES).modes[0], "dicebase.games.ten_thousand.Rules.modes"),
        "goal_points": Ours(Rules.defaults["target"], "dicebase.games.ten_thousand.Rules.defaults"),
        "actions": Ours(2 + len(resigned("all")), "dicebase.games.ten_thousand.Rules.rolls"),
        "stop_from_tau": stop_from,
        "game_value": catalogue.start(TURNS["all"], over=CHIP),
        "critical_threshold": stop_from,
        "threshold_lemma": stop_from,
        "iterations": stop_from,
        "stop_or_roll_value": catalogue.start(TURNS["stop_roll"], over=CHIP),
        "pig_threshold": catalogue.ask("min(turn_total)", f"pig_turn WHERE {PIG.where} AND action = 'hold'"),
        "pig_value": catalogue.start(PIG),
        "pig_difference_equation_base": Ours(
            difference_equation_base(), "dicebase.audit.crocce_mordecki_text.difference_equation_base"
        ),
    }
    for row in read("crocce_mordecki_numbers"):
        yield Cell(f"{row['place']}: {row['name']}", row["printed"], computed[row["name"]])


PLACES = (Place(SOURCE, "numbers of the text", numbers, (*TURNS.values(), PIG)),)
