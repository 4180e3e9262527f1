"""The numbers of the running text of Tijms and van der Wal (2005)."""

from collections.abc import Iterator
from fractions import Fraction

from dicebase.audit.catalogue import Catalogue, Place
from dicebase.audit.record import Cell, Ours, follows, read
from dicebase.audit.tijms import (
    RACE,
    REACH,
    ROUNDS,
    RULES,
    SHOW,
    SOURCE,
    THROWS,
    G,
    chances,
    points,
    replies,
)
from dicebase.games.hog import Rules

PLACES_NAMED = {"example_row", "example_column", "overshoot_row", "overshoot_column"}
"""Numbers that say where something else is printed."""


def numbers(catalogue: Catalogue) -> Iterator[Cell]:
    found = one_throw(catalogue) | alone(catalogue) | last_point() | together(catalogue)
    for row in read("tijms_text"):
        if row["name"] not in PLACES_NAMED:
            yield Cell(f"{row['place']}: {row['name']}", row["printed"], found[row["name"]])


def one_throw(catalogue: Catalogue) -> dict[str, Ours]:
    """Sections 1, 2 and 4."""
    faces = [face for face in chances(1) if face]
    clean = {d: 1 - chances(d)[0] for d in range(1, 31)}
    means = {d: sum(gain * p for gain, p in chances(d).items()) for d in clean}
    squares = {d: sum(gain * gain * p for gain, p in chances(d).items()) / clean[d] for d in clean}
    one, other = catalogue.view(THROWS, "sides", "_actions").best(6).value
    (tied,) = (d for d in range(1, 30) if means[d + 1] == means[d])
    found = {
        "show_dice_max": Rules().max_dice,
        "losing_face": next(face for face in range(1, 7) if face not in faces),
        "mean_face_without_1": Fraction(sum(faces), len(faces)),
        "faces_min_without_1": min(faces),
        "faces_max_without_1": max(faces),
        "probability_no_1_one_die": clean[1],
        "mean_gain_factor": means[1] / clean[1],
        "second_moment_d2_factor": squares[2] / 2 - squares[1],
        "second_moment_d_factor": 2 * squares[1] - squares[2] / 2,
        "difference_zero_at_d": tied,
        "remark_lose_probability": chances(1)[0],
        "remark_win_probability": clean[1],
        "remark_win_points": means[1] / clean[1],
        "distance_decrease_min": min(faces),
    }
    best = catalogue.view(THROWS, "sides", "_actions").best(6).query
    return {name: Ours(value, RULES) for name, value in found.items()} | {
        "best_dice_single_throw_a": follows(one, best),
        "best_dice_single_throw_b": follows(other, best),
        "risky_from_dice": follows(max(one, other) + 1, best),
    }


def alone(catalogue: Catalogue) -> dict[str, Ours]:
    """Sections 3.1 and 3.2."""
    race, reach = catalogue.view(RACE, "score", "_actions"), catalogue.view(REACH, "throws_left score", "_actions")
    most = {i: max(int(row["action"]) for row in race.rows[i,] if row["optimal"]) for i in range(G)}
    query = f"SELECT score, action FROM {race.name} WHERE {race.where} AND optimal"
    # The more points the fewer dice, but for one state where a second throw that scores is no longer planned.
    last = next(i for i in range(G - 1) if most[i] < most[i + 1])
    return {
        "race_largest_dice": follows(max(most.values()), query),
        "race_target": Ours(Rules.defaults["target"], "dicebase.games.hog.Rules.defaults"),
        "race_two_throws_from_state": follows(min(most), query),
        "race_two_throws_to_state": follows(last, query),
        "race_one_throw_from_state": follows(last + 1, query),
        "reach_target": Ours(Rules.defaults["target"], "dicebase.games.hog.Rules.defaults"),
        "reach_0_left_6_dice": reach.best(6, 0),
        "reach_0_left_5_dice": reach.best(5, 0),
        "reach_then_17_dice": reach.best(4, 17),
        "reach_then_22_dice": reach.best(4, 22),
    }


def last_point() -> dict[str, Ours]:
    """Section 3.4, after Table 4."""
    least = {d: min(of.values()) for d, of in replies().items()}
    answer = {d: min(of, key=of.get) for d, of in replies().items()}
    best = max(least, key=least.get)
    found = {
        "deterministic_best_dice": best,
        "deterministic_best_value": least[best],
        "one_more_below_dice": next(d for d in answer if answer[d] != d + 1),
        "one_die_reply": answer[SHOW],
    }
    return {name: Ours(value, "dicebase.audit.tijms.replies") for name, value in found.items()}


def together(catalogue: Catalogue) -> dict[str, Ours]:
    """Sections 3.4 to 4.1."""
    printed = {row["name"]: row["printed"] for row in read("tijms_text")}
    states = catalogue.view(ROUNDS, "me opponent")
    throws = catalogue.view(ROUNDS, "me opponent action", "_actions")
    example = points(printed["example_row"]), points(printed["example_column"])
    overshoot = points(printed["overshoot_row"]), points(printed["overshoot_column"])
    mixed = f"SELECT min(least(me, opponent)) FROM {states.name} WHERE {states.where} AND action = 'mixed'"
    lowest = catalogue.ask(mixed)
    return {
        "symmetric_value": states.value(G - 1, G - 1),
        "table5_dice_max": Ours(ROUNDS.parameters["max_dice"], "the variant of Table 5"),
        **{f"example_{d}_dice": throws.chosen("probability", *example, str(d)) for d in (2, 4, 5)},
        # The greatest total up to which nobody mixes.
        "pure_below": follows(f"G-{G - lowest.value + 1}", mixed),
        "overshoot_player_1_dice": dice(states.chosen("action", *overshoot)),
        "overshoot_player_2_dice": dice(states.chosen("action", *overshoot[::-1])),
    }


def dice(ours: Ours) -> Ours:
    """A number of dice that is stored as a word."""
    return ours._replace(value=int(ours.value))


NEEDS = (THROWS, RACE, REACH, ROUNDS)
PLACES = (Place(SOURCE, "numbers of the text", numbers, NEEDS),)
