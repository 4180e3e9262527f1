"""Targets that are not solved: where totals never fall, a larger one that is solved answers."""

import json

import pyarrow as pa
import pytest

from dicebase.cli import main
from dicebase.vocabulary import MissingStateError, MissingTableError
from reference import hog, matches
from reference.hog_simultaneous import Simultaneous
from reference.matches_ten_thousand import ten_thousand
from support import commands, grids

CONFIG = (
    grids.CROCCE_MORDECKI
    + """
tables:
  pig_race:
    - {target: 30}
  pig_reach:
    - {target: [25, 30], turns: [4, 6], slice_by: []}
    - {target: 10, turns: 4, dice: 2}
  pig_duel:
    - {target: [10, 20, 30], slice_by: []}
    - {target: [8, 12], dice: 2, slice_by: [dice]}
  ten_thousand_duel:
    - {target: [150, 500], slice_by: []}
  hog_race:
    - {target: 20, max_dice: 4}
  hog_reach:
    - {target: 20, max_dice: 4, throws: 4}
  hog_duel:
    - {target: 12, max_dice: 3, on_one: [nothing, all]}
  hog_simultaneous:
    - {target: 7, max_dice: 3, on_one: [nothing, all]}
"""
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "targets", lambda folder: grids.build(folder / "results", CONFIG)) / "results"


def values(answer):
    return {a["action"]: a["value"] for a in answer["actions"]}


def close(expected):
    return pytest.approx({action: float(value) for action, value in expected.items()}, abs=1e-11)


def check_turns(db, table, parameters, columns, decisions, stop, every=1):
    """Every position of the reference's decisions against a lookup."""
    for position, (rolled, banked) in sorted(decisions.items())[::every]:
        state = dict(zip(columns, position, strict=False))
        answer = db.lookup(table, **parameters, **state)
        assert answer["parameters"].items() >= parameters.items() and answer["state"] == state
        assert values(answer) == close({"roll": rolled} | ({} if banked is None else {stop: banked}))


@pytest.mark.parametrize("target", [1, 17, 29])
def test_races_of_pig(db, target):
    decisions = matches.race(matches.pig(), target, float)[1]
    check_turns(db, "pig_race", {"target": target}, ["banked", "turn_total"], decisions, "hold")


@pytest.mark.parametrize(("target", "turns"), [(17, 4), (17, 3), (25, 5), (30, 1), (26, 6)])
def test_reaches_of_pig_with_fewer_turns_and_a_smaller_target(db, target, turns):
    decisions = matches.reach(matches.pig(), target, turns, float)[1]
    columns = ["turns_left", "banked", "turn_total"]
    check_turns(db, "pig_reach", {"target": target, "turns": turns}, columns, decisions, "hold", every=7)
    state = {"turns_left": turns + 1, "banked": 0, "turn_total": 0}
    with pytest.raises(MissingStateError, match=f"turns_left is from 1 to {turns}"):
        db.lookup("pig_reach", target=target, turns=turns, **state)


def test_fewer_turns_alone_are_answered_where_totals_can_fall_too(db):
    decisions = matches.reach(matches.pig(dice=2), 10, 3, float)[1]
    columns = ["turns_left", "banked", "turn_total"]
    check_turns(db, "pig_reach", {"target": 10, "turns": 3, "dice": 2}, columns, decisions, "hold")
    with pytest.raises(MissingTableError, match="totals can fall"):
        db.lookup("pig_reach", target=9, turns=3, dice=2, turns_left=1, banked=0, turn_total=0)


@pytest.mark.parametrize("target", [7, 13])
def test_duels_of_pig(db, target):
    decisions = matches.duel(matches.pig(), target, float)[1]
    check_turns(db, "pig_duel", {"target": target}, ["me", "opponent", "turn_total"], decisions, "hold", every=4)


def test_the_smallest_larger_target_answers(db):
    asked = {"me": 3, "opponent": 1, "turn_total": 4}
    assert values(db.lookup("pig_duel", target=17, **asked)) == values(
        db.lookup("pig_duel", target=20, me=6, opponent=4, turn_total=4)
    )


@pytest.mark.parametrize("target", [350, 320, 450])
def test_duels_of_ten_thousand_where_a_target_between_two_totals_is_the_larger_one(db, target):
    decisions = matches.duel(ten_thousand(), target, float)[1]
    columns = ["me", "opponent", "turn_total", "dice"]
    check_turns(db, "ten_thousand_duel", {"target": target}, columns, decisions, "bank", every=7)


def test_a_roll_at_another_target(db):
    answer = db.lookup("ten_thousand_duel", target=350, me=100, opponent=50, turn_total=100, roll="115")
    larger = db.lookup("ten_thousand_duel", target=500, me=250, opponent=200, turn_total=100, roll="115")
    assert answer["actions"] == larger["actions"] and answer["value"] == larger["value"] == 1
    assert answer["parameters"]["target"] == 350 and answer["state"]["me"] == 100
    for roll, why in (("22", "one rolls 3 or 4 dice, not 2"), ("223", "the turn is lost"), ("9", "digits from 1 to 6")):
        with pytest.raises(MissingStateError, match=f"me=100 opponent=50 turn_total=100 roll={roll}: .*{why}"):
            db.lookup("ten_thousand_duel", target=350, me=100, opponent=50, turn_total=100, roll=roll)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"me": -1, "opponent": 0, "turn_total": 0}, "whole number from 0, less than the target of 17"),
        ({"me": 17, "opponent": 0, "turn_total": 0}, "less than the target of 17"),
        ({"me": 0, "opponent": 18, "turn_total": 0}, "less than the target of 17"),
        ({"me": 5, "opponent": 0, "turn_total": 12}, "12 points end the match"),
        ({"me": 5, "opponent": 0, "turn_total": 1}, "no turn comes to this position"),
    ],
)
def test_a_position_that_the_target_does_not_have_is_missing(db, state, why):
    with pytest.raises(MissingStateError, match=why) as error:
        db.lookup("pig_duel", target=17, **state)
    assert str(error.value).startswith(f"pig_duel: no decision at me={state['me']} ")
    assert db.get("pig_duel", "none", target=17, **state) == "none"


