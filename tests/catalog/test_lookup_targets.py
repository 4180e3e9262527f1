"""Targets that are not solved: if totals never fall, a larger solved target gives the answers of the reference."""

import pytest

from dicebase.vocabulary import MissingTableError
from reference import hog, matches
from reference.hog_simultaneous import Simultaneous
from reference.matches_ten_thousand import ten_thousand
from support import kept_rolls

GRID = kept_rolls.results
DUEL = ["me", "opponent", "turn_total"]
REACH = ["turns_left", "banked", "turn_total"]


def check(answer, expected):
    """Compare the values of actions with those of the reference."""
    expected = {str(action): float(value) for action, value in expected.items() if value is not None}
    assert {a["action"]: a["value"] for a in answer["actions"]} == pytest.approx(expected, abs=1e-11)


TURNS = [
    *(("pig_race", {"target": t}, REACH[1:], lambda t=t: matches.race(matches.pig(), t, float)) for t in (1, 17, 29)),
    *(
        ("pig_reach", {"target": t, "turns": n}, REACH, lambda t=t, n=n: matches.reach(matches.pig(), t, n, float))
        for t, n in ((17, 4), (17, 3), (25, 5), (30, 1), (26, 6))
    ),
    # If totals can fall, a variant still answers for fewer turns.
    (
        "pig_reach",
        {"target": 10, "turns": 3, "dice": 2},
        REACH,
        lambda: matches.reach(matches.pig(dice=2), 10, 3, float),
    ),
    *(("pig_duel", {"target": t}, DUEL, lambda t=t: matches.duel(matches.pig(), t, float)) for t in (7, 13)),
    # A target between two totals is the same as the larger total.
    *(
        ("ten_thousand_duel", {"target": t}, [*DUEL, "dice"], lambda t=t: matches.duel(ten_thousand(), t, float))
        for t in (350, 320, 450)
    ),
]


@pytest.mark.parametrize(("table", "parameters", "columns", "solve"), TURNS)
def test_unsolved_targets_have_the_answers_of_the_reference(db, table, parameters, columns, solve):
    stop = "bank" if table.startswith("ten") else "hold"
    for position, (rolled, banked) in sorted(solve()[1].items())[:: 1 if table == "pig_race" else 6]:
        state = dict(zip(columns, position, strict=False))
        answer = db.lookup(table, **parameters, **state)
        assert answer["parameters"].items() >= parameters.items() and answer["state"] == state
        check(answer, {"roll": rolled, stop: banked})


def test_a_roll_is_ranked_at_an_unsolved_target(db):
    answer = db.lookup("ten_thousand_duel", target=350, me=100, opponent=50, turn_total=100, roll="115")
    larger = db.lookup("ten_thousand_duel", target=500, me=250, opponent=200, turn_total=100, roll="115")
    assert answer["actions"] == larger["actions"] and answer["value"] == larger["value"] == 1
    assert answer["parameters"]["target"] == 350 and answer["state"]["me"] == 100


def test_unsolved_targets_of_hog_have_the_answers_of_the_reference(db):
    for (score,), expected in hog.race(11, 4)[0].items():
        check(db.lookup("hog_race", target=11, max_dice=4, score=score), expected)
    for (left, score), expected in hog.reach(11, 3, 4)[0].items():
        check(db.lookup("hog_reach", target=11, max_dice=4, throws=3, throws_left=left, score=score), expected)
    for (me, opponent), expected in hog.duel(7, 3)[0].items():
        check(db.lookup("hog_duel", target=7, max_dice=3, me=me, opponent=opponent), expected)
    game = Simultaneous(4, 3)
    for me in range(4):
        answer = db.lookup("hog_simultaneous", target=4, max_dice=3, me=me, opponent=1)
        assert answer["value"] == pytest.approx(float(game.low[me, 1]), abs=1e-11)
        assert sum(a["probability"] for a in answer["actions"]) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("table", "position"),
    [
        ("pig_reach", {"target": 9, "turns": 3, "dice": 2, "turns_left": 1, "banked": 0, "turn_total": 0}),
        ("hog_duel", {"target": 7, "max_dice": 3, "on_one": "all", "me": 0, "opponent": 0}),
        ("hog_simultaneous", {"target": 4, "max_dice": 3, "on_one": "all", "me": 0, "opponent": 0}),
    ],
)
def test_no_larger_target_answers_if_totals_can_fall(db, table, position):
    with pytest.raises(MissingTableError, match=r"totals can fall, so no larger target answers for this one$"):
        db.lookup(table, **position)
