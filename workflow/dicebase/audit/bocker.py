"""What S. Böcker, Ten Times Eighteen (2015), prints that follows from the rules. Plain points."""

import math
from fractions import Fraction
from functools import cache

from dicebase.audit.catalogue import VARIANTS, Catalogue
from dicebase.audit.record import Row, read
from dicebase.games.ten_times_eighteen import Rules
from dicebase.vocabulary import Definition, sums

DIE = VARIANTS["LOADED_RANK"].definitions["distribution"]
FAIR, LOADED = Rules(), Rules(Definition("two_loaded_d12", DIE), VARIANTS["LOADED_RANK"].parameters["slots"])


def three_dice(catalogue: Catalogue, row: Row) -> int:
    """In how many ways the dice show a roll."""
    return FAIR.weights[int(row["roll"])]


def loaded_dice(catalogue: Catalogue, row: Row) -> int:
    return LOADED.weights[int(row["roll"])]


def number(catalogue: Catalogue, row: Row) -> int | Fraction | None:
    """A number of the text, by its name."""
    name = row["name"]
    return figure_1()[name] if name.startswith("fig1_") else (by_rules() | counts() | loaded()).get(name)


def simulated_games(catalogue: Catalogue, row: Row) -> int:
    """Scores are whole numbers: the least power of ten that makes whole numbers of both averages."""
    averages = [Fraction(r["printed"]) for r in read("bocker_numbers") if r["name"].startswith("simulated_mean_")]
    return next(10**k for k in range(10) if all((10**k * average).denominator == 1 for average in averages))


@cache
def by_rules() -> dict[str, int | Fraction]:
    """Sections 1, 2, 5 and 7: the game and its dice."""
    outcomes = sum(FAIR.weights.values())
    P = {roll: Fraction(weight, outcomes) for roll, weight in FAIR.weights.items()}
    return {
        "slots": FAIR.slots,
        "rounds": FAIR.slots,
        "dice": int(FAIR.distribution.name.partition("d")[0]),
        "roll_min": min(P),
        "roll_max": max(P),
        "outcomes": outcomes,
        "mean_roll": sum(roll * p for roll, p in P.items()),
        "mean_die": Fraction(sum(face * weight for face, weight in sums(6, 1).items()), 6),
        # The least whole number of per cent that is not less.
        "probability_3_to_6_below_percent": math.ceil(100 * sum(P[roll] for roll in range(3, 7))),
        "probability_15_to_18_below_percent": math.ceil(100 * sum(P[roll] for roll in range(15, 19))),
        "all_eighteen_one_in": Fraction(1 / P[max(P)] ** FAIR.slots).numerator,
        "all_eighteen_probability": P[max(P)] ** FAIR.slots,
    }


def figure_1() -> dict[str, int]:
    """Each number of a placement follows from the other two; of the total, the nearest in reach."""
    printed = {row["name"]: int(row["printed"]) for row in read("bocker_numbers") if row["name"].startswith("fig1_")}
    gains = {(roll, slot): FAIR.gain(slot, roll) for roll in FAIR.weights for slot in range(1, FAIR.slots + 1)}
    found = {}
    for turn in ("first", "second"):
        roll, slot, product = (printed[f"fig1_{turn}_{name}"] for name in ("roll", "slot", "product"))
        found[f"fig1_{turn}_roll"] = next(r for (r, s), gain in gains.items() if s == slot and gain == product)
        found[f"fig1_{turn}_slot"] = next(s for (r, s), gain in gains.items() if r == roll and gain == product)
        found[f"fig1_{turn}_product"] = gains[roll, slot]
    after_two = found["fig1_sum_after_two"] = found["fig1_first_product"] + found["fig1_second_product"]
    totals = {after_two}
    for slot in set(range(1, FAIR.slots + 1)) - {printed["fig1_first_slot"], printed["fig1_second_slot"]}:
        totals = {total + FAIR.gain(slot, roll) for total in totals for roll in FAIR.weights}
    return found | {"fig1_total": min(totals, key=lambda total: abs(total - printed["fig1_total"]))}


@cache
def counts() -> dict[str, int | Fraction]:
    """Sections 3, 4 and 6: how large trees and tables are."""
    rolls, slots = len(FAIR.weights), FAIR.slots
    entries = max(n for n in range(1000) if 2**n < 10**80)
    return {
        "edges_from_root": rolls * slots,
        "edges_second_level": rolls * (slots - 1),
        "nodes_second_level": rolls * slots * rolls * (slots - 1),
        "nodes_last_level": Fraction(rolls**slots * math.factorial(slots)),
        "subsets": 1 << slots,
        "largest_table_slots": entries,
        # The only power of ten between the sizes of this table and the next.
        "atoms": Fraction(next(10**k for k in range(100) if 2**entries < 10**k < 2 ** (entries + 1))),
    }


@cache
def loaded() -> dict[str, int | Fraction]:
    """Section 9."""
    faces, outcomes = DIE["faces"], sum(LOADED.weights.values())
    (other,) = {weight for face, weight in faces.items() if face != "12"}
    return {
        "loaded_probability_of_12": Fraction(faces["12"], sum(faces.values())),
        "loaded_probability_of_other": Fraction(other, sum(faces.values())),
        "loaded_outcomes": outcomes,
        "loaded_slots": LOADED.slots,
        "loaded_mean_roll": Fraction(sum(roll * weight for roll, weight in LOADED.weights.items()), outcomes),
    }
