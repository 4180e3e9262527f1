"""Matches stored by the starts of turns answer every position, however one asks, as those stored by rows do."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import dicebase
from dicebase.catalog.rows import row_arrays_writer
from dicebase.cli import main
from dicebase.show.explorer.site import write_data
from dicebase.tables.follow import turns
from dicebase.tables.layout import slices_in
from dicebase.vocabulary import ConfigurationError, DicebaseError, MissingStateError
from support import grids, kept_rolls
from support.explorer_site import node

# Beside a variant by starts one by rows, and in two tables none.
CONFIG = """\
      twins: {{dice: 3, combinations: {{"1": 100, "2": 100, "33": 100}}}}
      strict: {{dice: 3, combinations: {{"1": 100, "5": 50, "aaa": 300, "nothing_first": 50}}, keep: any,
        hot_dice: forced, least_bank: 100, opening: 150}}

tables:
  pig_duel_turns: [{{target: 10}}]
  pig_duel: [{{target: [18, 25], store: {0}, slice_by: []}}, {{target: 14, dice: 2, store: {0}}}, {{target: 10}}]
  pig_race: [{{target: 30, store: {0}}}, {{target: 20, dice: 2, store: {0}}}]
  pig_reach: [{{target: 20, turns: 3, store: {0}}}, {{target: 10, turns: 2}}]
  ten_thousand_duel: [{{target: 500, store: {0}}}, {{rules: [twins, strict], target: 450, store: {0}}}, {{target: 300}}]
  ten_thousand_race: [{{target: 1000, store: {0}}}, {{rules: strict, target: 500, store: {0}}}]
  ten_thousand_reach: [{{rules: [crocce_mordecki, strict], target: 500, turns: 3, store: {0}}}]
