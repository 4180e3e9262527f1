"""A position in, ranked actions out, from Python; the odds of an action."""

import json
import shutil
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import dicebase
from dicebase.catalog.ask import solved_tables
from dicebase.families import family_of
from dicebase.games import hog, ten_times_eighteen
from dicebase.tables.names import find_table
from dicebase.vocabulary import ConfigurationError, DamagedFileError, DicebaseError, MissingTableError


def test_a_lookup_has_exactly_the_documented_shape(db):
    found = db.lookup("pig_turn", turn_total=5)
    assert list(found) == ["version", "table", "parameters", "state", "position", "value", "unit", "actions", "advice"]
    assert found["version"] == 1 and found["advice"].startswith("Best: roll, ")
    assert found["table"] == "pig_turn" and found["unit"] == "points"
    assert found["parameters"] == {"sides": 6, "dice": 1} and found["state"] == {"turn_total": 5}
    said = ["action", "value", "regret", "probability", "optimal"]
    assert [list(action) for action in found["actions"]] == [[*said, "lost", "gain"], said]
    best, other = found["actions"]
    assert best == {
        "action": "roll", "value": found["value"], "regret": 0.0, "probability": 1.0, "optimal": True,
        "lost": 1 / 6, "gain": 20 / 6,
    }  # fmt: skip
    regret = found["value"] - 5
    assert other == {"action": "hold", "value": 5.0, "regret": regret, "probability": 0.0, "optimal": False}
    assert json.loads(json.dumps(found)) == found


def test_actions_are_sorted_best_first_and_ties_by_what_is_played(db):
    tie = db.lookup("pig_turn", turn_total=20)["actions"]
    assert [(a["action"], a["regret"], a["optimal"], a["probability"]) for a in tie] == [
        ("hold", 0.0, True, 1.0),
        ("roll", 0.0, True, 0.0),
    ]
    regrets = [a["regret"] for a in db.lookup("ten_thousand_turn", rules="pocket", turn_total=0, roll="152")["actions"]]
    assert len(regrets) > 4 and regrets == sorted(regrets) and regrets[0] == 0


def test_parameters_default_to_the_papers_variant_and_a_roll_may_be_a_number(db):
    assert db.lookup("forbidden_multiple_turn", total=1)["parameters"] == {"multiple": 10, "sides": 6, "dice": 1}
    assert db.lookup("pig_turn", turn_total=4, dice=2)["parameters"] == {"sides": 6, "dice": 2}
    one, other, number = (
        db.lookup("ten_thousand_turn", rules="pocket", turn_total=100, roll=roll) for roll in ("15", "5,1", 51)
    )
    assert one == other == number and one["state"] == {"turn_total": 100, "roll": "15"}


def test_a_value_that_all_solved_variants_have_is_the_default(db):
    assert db.lookup("ten_thousand_turn", turn_total=100, roll="15")["parameters"] == {
        "rules": "pocket",
        "moves": "all",
    }


@pytest.mark.parametrize("kind", [str, np.int64, np.uint8])
def test_numbers_may_be_text_or_numpy_integers(db, kind):
    assert db.lookup("pig_turn", turn_total=kind(5), sides=kind(4)) == db.lookup("pig_turn", turn_total=5, sides=4)


def test_a_table_solved_with_other_parameters_is_an_error(results, monkeypatch):
    monkeypatch.setattr(solved_tables, "find_table", lambda _: find_table("pig_race"))
    with (
        dicebase.open(results) as db,
        pytest.raises(MissingTableError, match=r"were sides, dice and now are .*target; solve"),
    ):
        db.lookup("pig_turn", turn_total=5)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"turn_total": 5.0}, "turn_total=5.0 is not a whole number"),
        ({"turn_total": None}, "turn_total=None is not a whole number"),
        ({"turn_total": 5, "sides": 6.0}, "pig_turn.sides: 6.0 is not allowed"),
    ],
)
def test_numbers_of_other_types_are_refused(db, position, message):
    with pytest.raises(ConfigurationError, match=message):
        db.lookup("pig_turn", **position)


@pytest.mark.parametrize("untrusted", [False, True])
def test_a_closed_catalogue_says_so(results, untrusted):
    with dicebase.open(results, untrusted=untrusted) as db:
        assert db.lookup("pig_turn", turn_total=5)["value"] > 10 and db.sql("SELECT 1").fetchall() == [(1,)]
    for ask in (
        lambda: db.lookup("pig_turn", turn_total=5),
        lambda: db.get("pig_turn", turn_total=5),
        lambda: db.lookup_many("pig_turn", pa.table({"turn_total": [5]})),
        lambda: db.tables(),
        lambda: db.describe("pig_turn"),
        lambda: "pig_turn" in db,
        lambda: db.sql("SELECT 1"),
        lambda: db.rows("SELECT 1"),
    ):
        with pytest.raises(DicebaseError, match=f"^{results}: is closed; open it again with dicebase.open$"):
            ask()
    db.close()


@pytest.mark.parametrize("name", ["query", "self", "path", "duckdb"])
def test_a_query_cannot_mistake_a_variable_of_python_for_a_table(db, name):
    with pytest.raises(DicebaseError, match="does not exist"):
        db.rows(f"SELECT * FROM {name}")


