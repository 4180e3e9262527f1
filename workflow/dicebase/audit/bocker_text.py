"""The numbers of Böcker's running text (2015), of Figure 1 and of the bins of Figure 2."""

import math
from collections.abc import Iterator
from fractions import Fraction

from dicebase.audit.bocker import (
    DIE,
    FAIR,
    FREE,
    LOADED,
    LOADED_SCORES,
    RANK,
    SCORE,
    SCORES,
    SOURCE,
    decisions,
    mean,
)
from dicebase.audit.catalogue import Catalogue, Place
from dicebase.audit.record import Cell, Ours, follows, read
from dicebase.vocabulary.dice import sums

RULES = "dicebase.games.ten_times_eighteen.Rules"


def numbers(catalogue: Catalogue) -> Iterator[Cell]:
    found = by_rules() | figure_1(catalogue) | counts() | scores(catalogue) | first_calls(catalogue)
    found |= closest_call(catalogue) | five_free(catalogue) | simulations(catalogue) | loaded(catalogue)
    for row in read("bocker_numbers"):
        ours = found[row["name"]]
        yield Cell(f"{row['place']}: {row['name']}", row["printed"], ours if isinstance(ours, Ours) else Ours(*ours))


def by_rules() -> dict[str, tuple]:
    """Sections 1, 2 and 5: the game and its dice."""
    outcomes = sum(FAIR.weights.values())
    P = {roll: Fraction(weight, outcomes) for roll, weight in FAIR.weights.items()}
    found = {
        "slots": FAIR.slots,
        "rounds": FREE.bit_count(),
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
    return {name: (value, RULES) for name, value in found.items()}


def figure_1(catalogue: Catalogue) -> dict[str, tuple]:
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
    filled = printed["fig1_first_slot"], printed["fig1_second_slot"]
    totals = {after_two}
    for slot in set(range(1, FAIR.slots + 1)) - set(filled):
        totals = {total + FAIR.gain(slot, roll) for total in totals for roll in FAIR.weights}
    found["fig1_total"] = min(totals, key=lambda total: abs(total - printed["fig1_total"]))
    return {name: (value, f"{RULES}.gain") for name, value in found.items()}


def counts() -> dict[str, tuple]:
    """Sections 3, 4 and 6: how large trees and tables are."""
    rolls, slots = len(FAIR.weights), FAIR.slots
    entries = max(n for n in range(1000) if 2**n < 10**80)
    found = {
        "edges_from_root": rolls * slots,
        "edges_second_level": rolls * (slots - 1),
        "nodes_second_level": rolls * slots * rolls * (slots - 1),
        "nodes_last_level": Fraction(rolls**slots * math.factorial(slots)),
        "subsets": 1 << slots,
        "largest_table_slots": entries,
        # The only power of ten between the sizes of this table and the next.
        "atoms": Fraction(next(10**k for k in range(100) if 2**entries < 10**k < 2 ** (entries + 1))),
    }
    return {name: (value, "counted") for name, value in found.items()}


def scores(catalogue: Catalogue) -> dict[str, Ours]:
    """Least, greatest and mean scores, and the bins of Figure 2."""
    view = catalogue.view(SCORES, "strategy", "_summary")
    optimal, clairvoyant = catalogue.start(SCORE), mean(view, "clairvoyant")
    least, greatest = view.chosen("least", "optimal"), view.chosen("greatest", "optimal")
    width = greatest.value // 99
    ahead = 10 * round((clairvoyant.value - optimal.value) / 10)
    return {
        "score_min": view.chosen("least", "random"),
        "score_max": view.chosen("greatest", "random"),
        "expected_random": mean(view, "random"),
        "expected_optimal": optimal,
        "expected_optimal_rounded": optimal,
        "expected_optimal_short": optimal,
        "expected_clairvoyant": clairvoyant,
        "clairvoyant_advantage_about": follows(ahead, clairvoyant.query),
        "bin_width": follows(width, greatest.query),
        # From the last bin that no score falls into.
        "bins_from_n": follows(least.value // width - 1, least.query),
        "bins_to_n": follows(greatest.value // width, greatest.query),
    }


def first_calls(catalogue: Catalogue) -> dict[str, Ours]:
    """Section 5: the closest decisions of the first roll, a roll and its mirror image."""
    states = catalogue.view(SCORE, "roll_total", free=FREE)
    actions = catalogue.view(SCORE, "roll_total", "_actions", free=FREE)
    used = f"SELECT DISTINCT action FROM {actions.name} WHERE {actions.where} AND optimal"
    never = sorted(set(range(1, FAIR.slots + 1)) - {int(states.get("action", *roll)) for roll in states.rows})
    margins = {roll: states.get("margin", roll) for (roll,) in states.rows if states.get("margin", roll)}
    close = min(margins.values())
    roll, mirror = sorted(roll for roll, margin in margins.items() if margin - close <= 2 * states.bound)
    second = {r: sorted(actions.rows[r,], key=lambda row: row["regret"])[1] for r in (roll, mirror)}
    by_regret = {r: f"{actions.question('action', r)} ORDER BY regret LIMIT 1 OFFSET 1" for r in second}
    least = f"SELECT roll_total FROM {states.name} WHERE {states.where} AND margin > 0 ORDER BY margin LIMIT 2"
    worth = actions.question("q_value", roll) + f" AND action = '{second[roll]['action']}'"
    return {
        "never_first_slot_a": follows(never[0], used),
        "never_first_slot_b": follows(never[-1], used),
        "first_call_roll": follows(roll, least),
        "first_call_best_slot": actions.best(roll),
        "first_call_runner_up_slot": Ours(int(second[roll]["action"]), by_regret[roll]),
        "first_call_runner_up_value": Ours(second[roll]["q_value"], worth, actions.bound),
        "first_call_difference": states.value(roll, column="margin"),
        "first_call_mirror_roll": follows(mirror, least),
        "first_call_mirror_best_slot": actions.best(mirror),
        "first_call_mirror_runner_up_slot": Ours(int(second[mirror]["action"]), by_regret[mirror]),
    }


def closest_call(catalogue: Catalogue) -> dict[str, Ours]:
    """Section 5: the closest decision of all, among them the one with the most free slots and the lowest roll."""
    view = decisions(catalogue)
    margin = {state: row["margin"] for state, (row,) in view.rows.items() if row["margin"]}
    least = min(margin.values())
    close = [state for state, m in margin.items() if m - least <= 2 * view.bound]
    query = f"SELECT min(margin) FROM {view.name} WHERE {view.where} AND margin > 0"
    where = f"SELECT free, roll_total FROM {view.name} WHERE {view.where} AND margin = ({query})"
    return {
        "game_call_roll": follows(min(roll for _, roll in close), where),
        "game_call_free_slots": follows(max(free.bit_count() for free, _ in close), where),
        "game_call_difference": Ours(least, query, 2 * view.bound),
    }


def five_free(catalogue: Catalogue) -> dict[str, Ours]:
    """Section 6: the rolls that go to each of five free slots, between the expected rolls of four."""
    view = catalogue.view(RANK, "free_slots rank")
    bars = [-math.inf, *(view.get("value", 4, rank) for rank in range(1, 5)), math.inf]
    found = {}
    for k in range(1, 6):
        rolls = [roll for roll in FAIR.weights if bars[k - 1] <= roll <= bars[k]]
        query = f"SELECT rank, value FROM {view.name} WHERE {view.where} AND free_slots = 4"
        found[f"five_free_slot_{k}_from"] = follows(min(rolls), query)
        found[f"five_free_slot_{k}_to"] = follows(max(rolls), query)
    return found


def simulations(catalogue: Catalogue) -> dict[str, Ours]:
    """Section 8: averages of random games beside the means."""
    view = catalogue.view(SCORES, "strategy", "_summary")
    rows = {row["name"]: row["printed"] for row in read("bocker_numbers")}
    strategies = {f"simulated_mean_{strategy}": strategy for strategy in ("optimal", "clairvoyant")}
    # Scores are whole numbers: the least power of ten that makes whole numbers of both averages.
    games = next(
        10**k for k in range(10) if all((10**k * Fraction(rows[name])).denominator == 1 for name in strategies)
    )
    found = {"simulated_games": Ours(games, "the least power of ten that makes both averages sums of whole scores")}
    for name, strategy in strategies.items():
        error = view.get("standard_deviation", strategy) / math.sqrt(games)
        found[name] = mean(view, strategy)._replace(standard_error=error)
    return found


def loaded(catalogue: Catalogue) -> dict[str, Ours]:
    """Section 9."""
    view, faces = catalogue.view(LOADED_SCORES, "strategy", "_summary"), DIE["faces"]
    outcomes, sides = sum(LOADED.weights.values()), sum(faces.values())
    (other,) = {weight for face, weight in faces.items() if face != "12"}
    roll = Fraction(sum(roll * weight for roll, weight in LOADED.weights.items()), outcomes)
    return {
        "loaded_probability_of_12": Ours(Fraction(faces["12"], sides), RULES),
        "loaded_probability_of_other": Ours(Fraction(other, sides), RULES),
        "loaded_outcomes": Ours(outcomes, RULES),
        "loaded_slots": Ours(LOADED.slots, RULES),
        "loaded_mean_roll": Ours(roll, RULES),
        **{f"loaded_expected_{strategy}": mean(view, strategy) for (strategy,) in view.rows},
    }


NEEDS = (SCORE, RANK, SCORES, LOADED_SCORES)
PLACES = (Place(SOURCE, "numbers of the text and of Figure 1", numbers, NEEDS),)
