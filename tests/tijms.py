"""Tijms and van der Wal's tables, cell by cell, beside the tables of dicebase; G is the target, D the most dice."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from dicebase.games.hog import Rules
from hog_rounds import Stage, stage
from printed import Cell, cell, read
from throw_checks import build, tabulated
from turn_checks import read_rows

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
# Numbers of the text that say where something else is printed.
PLACES = {"example_row", "example_column", "overshoot_row", "overshoot_column"}


def chances(dice: int) -> dict[int, Fraction]:
    """{gain: probability} of one throw."""
    weights = Rules(max_dice=dice).gains(dice)
    return {gain: Fraction(weight, sum(weights.values())) for gain, weight in weights.items()}


@cache
def table(match: str, **variant: int) -> dict[tuple, tuple]:
    """A published table: {state: (throws, what is said of them, probabilities)}."""
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


def dice(place: str, name: str, printed: str, optimal: list[int]) -> Cell:
    """A printed number of dice, which agrees if it is one of the best."""
    return cell(place, name, printed, int(printed) if int(printed) in optimal else optimal[0])


# --- the printed cells -------------------------------------------------------------------------------------------


def table_1() -> Iterator[Cell]:
    means = table("turn", max_dice=30)[()][1].q_values
    for row in read("tijms_table_1"):
        q = chances(d := int(row["d"]))
        mean = sum(i * p for i, p in q.items())
        assert float(mean) == means[d - 1]
        deviation = math.sqrt(sum(i * i * p for i, p in q.items()) - mean * mean)
        yield cell("Table 1", f"mean of {d}", row["mean"], mean)
        yield cell("Table 1", f"deviation of {d}", row["deviation"], Fraction(deviation))
        yield cell("Table 1", f"chance of {d}", row["q0"], 1 - q[0])


def table_2() -> Iterator[Cell]:
    for row in read("tijms_table_2"):
        i = int(row["i"])
        value = table("race", target=G, max_dice=SHOW)[i,][1].value
        yield cell("Table 2", f"V({i})", row["V"], Fraction(value))
        yield dice("Table 2", f"d({i})", row["d"], best("race", i, target=G, max_dice=SHOW))


def table_3() -> Iterator[Cell]:
    for row in read("tijms_table_3"):
        at, name = (int(row["L"]), int(row["i"])), f"{row['name']}({row['i']}), L = {row['L']}"
        if row["legible"] == "no":
            continue
        variant = {"target": G, "max_dice": SHOW, "throws": 6}
        if row["name"] == "P":
            yield cell("Table 3", name, row["printed"], Fraction(table("reach", **variant)[at][1].value))
        else:
            yield dice("Table 3", name, row["printed"], best("reach", *at, **variant))


@cache
def replies(most: int = SHOW) -> dict[int, dict[int, Fraction]]:
    """{d: {l: V^(d,l)(G-1, G-1)}}: both throw the same again until somebody scores, which ends the game."""
    game, last = build("hog", "simultaneous", {"target": G, "max_dice": most}), (G - 1, G - 1)
    found: dict[int, dict[int, Fraction]] = {}
    for d in game.rules.choices:
        for reply in game.rules.choices:
            outcomes = list(game.outcomes(game.afterstate(last, (str(d), str(reply)))))
            over = [o for o in outcomes if o.state is None]
            assert all(o.state == last for o in outcomes if o.state is not None)
            found.setdefault(d, {})[reply] = Fraction(
                sum(o.weight * o.reward for o in over), sum(o.weight for o in over)
            )
    return found


def table_4() -> Iterator[Cell]:
    for row in read("tijms_table_4"):
        of = replies()[d := int(row["d"])]
        least = min(of.values())
        yield cell("Table 4", f"worst of {d}", row["worst"], least)
        yield dice("Table 4", f"reply to {d}", row["best_response"], [reply for reply in of if of[reply] == least])


def table_5() -> Iterator[Cell]:
    for row in read("tijms_table_5"):
        if row["legible"] == "no":
            continue
        probability = Fraction(rounds().mix[state(row["row"], row["column"])][int(row["dice"]) - 1])
        name, certain = f"({row['row']}, {row['column']}), {row['dice']} dice", row["printed"] in ("0", "1")
        # A whole number is a certainty, not a rounded number.
        yield cell("Table 5", name, row["printed"], str(probability) if certain else probability)


def numbers() -> Iterator[Cell]:
    """The numbers of the running text."""
    computed = _one_throw() | _alone() | _together()
    for row in read("tijms_text"):
        if row["name"] not in PLACES:
            yield cell(row["place"], row["name"], row["printed"], computed.pop(row["name"]))
    assert not computed


def _one_throw() -> dict[str, Fraction | int | str]:
    """Sections 1 and 2."""
    faces = [face for face in chances(1) if face]
    clean = {d: 1 - chances(d)[0] for d in range(1, 31)}
    means = {d: sum(i * p for i, p in chances(d).items()) for d in clean}
    squares = {d: sum(i * i * p for i, p in chances(d).items()) / clean[d] for d in clean}
    (mean,) = {means[d] / clean[d] / d for d in clean}
    d2, d1 = squares[2] / 2 - squares[1], 2 * squares[1] - squares[2] / 2
    assert all(squares[d] == d2 * d * d + d1 * d for d in clean)
    one, other = best("turn", max_dice=30)
    (tied,) = (d for d in range(1, 30) if means[d + 1] == means[d])
    return {
        "show_dice_max": Rules().max_dice,
        "losing_face": next(face for face in range(1, 7) if face not in faces),
        "mean_face_without_1": Fraction(sum(faces), len(faces)),
        "faces_min_without_1": min(faces),
        "faces_max_without_1": max(faces),
        "probability_no_1_one_die": str(clean[1]),
        "mean_gain_factor": mean,
        "second_moment_d2_factor": d2,
        "second_moment_d_factor": d1,
        "best_dice_single_throw_a": one,
        "best_dice_single_throw_b": other,
        "difference_zero_at_d": tied,
        "remark_lose_probability": str(chances(1)[0]),
        "remark_win_probability": str(clean[1]),
        "remark_win_points": means[1] / clean[1],
        "risky_from_dice": max(one, other) + 1,
        "distance_decrease_min": min(faces),
    }


def _alone() -> dict[str, int]:
    """Sections 3.1 and 3.2."""
    race, reach = {"target": G, "max_dice": SHOW}, {"target": G, "max_dice": SHOW, "throws": 6}
    most = [max(best("race", i, **race)) for i in range(G)]
    # The more points the fewer dice, but for one state where a second throw that scores is no longer planned.
    (last,) = (i for i in range(G - 1) if most[i] < most[i + 1])
    assert all(i + 4 * most[i] < G <= i + 4 * most[i] + 4 * most[i + 4 * most[i]] for i in range(last + 1))
    assert 4 * most[last + 1] >= G - last - 1
    return {
        "race_largest_dice": max(most),
        "race_target": build("hog", "race", {}).target,
        "race_two_throws_from_state": 0,
        "race_two_throws_to_state": last,
        "race_one_throw_from_state": last + 1,
        "reach_target": build("hog", "reach", {}).target,
        "reach_0_left_6_dice": best("reach", 6, 0, **reach)[0],
        "reach_0_left_5_dice": best("reach", 5, 0, **reach)[0],
        "reach_then_17_dice": best("reach", 4, 17, **reach)[0],
        "reach_then_22_dice": best("reach", 4, 22, **reach)[0],
    }


def _together() -> dict[str, Fraction | int | str]:
    """Sections 3.3 to 4.1."""
    least = {d: min(of.values()) for d, of in replies().items()}
    answer = {d: min(of, key=of.get) for d, of in replies().items()}
    ours, example, overshoot = rounds(), state("G-1", "G-3"), state("G-5", "G-13")
    mixed = [(a, b) for a in range(G) for b in range(G) if (ours.mix[a, b] > 0).sum() > 1]
    best_alone = max(least, key=least.get)
    return {
        "symmetric_value": int(ours.value[G - 1, G - 1]),
        "deterministic_best_dice": best_alone,
        "deterministic_best_value": least[best_alone],
        "one_more_below_dice": next(d for d in answer if answer[d] != d + 1),
        "one_die_reply": answer[SHOW],
        "table5_dice_max": ours.mix.shape[2],
        **{f"example_{d}_dice": Fraction(ours.mix[example][d - 1]) for d in (2, 4, 5)},
        "pure_below": f"G-{FAR}" if min(map(min, mixed)) >= G - FAR else "not there",
        "overshoot_player_1_dice": int(ours.mix[overshoot].argmax()) + 1,
        "overshoot_player_2_dice": int(ours.mix[overshoot[::-1]].argmax()) + 1,
    }


TABLES = {"1": table_1, "2": table_2, "3": table_3, "4": table_4, "5": table_5}


def all_cells() -> list[Cell]:
    return [c for part in (*TABLES.values(), numbers) for c in part()]