def test_a_damaged_database_is_an_error_of_one_line(results_copy):
    database = results_copy / "dicebase.duckdb"
    content = database.read_bytes()
    cut = content[: 2**18], content[:100], content[:12288] + bytes(len(content) - 12288)
    # In the last of these files the header is whole, but the data are not.
    for damaged in (b"", b"this is no database\n" * 1000, *cut, content[: 2**18] + b"\xff" * (len(content) - 2**18)):
        database.write_bytes(damaged)
        with pytest.raises(DicebaseError) as error, dicebase.open(results_copy) as catalog:
            catalog.rows("SELECT * FROM pig_turn")
        assert "\n" not in str(error.value) and str(database) in str(error.value)
    database.unlink()
    with pytest.raises(MissingTableError, match=r"has no dicebase\.duckdb"), dicebase.open(results_copy) as catalog:
        catalog.rows("SELECT 1")


@pytest.mark.parametrize(
    "file", ["tables.json", "table-*.json", *(f"*-{x}.bin" for x in ("rows", "numbers", "actions", "lists"))]
)
@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda _: b"?" * 99,
        lambda content: content[:-20],
        None,
        lambda content: bytes(255 - b for b in content),
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    ],
)
def test_damaged_mapped_rows_are_an_error_of_one_line(results_copy, file, damage):
    (path,) = (results_copy / "mapped" / ("" if file == "tables.json" else "pig_turn")).glob(file)
    if damage:
        path.write_bytes(damage(path.read_bytes()))
    else:
        path.unlink()
    for many in (False, True):
        with pytest.raises((DamagedFileError, MissingTableError)) as error, dicebase.open(results_copy) as catalog:
            if many:
                catalog.lookup_many("pig_turn", pa.table({"turn_total": [5]}), actions=True)
            catalog.lookup("pig_turn", turn_total=5)
        assert path.name in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [None, True, 5, [5], b"pig_turn", "\ud800", "x" * 9999])
def test_invalid_names_and_queries_are_refused_in_one_short_line(db, results, wrong):
    with dicebase.open(results, untrusted=True) as sandboxed:
        asks = [
            lambda: db.lookup(wrong, turn_total=5),
            lambda: db.lookup_many(wrong, pa.table({"turn_total": [5]})),
            lambda: db.describe(wrong),
            lambda: db.tables(wrong or "no such table"),
            lambda: db.sql(wrong),
            lambda: db.rows(wrong),
            lambda: sandboxed.rows(wrong),
        ]
        for ask in asks:
            with pytest.raises(DicebaseError) as error:
                ask()
            assert len(str(error.value)) < 2100 and str(error.value).replace("\n", "").isprintable()


def test_sql_needs_only_the_database_and_lookups_only_mapped_rows(results, tmp_path, db):
    shutil.copy(results / "dicebase.duckdb", tmp_path)
    with dicebase.open(tmp_path) as catalog:
        assert catalog.sql("SELECT q_value FROM pig_turn_at(?)", [5]).fetchall()
        with pytest.raises(MissingTableError, match=r"has no mapped/tables\.json"):
            catalog.lookup("pig_turn", turn_total=5)
    (tmp_path / "dicebase.duckdb").unlink()
    shutil.copytree(results / "mapped", tmp_path / "mapped")
    with dicebase.open(tmp_path) as catalog:
        assert catalog.lookup("pig_turn", turn_total=5) == db.lookup("pig_turn", turn_total=5)
        assert catalog.tables() == db.tables()


def test_a_die_busts_with_one_face_in_six(db):
    hold, roll = sorted(db.lookup("pig_turn", turn_total=20)["actions"], key=lambda a: a["action"])
    assert "lost" not in hold and roll["lost"] == 1 / 6 and roll["gain"] == pytest.approx(20 / 6)
    actions = db.lookup("forbidden_multiple_turn", multiple=10, total=207)["actions"]  # beyond the stored totals
    roll = next(a for a in actions if a["action"] == "roll")
    assert roll["lost"] == 1 / 6 and roll["gain"] == pytest.approx((1 + 2 + 4 + 5 + 6) / 6)


def test_kept_dice_have_the_odds_of_the_next_roll(db):
    """Two dice bust if each shows 2, 3, 4 or 6. A 1 adds 100, a 5 adds 50, and a pair of 1s adds 300."""
    answer = db.lookup("ten_thousand_turn", rules="pocket", turn_total=300, roll="125")
    by_dice = {a["action"].rpartition(" ")[2]: a for a in answer["actions"] if ", roll " in a["action"]}
    assert by_dice["2"]["lost"] == float(Fraction(16, 36))
    points = {1: 100, 5: 50}
    gained = 100 + sum(points.get(a, 0) + points.get(b, 0) for a in range(1, 7) for b in range(1, 7))
    assert by_dice["2"]["gain"] == pytest.approx(gained / 36)
    assert all("lost" not in a for a in answer["actions"] if a["action"].endswith("bank"))


def test_throws_have_odds_and_cards_have_none():
    found = family_of(hog.Rules).odds(hog.Rules(max_dice=5), {}, "3")
    assert found.lost == pytest.approx(1 - (5 / 6) ** 3) and found.gain == pytest.approx(12 * (5 / 6) ** 3)
    assert family_of(ten_times_eighteen.Rules).odds(ten_times_eighteen.Rules, {}, "3") is None