@pytest.mark.parametrize(
    ("table", "parameters", "why"),
    [
        ("pig_duel", {"target": 31}, r"not solved for sides=6 dice=1 target=31; solved are .*\)$"),
        ("pig_duel", {"target": 9, "sides": 4}, r"not solved for sides=4 dice=1 target=9; solved are .*\)$"),
        (
            "pig_duel",
            {"target": 9, "dice": 2},
            r"not solved for .*\); totals can fall, so that no larger target answers",
        ),
    ],
)
def test_what_no_solved_target_answers_is_missing(db, results, capsys, table, parameters, why):
    state = {"me": 0, "opponent": 0, "turn_total": 0}
    with pytest.raises(MissingTableError, match=why):
        db.lookup(table, **parameters, **state)
    assert db.get(table, **parameters, **state) is None
    words = [f"{name}={value}" for name, value in (parameters | state).items()]
    assert "not solved for" in commands.error_of(capsys, "lookup", table, *words, "--results", results)


def test_races_and_reaches_of_hog(db):
    _, Q, _ = hog.race(11, 4)
    for score in range(11):
        answer = db.lookup("hog_race", target=11, max_dice=4, score=score)
        assert values(answer) == close({str(d): value for d, value in Q[score].items()})
    _, Q, _ = hog.reach(11, 3, 4)
    for (left, score), expected in Q.items():
        answer = db.lookup("hog_reach", target=11, max_dice=4, throws=3, throws_left=left, score=score)
        assert values(answer) == close({str(d): value for d, value in expected.items()})


def test_duels_of_hog(db):
    W, Q, _ = hog.duel(7, 3)
    for (me, opponent), expected in Q.items():
        answer = db.lookup("hog_duel", target=7, max_dice=3, me=me, opponent=opponent)
        assert answer["value"] == pytest.approx(float(W[me, opponent]), abs=1e-11)
        assert values(answer) == close({str(d): value for d, value in expected.items()})
    with pytest.raises(MissingTableError, match="totals can fall"):
        db.lookup("hog_duel", target=7, max_dice=3, on_one="all", me=0, opponent=0)


def test_simultaneous_hog(db):
    game = Simultaneous(4, 3)
    for me in range(4):
        for opponent in range(4):
            answer = db.lookup("hog_simultaneous", target=4, max_dice=3, me=me, opponent=opponent)
            assert answer["value"] == pytest.approx(float(game.low[me, opponent]), abs=1e-11)
            assert answer["unit"] == "P(win) - P(lose)"
            assert sum(a["probability"] for a in answer["actions"]) == pytest.approx(1, abs=1e-12)
    with pytest.raises(MissingTableError, match="totals can fall"):
        db.lookup("hog_simultaneous", target=4, max_dice=3, on_one="all", me=0, opponent=0)
    with pytest.raises(MissingStateError, match="less than the target of 4"):
        db.lookup("hog_simultaneous", target=4, max_dice=3, me=4, opponent=0)


def test_many_positions_are_answered_by_another_where_one_would_be(db):
    positions = [
        {"target": target, "dice": dice, "me": me, "opponent": 4, "turn_total": 4}
        for target in (17, 20, 31, 10)
        for dice in (1, 2)
        for me in (3, 6, 18, None)
    ]
    found = db.lookup_many("pig_duel", pa.Table.from_pylist(positions)).to_pylist()
    for row, position in zip(found, positions, strict=True):
        answer = position["me"] is not None and db.get("pig_duel", **position)
        actions = answer["actions"] if answer else []
        assert row["value"] == (answer["value"] if answer else None)
        assert [row["action"]] == [a["action"] for a in actions[:1]] + [None] * (not actions)
        assert row["margin"] == (actions[1]["regret"] if actions else None)
    assert {row["target"] for row in found if row["action"]} == {10, 17, 20}


def test_a_mix_that_another_answers_is_called_so(db):
    frame = pa.table(
        {"target": [4] * 16, "max_dice": [3] * 16, "me": [0, 1, 2, 3] * 4, "opponent": sorted([0, 1, 2, 3] * 4)}
    )
    for row in db.lookup_many("hog_simultaneous", frame).to_pylist():
        answer = db.lookup("hog_simultaneous", **{n: row[n] for n in frame.column_names})
        mixes = [a for a in answer["actions"] if 0 < a["probability"] < 1]
        assert row["value"] == answer["value"] and (row["action"] == "mixed") == bool(mixes)
        assert (row["margin"] is None) == bool(mixes)


def test_the_command_names_the_variant_that_was_asked_for(results, capsys):
    words = ["lookup", "pig_duel", "target=17", "me=3", "opponent=1", "turn_total=4", "--results", str(results)]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("pig_duel  sides=6 dice=1 target=17\nme=3 opponent=1 turn_total=4: ")
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["parameters"] == {"sides": 6, "dice": 1, "target": 17}
    assert answer["state"] == {"me": 3, "opponent": 1, "turn_total": 4}