"""
TABLES = ["pig_duel", "pig_race", "pig_reach", "ten_thousand_duel", "ten_thousand_race", "ten_thousand_reach"]
ANSWERS = ("action", "q_value", "regret", "probability", "optimal", "undecided")
CLOSE = 1e-13


def made(factory, store) -> Path:
    config = grids.CROCCE_MORDECKI + CONFIG.format(store)
    return grids.once(factory, f"by_{store}", lambda folder: grids.build(folder / "results", config)) / "results"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory, "starts")


@pytest.fixture(scope="module")
def starts(folder):
    with dicebase.open(folder) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    with dicebase.open(made(tmp_path_factory, "rows")) as catalog:
        yield catalog


def positions(rows, table, count):
    """Positions of all variants, spread over the rows of a table, parameters included; as dicts."""
    described = rows.describe(table)
    keys = ", ".join(c["name"] for c in (*described["parameters"], *described["columns"]))
    total = rows.rows(f"SELECT count(*) FROM {table}")[1][0][0]
    query = (
        f"SELECT {keys} FROM (SELECT *, row_number() OVER () AS n FROM {table}) WHERE n % {max(1, total // count)} = 0"
    )
    names, found = rows.rows(query)
    return [dict(zip(names, row, strict=True)) for row in found]


def at(db, table, position):
    """What the macro says."""
    named = [p["name"] for p in db.describe(table)["parameters"]] + ["dice", "roll"]
    given = [str(x) for name, x in position.items() if name not in named]
    given += [f"{name} := {x!r}" for name, x in position.items() if name in named]
    return [dict(zip(ANSWERS, row, strict=True)) for row in db.rows(f"FROM {table}_at({', '.join(given)})")[1]]


def same(one, other):
    """Whether two answers say the same, but for the last digits of numbers."""
    ours, theirs = ({a["action"]: a for a in answer["actions"]} for answer in (one, other))
    assert one["value"] == pytest.approx(other["value"], rel=CLOSE) and set(ours) == set(theirs)
    for action, a in ours.items():
        b = theirs[action]
        assert a["value"] == pytest.approx(b["value"], rel=CLOSE, abs=CLOSE)
        assert a["regret"] == pytest.approx(b["regret"], abs=CLOSE * max(1, abs(a["value"])))
        flags = ("probability", "optimal", "undecided")
        assert [a.get(name, False) for name in flags] == [b.get(name, False) for name in flags]


@pytest.mark.parametrize("table", TABLES)
def test_a_position_has_the_same_answer_by_starts_and_by_rows(starts, rows, table):
    asked = positions(rows, table, 60)
    many = starts.lookup_many(table, pa.Table.from_pylist(asked)).to_pylist()
    assert len(asked) >= 50
    for position, row in zip(asked, many, strict=True):
        answer = starts.lookup(table, **position)
        same(answer, rows.lookup(table, **position))
        best = answer["actions"][0]
        margin = answer["actions"][1]["regret"] if len(answer["actions"]) > 1 else None
        assert (row["value"], row["action"], row["margin"]) == (answer["value"], best["action"], margin)
    for position in asked[::10]:
        ours = [
            {**a, "q_value": a["value"], "undecided": a.get("undecided", False)}
            for a in starts.lookup(table, **position)["actions"]
        ]
        assert at(starts, table, position) == [{name: a[name] for name in ANSWERS} for a in ours]


@pytest.mark.parametrize("table", [table for table in TABLES if table.startswith("ten_thousand")])
def test_a_roll_has_the_same_answer_by_starts_and_by_rows(starts, rows, table, monkeypatch):
    rolls = [*kept_rolls.ROLLS[::17], "1", "5", "15", "11355", "123", "6"]
    asked = [
        {k: v for k, v in position.items() if k != "dice"} | {"roll": roll}
        for i, position in enumerate(positions(rows, table, 60))
        for roll in rolls
        if i % 3 == 0 and len(roll) == position["dice"]
    ]
    many = starts.lookup_many(table, pa.Table.from_pylist(asked)).to_pylist()
    monkeypatch.setattr(turns, "AT_ONCE", 700)  # a few turns at a time, whose rolls are asked about together
    assert starts.lookup_many(table, pa.Table.from_pylist(asked)).to_pylist() == many
    answered = 0
    for position, row in zip(asked, many, strict=True):
        answer, other = (db.get(table, **position) for db in (starts, rows))
        assert (answer is None) == (other is None) == (row["value"] is None)
        if answer:
            answered += 1
            same(answer, other)
            assert (row["value"], row["action"]) == (answer["value"], answer["actions"][0]["action"])
            if answered % 10 == 0:
                found = [(a["action"], a["value"], a["regret"], a["optimal"]) for a in answer["actions"]]
                names = ("action", "q_value", "regret", "optimal")
                assert [tuple(a[n] for n in names) for a in at(starts, table, position)] == found
    assert answered > 20


MISSING = [
    ("pig_duel", {"target": 25, "me": 3, "opponent": 4, "turn_total": 1}),
    ("pig_duel", {"target": 25, "me": 3, "opponent": 4, "turn_total": 22}),
    ("pig_duel", {"target": 25, "me": 30, "opponent": 4, "turn_total": 2}),
    ("pig_duel", {"target": 25, "me": 3, "opponent": -4, "turn_total": 2}),
    ("pig_duel", {"target": 14, "dice": 2, "me": 3, "opponent": 0, "turn_total": 3}),
    ("pig_duel", {"target": 25, "me": 3, "opponent": 4, "turn_total": 10**18}),
    ("pig_reach", {"target": 20, "turns": 3, "turns_left": 4, "banked": 4, "turn_total": 10}),
    ("pig_reach", {"target": 20, "turns": 3, "turns_left": 0, "banked": 4, "turn_total": 10}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 50, "dice": 2}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 75, "dice": 2}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 0, "dice": 4}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 100, "dice": 9}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 50, "roll": "15"}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 0, "roll": "22346"}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 450, "roll": "15"}),
    ("ten_thousand_duel", {"target": 500, "me": 55, "opponent": 100, "turn_total": 0, "roll": "11355"}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 30, "roll": "11355"}),
]


@pytest.mark.parametrize(("table", "position"), MISSING)
def test_where_nobody_decides_the_same_is_said(starts, rows, table, position):
    said = []
    for db in (starts, rows):
        with pytest.raises(MissingStateError) as error:
            db.lookup(table, **position)
        said.append(str(error.value))
    assert said[0] == said[1]
    with pytest.raises(DicebaseError, match=f"{table}_at: no decision at .*: no such position, or not solved"):
        at(starts, table, position)
    assert starts.lookup_many(table, pa.Table.from_pylist([position]))["value"].to_pylist() == [None]


def test_the_explorer_answers_from_starts(starts, rows, tmp_path):
    write_data(starts, tmp_path / "data")
    asked = [(table, position) for table in TABLES for position in positions(rows, table, 30)]
    lines = []
    for table, position in asked:
        names = {p["name"] for p in starts.describe(table)["parameters"]}
        parts = ({k: v for k, v in position.items() if (k in names) == inside} for inside in (True, False))
        lines.append({"table": table} | dict(zip(("parameters", "state"), parts, strict=True)))
    for (table, position), answer in zip(
        asked, node("explorer_lookup.mjs", tmp_path / "data", lines=lines), strict=True
    ):
        same(answer, starts.lookup(table, **position))


def test_larger_variants_by_starts_answer_for_smaller_ones(starts, rows):
    for position in ({"me": 3, "opponent": 5, "turn_total": 9}, {"me": 0, "opponent": 0, "turn_total": 0}):
        same(starts.lookup("pig_duel", target=20, **position), rows.lookup("pig_duel", target=20, **position))


def test_columns_of_the_caller_are_positions_of_their_own(starts):
    query = "FROM (VALUES (3, 5, 9), (4, 5, 8)) AS p(me, opponent, turn_total), pig_duel_at({}, target := 25)"
    one_by_one = [
        a for me, total in ((3, 9), (4, 8)) for a in starts.rows(f"FROM pig_duel_at({me}, 5, {total}, target := 25)")[1]
    ]
    for arguments in ("p.me, p.opponent, p.turn_total", "me, opponent, turn_total"):
        found = starts.rows(f"SELECT * EXCLUDE (me, opponent, turn_total) {query.format(arguments)}")[1]
        assert sorted(found) == sorted(one_by_one)


def test_the_table_says_how_it_is_stored(starts, folder, capsys):
    said = {(row["name"], row["parameters"]["target"]): (row["store"], row["note"]) for row in starts.tables()}
    note = "stored by the starts of turns, from which all other positions follow"
    assert said["pig_duel", 25] == ("starts", note) and said["pig_duel", 10] == ("rows", "")
    assert starts.rows("SELECT store, note FROM tables WHERE name = 'pig_race'")[1] == [("starts", note)] * 2
    ((comment,),) = starts.rows("SELECT comment FROM duckdb_views() WHERE view_name = 'pig_duel'")[1]
    assert "variants stored by the starts of turns have one a start" in comment
    assert starts.rows("SELECT count(*) FROM pig_duel WHERE target = 25")[1] == [(25 * 25,)]
    assert (
        main(
            [
                "lookup",
                "pig_duel",
                "me=3",
                "opponent=4",
                "turn_total=9",
                "target=25",
                "--results",
                str(folder),
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out) == starts.lookup("pig_duel", me=3, opponent=4, turn_total=9, target=25)


@pytest.mark.parametrize("table", ["pig_turn", "hog_duel", "pig_duel_turns", "ten_times_eighteen_score"])
def test_what_has_no_turns_to_follow_from_is_refused(tmp_path, table):
    with pytest.raises(ConfigurationError, match="store: starts is for matches of turns") as error:
        grids.build(tmp_path, f"tables: {{{table}: [{{store: starts}}]}}")
    assert len(str(error.value).splitlines()) == 1 and table in str(error.value)


def test_a_slice_is_stored_in_one_way(tmp_path):
    config = "tables: {pig_duel: [{target: 10, slice_by: []}, {target: 12, slice_by: [], store: starts}]}"
    with pytest.raises(ConfigurationError, match=r"tables.pig_duel\[1\].store: slice 'all' is stored by rows as well"):
        grids.build(tmp_path, config)


def test_of_a_variant_with_many_rows_the_arrays_have_the_starts_alone(rows, tmp_path, monkeypatch):
    copy = Path(shutil.copytree(rows.results, tmp_path / "results"))
    monkeypatch.setattr(row_arrays_writer, "MANY_ROWS", 300)
    row_arrays_writer.write_mapped(copy, slices_in(copy))
    with dicebase.open(copy) as few:
        for table in ("pig_duel", "ten_thousand_duel"):
            folders = [results / "mapped" / table for results in (copy, rows.results)]
            size, before = (sum(path.stat().st_size for path in folder.iterdir()) for folder in folders)
            assert size < before / 2
            asked = positions(rows, table, 60)
            answers = [few.lookup(table, **position) for position in asked]
            for position, answer in zip(asked, answers, strict=True):
                same(answer, rows.lookup(table, **position))
            many = few.lookup_many(table, pa.Table.from_pylist(asked))
            assert many["value"].to_pylist() == [answer["value"] for answer in answers]
