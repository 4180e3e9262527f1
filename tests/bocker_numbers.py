"""The numbers of Böcker's running text, one by one, beside the rules, solvers and published tables of dicebase."""

import math
from collections.abc import Iterator
from fractions import Fraction

from bocker import ALL, DIE, FAIR, LOADED, closest, placed, production, ranks, scores, sets
from dicebase.dice import sums
from dicebase.solve.scores import Scores
from printed import Cell, cell, read
from reference.ten_times_eighteen_scores import mean, standard_deviation

STANDARD_ERRORS = 5  # fewer than one simulation in a million is further from its mean


def numbers() -> Iterator[Cell]:
    """The numbers of the running text and of Figure 1."""
    computed = game() | figure_1() | decisions() | sizes() | future() | loaded()
    for row in read("bocker_numbers"):
        if row["name"] in computed:
            yield cell(row["place"], row["name"], row["printed"], computed[row["name"]])
    yield from simulations()


def game() -> dict[str, Fraction | int | str]:
    outcomes = sum(FAIR.weights.values())
    return {
        "slots": FAIR.slots,
        "rounds": ALL.bit_count(),
        "dice": int(FAIR.distribution.partition("d")[0]),
        "roll_min": min(FAIR.weights),
        "roll_max": max(FAIR.weights),
        "score_min": min(scores(FAIR)["random"]),
        "score_max": max(scores(FAIR)["random"]),
        "outcomes": outcomes,
        "mean_roll": Fraction(sum(x * w for x, w in FAIR.weights.items()), outcomes),
        "mean_die": Fraction(sum(x * w for x, w in sums(6, 1).items()), 6),
        "expected_random": mean(scores(FAIR)["random"]),
    }


def figure_1() -> dict[str, int]:
    """Each number of a placement follows from the other two; the total is one that play can reach."""
    first = {(x, s): FAIR.gain(s, x) for x in FAIR.weights for s in range(1, FAIR.slots + 1)}
    printed = {row["name"]: int(row["printed"]) for row in read("bocker_numbers") if row["name"].startswith("fig1_")}
    computed = {}
    for turn in ("first", "second"):
        x, slot, product = (printed[f"fig1_{turn}_{name}"] for name in ("roll", "slot", "product"))
        computed[f"fig1_{turn}_roll"] = next(r for (r, s), gain in first.items() if s == slot and gain == product)
        computed[f"fig1_{turn}_slot"] = next(s for (r, s), gain in first.items() if r == x and gain == product)
        computed[f"fig1_{turn}_product"] = first[x, slot]
    computed["fig1_sum_after_two"] = computed["fig1_first_product"] + computed["fig1_second_product"]
    filled = printed["fig1_first_slot"], printed["fig1_second_slot"]
    left = Scores(FAIR.weights, [m for m in FAIR.factors if m not in filled]).random()
    totals = (computed["fig1_sum_after_two"] + score for score in left)
    computed["fig1_total"] = next(total for total in totals if total == printed["fig1_total"])
    return computed


def decisions() -> dict[str, Fraction | int]:
    """Sections 3 to 5."""
    P = {x: Fraction(w, sum(FAIR.weights.values())) for x, w in FAIR.weights.items()}
    never = sorted(set(range(1, FAIR.slots + 1)) - {placed(ALL, x)[0] for x in P})
    second_level = [len(production()[ALL & ~(1 << slot), x][0]) for slot in range(FAIR.slots) for x in P]
    first, (call, mirror) = closest({(ALL, x) for x in P})
    whole, places = closest(set(production()))
    return {
        "edges_from_root": sum(len(production()[ALL, x][0]) for x in P),
        "edges_second_level": sum(second_level) // FAIR.slots,
        "nodes_second_level": sum(second_level) * len(P),
        "nodes_last_level": Fraction(len(P) ** FAIR.slots * math.factorial(FAIR.slots)),
        "subsets": len(sets(FAIR)),
        "expected_optimal": sets(FAIR)[ALL],
        # The least whole number of per cent that is not less.
        "probability_3_to_6_below_percent": math.ceil(100 * sum(P[x] for x in range(3, 7))),
        "probability_15_to_18_below_percent": math.ceil(100 * sum(P[x] for x in range(15, 19))),
        "never_first_slot_a": never[0],
        "never_first_slot_b": never[-1],
        "first_call_roll": call[1],
        "first_call_best_slot": placed(*call)[0],
        "first_call_runner_up_slot": placed(*call)[1],
        "first_call_runner_up_value": Fraction(production()[call][1].q_values[placed(*call)[1] - 1]),
        "first_call_difference": Fraction(first),
        "first_call_mirror_roll": mirror[1],
        "first_call_mirror_best_slot": placed(*mirror)[0],
        "first_call_mirror_runner_up_slot": placed(*mirror)[1],
        "game_call_roll": min(x for _, x in places),
        "game_call_free_slots": max(free.bit_count() for free, _ in places),
        "game_call_difference": Fraction(whole),
    }


