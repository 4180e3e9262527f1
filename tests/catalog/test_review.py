"""A recorded game is reviewed: luck and losses add up to the difference between the result and the expectation."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest

from dicebase.catalog.review.review import review
from dicebase.catalog.review.walk import Walk
from support import commands
from support.every_table import every_table
from support.recorded_games import GAMES, record

GRID = every_table


@pytest.mark.parametrize("table", GAMES)
def test_luck_and_losses_add_up_exactly(db, table, tmp_path):
    for seed in range(3):
        walk, text = record(db, table, seed)
        (tmp_path / "game.csv").write_text(text)
        found = review(db.solved_tables, tmp_path / "game.csv")
        assert found.ended and found.result == walk.paid and found.players[0] == "Ann"
        mine, theirs = (found.sum(role, "roll") + found.sum(role, "action") for role in (1, -1))
        left_out = found.expectation + found.sense * (mine - theirs) - found.result
        # A review leaves out what a player learns if it changes the value only by rounding.
        assert abs(left_out) < Fraction(1, 10**14) if walk.game.hides else left_out == 0
        assert found.expectation == Fraction(db.tables(table)[0]["value"]) or len(db.tables(table)) > 1
        assert all(step.change <= 0 for step in found.steps if step.what == "action")
        assert all(bool(step.best) == bool(step.change) for step in found.steps if step.what == "action")


def test_on_a_board_the_player_who_then_moves_has_the_luck_of_the_roll(db, tmp_path):
    (tmp_path / "game.csv").write_text(record(db, "royal_ur_duel", 0)[1])
    steps = review(db.solved_tables, tmp_path / "game.csv").steps
    after = [(roll.role, move.role) for roll, move in pairwise(steps) if (roll.what, move.what) == ("roll", "action")]
    assert {(1, 1), (-1, -1)} == set(after)


def luck(db, tmp_path, lines, roll):
    (tmp_path / "game.csv").write_text("\n".join([*lines, roll]))
    return review(db.solved_tables, tmp_path / "game.csv").steps[-1].change


DIE = dict.fromkeys("123456", 1)
TWO_DICE = {a + b: 1 for a in DIE for b in DIE}


@pytest.mark.parametrize(
    ("lines", "rolls"),
    [
        (["pig_duel target=20", "roll,then", "5,hold", "1,", "4,roll"], DIE),
        (["pig_race target=20", "roll,then", "5,hold", "1,", "6,hold"], DIE),
        (["ten_thousand_duel rules=pocket target=500", "roll,keep,then", "113,1,roll"], TWO_DICE),
        (["ten_times_eighteen_score slots=4", "roll,slot", "9,2"], None),
    ],
)
def test_the_luck_of_a_roll_is_zero_on_average(db, tmp_path, lines, rolls):
    rolls = rolls or Walk(db.solved_tables, "ten_times_eighteen_score", {"slots": "4"}).game.rules.weights
    assert abs(sum(n * luck(db, tmp_path, lines, str(roll)) for roll, n in rolls.items())) < 1e-9


MATCH = """ten_thousand_duel rules=pocket target=500,,,
# a turn is a line: columns may come again
player,roll,keep,then,roll,keep,then
Ann,3 1 1,1 1,roll,1,1,bank
Bob,3-4-6
Ann,252,5,bank,,,
"""


def test_a_record_may_be_written_in_several_ways(db, tmp_path, say):
    path = tmp_path / "game.csv"
    path.write_text("\ufeff" + MATCH, encoding="utf-8")
    answer = json.loads(say("review", path, "--json"))
    assert answer == db.review(path) and not answer["ended"]
    steps = answer["steps"]
    assert [(s["line"], s["player"], s["text"]) for s in steps] == [
        *((4, "Ann", text) for text in ("113", "keep 11, roll 1", "1", "keep 1, bank")),
        (5, "Bob", "346"),
        *((6, "Ann", text) for text in ("225", "keep 5, bank")),
    ]
    first = db.lookup("ten_thousand_duel", rules="pocket", target=500, me=0, opponent=0, turn_total=0, roll="113")
    kept = next(a for a in first["actions"] if a["action"] == "keep 11, roll 1")
    assert steps[1]["loss"] == pytest.approx(kept["regret"], abs=1e-15)
    assert steps[1]["best"] == ("" if kept["optimal"] else first["actions"][0]["action"])
    assert steps[1]["expected"] == kept["value"] and steps[0]["expected"] == first["value"]
    assert len(say("review", path, "--csv").splitlines()) == 1 + len(steps)
    text = say("review", path)
    assert "keep 11, roll 1" in text and f"= {answer['result']:.6f} probability, the expected result now" in text


@pytest.mark.parametrize(
    ("wrong", "line", "message"),
    [
        (("3 1 1,1 1", "7 1 1,1 1"), 4, "roll '7 1 1': cannot be rolled here; rolls are 111 112"),
        (("3 1 1,1 1", "3 1,1 1"), 4, "roll '3 1': cannot be rolled here"),
        (("1 1,roll", "6 6,roll"), 4, "keep '6 6': the action is not allowed; allowed are keep 11, bank"),
        (("1 1,roll", "1 1,"), 4, "keep '1 1': the action is ambiguous; allowed are keep 11, bank, keep 11, roll"),
        (("1 1,roll", ",roll"), 4, "then 'roll': the action is not allowed"),
        (("1 1,roll", ","), 4, "roll '1': the action is missing before it"),
        (("Bob", "Ann"), 5, "player 'Ann': it is the other player's turn"),
        (("Ann,252", "Bob,252"), 6, "player 'Bob': it is Ann's turn"),
        (("3-4-6", "3-4-6,3,roll"), 5, "keep '3': a roll comes first"),
        (("3-4-6", ",,1"), 5, "then '1': a roll comes first"),
        (("3-4-6", "3-4-6,,,,,,,9"), 5, "has 9 cells; there are 7 columns"),
        (("player,roll,keep,then,roll,", "player,dice,keep,then,dice,"), 3, "then: 'roll' is missing"),
        (("pocket", "packet"), 1, "is not solved for rules=packet"),
        (("target=500", "target"), 1, "'target' is not of the form name=value"),
        (("ten_thousand_duel", "ten_thousand_dual"), 1, "did you mean 'ten_thousand_duel'?"),
        (("bank,,,", "bank,,,1"), 6, "then '1': a roll comes first"),
        (("Bob", "\x1b[1mBob"), 5, "player '\\x1b[1mBob': contains characters that cannot be printed"),
        (("3-4-6", "3" * 140_000), 5, ""),  # the message depends on a limit of the csv library
    ],
)
def test_a_record_of_an_impossible_game_is_refused_with_its_line(results, tmp_path, capsys, wrong, line, message):
    path = tmp_path / "game.csv"
    path.write_text(MATCH.replace(*wrong))
    said = commands.error_of(capsys, "review", path, "--results", results)
    assert said.startswith(f"error: {path}, line {line}: ") and message in said


def test_a_box_filled_early_means_keeping_all_dice(db, tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(
        "yahtzee_score rules=pocket\nroll,keep,roll,keep,roll,box\n333,,,,,Three of a kind\n1 2 2,22,2 2 3,,,run\n"
    )
    found = review(db.solved_tables, path)
    texts = [step.text for step in found.steps]
    assert texts == [*("333", "keep 333", "keep 333", "three_of_a_kind"), *("122", "keep 22", "223", "keep 223", "run")]
    played = {"rules": "pocket", "open": "twos,threes,run", "bonus": 1, "roll": "223"}
    stopped, filled = (db.lookup("yahtzee_score", **played, rerolls_left=left)["actions"] for left in (1, 0))
    pairs = ((stopped, "keep 223"), (filled, "run"))
    losses = [next(a["regret"] for a in actions if a["action"] == text) for actions, text in pairs]
    assert [-float(step.change) for step in found.steps[-2:]] == pytest.approx(losses, abs=1e-12) and min(losses) > 1