def sizes() -> dict[str, Fraction | int]:
    """Section 6: one entry an atom, and the example of five free slots."""
    entries = max(n for n in range(1000) if 2**n < 10**80)
    computed = {
        "largest_table_slots": entries,
        # The only power of ten between the sizes of this table and the next.
        "atoms": Fraction(next(10**k for k in range(100) if 2**entries < 10**k < 2 ** (entries + 1))),
    }
    bars = [-math.inf, *(ranks(FAIR)[4, i] for i in range(1, 5)), math.inf]
    for i in range(1, 6):
        rolls = [x for x in FAIR.weights if bars[i - 1] <= x <= bars[i]]
        computed |= {f"five_free_slot_{i}_from": min(rolls), f"five_free_slot_{i}_to": max(rolls)}
    return computed


def future() -> dict[str, Fraction | int]:
    """Section 7, and the bins of Figure 2."""
    optimal, clairvoyant = (mean(scores(FAIR)[strategy]) for strategy in ("optimal", "clairvoyant"))
    highest = max(scores(FAIR)["optimal"])
    width = highest // 99
    return {
        "expected_optimal_rounded": optimal,
        "all_eighteen_one_in": int(1 / scores(FAIR)["optimal"][highest]),
        "all_eighteen_probability": scores(FAIR)["optimal"][highest],
        "expected_clairvoyant": clairvoyant,
        "expected_optimal_short": optimal,
        "clairvoyant_advantage_about": 10 * round((clairvoyant - optimal) / 10),
        "bin_width": width,
        # From the last bin that no score falls into.
        "bins_from_n": min(scores(FAIR)["optimal"]) // width - 1,
        "bins_to_n": highest // width,
    }


def loaded() -> dict[str, Fraction | int | str]:
    """Section 9."""
    faces, outcomes = DIE["faces"], sum(LOADED.weights.values())
    others = {Fraction(w, sum(faces.values())) for face, w in faces.items() if face != 12}
    found = {strategy: mean(chances) for strategy, chances in scores(LOADED).items()}
    return {
        "loaded_probability_of_12": str(Fraction(faces[12], sum(faces.values()))),
        "loaded_probability_of_other": " ".join(map(str, others)),
        "loaded_outcomes": outcomes,
        "loaded_slots": LOADED.slots,
        "loaded_mean_roll": Fraction(sum(x * w for x, w in LOADED.weights.items()), outcomes),
        "loaded_expected_optimal": found["optimal"],
        "loaded_expected_clairvoyant": found["clairvoyant"],
        "loaded_expected_random": found["random"],
    }


def simulations() -> Iterator[Cell]:
    """Section 8: averages of random games, as far from the mean as chance allows."""
    rows = {row["name"]: row for row in read("bocker_numbers")}
    means = {s: Fraction(rows[f"simulated_mean_{s}"]["printed"]) for s in ("optimal", "clairvoyant")}
    # Scores are whole numbers: the least power of ten that makes whole numbers of both averages.
    games = next(10**k for k in range(10) if all((10**k * m).denominator == 1 for m in means.values()))
    yield cell("section 8", "simulated_games", rows["simulated_games"]["printed"], games)
    for strategy, printed in means.items():
        chances, row = scores(FAIR)[strategy], rows[f"simulated_mean_{strategy}"]
        away = abs(printed - mean(chances)) / Fraction(standard_deviation(chances) / math.sqrt(games))
        yield Cell(row["place"], row["name"], row["printed"], mean(chances), away <= STANDARD_ERRORS)
