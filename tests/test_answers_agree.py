"""One contract for every table: asked one at a time, many at once, in a file, in SQL, by a macro, on the command line
and over HTTP, a position has the same answer, to the last bit."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

import dicebase
import tiny
from dicebase.cli import main
from dicebase.show.http.app import make_app
from dicebase.tables.names import find_table, known_tables

CONFIG = """
definitions:
  ten_thousand:
    rules:
      pocket: {dice: 3, combinations: {"1": 100, "5": 50, "11": 300}}
    policies: {league: [optimal, hold_at_150]}
  pig: {policies: {league: [optimal, hold_at_5]}}
  hog: {policies: {league: [optimal, always_2]}}

tables:
  forbidden_multiple_turn: [{multiple: [4, 7], slice_by: []}]
  hog_duel: [{target: 15, max_dice: 3, on_one: [nothing, all]}]
  hog_duel_matchups: [{target: 15, max_dice: 3}]
  hog_hidden: [{target: 10, max_dice: 3, horizon: 8}]
  hog_race: [{target: 20, max_dice: [3, 5], slice_by: []}]
  hog_reach: [{target: 20, throws: 5, max_dice: 3}]
  hog_simultaneous: [{target: 10, max_dice: 4}]
  hog_simultaneous_matchups: [{target: 10, throws: 4, max_dice: 3}]
  hog_turn: [{max_dice: [5, 6], slice_by: []}]
  pig_duel: [{target: [10, 20], slice_by: []}, {dice: 2, target: 10}]
  pig_duel_matchups: [{target: 12}]
  pig_duel_scores: [{target: 12}, {target: 10, dice: 2}]
  pig_duel_turns: [{target: 12}]
  pig_race: [{target: 20}]
  pig_reach: [{target: 20, turns: 4}]
  pig_turn: [{sides: [4, 6], dice: [1, 2], slice_by: [dice]}]
  ten_thousand_duel: [{rules: pocket, target: [500, 1000], slice_by: [rules]}]
  ten_thousand_duel_matchups: [{rules: pocket, target: 500}]
  ten_thousand_duel_scores: [{rules: pocket, target: 500}]
  ten_thousand_duel_turns: [{rules: pocket, target: 500}]
  ten_thousand_race: [{rules: pocket, target: 1000}]
  ten_thousand_reach: [{rules: pocket, target: 1000, turns: 3}]
  ten_thousand_turn: [{rules: pocket, moves: [stop_roll, all]}]
  ten_times_eighteen_distribution: [{slots: 4}]
  ten_times_eighteen_exceed: [{slots: [3, 4], slice_by: []}]
  ten_times_eighteen_rank: [{slots: 6}]
  ten_times_eighteen_score: [{slots: [4, 5], slice_by: []}, {slots: 15}]
  ten_times_eighteen_versus: [{slots: 4}]
  ten_times_eighteen_versus_matchups: [{slots: 4}]
"""
TABLES = sorted(known_tables())
ROWS = 60
ANSWERS = ("action", "q_value", "regret", "probability", "optimal", "undecided")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.once(tmp_path_factory, "every_table", lambda f: tiny.build(f / "results", CONFIG)) / "results"


@pytest.fixture(scope="module")
def db(folder):
    with dicebase.open(folder) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def client(folder):
    return TestClient(make_app(folder))


def test_every_table_there_can_be_is_asked(db):
    assert sorted({row["name"] for row in db.tables()}) == TABLES


def positions(db, table, roll=False):
    """(rows of the view spread over a table, parameters and state of each); where asked for, rolls for the dice."""
    total = db.rows(f"SELECT count(*) FROM {table}")[1][0][0]
    names, rows = db.rows(
        f"SELECT * FROM (SELECT *, row_number() OVER () AS row FROM {table}) WHERE row % ? = 0", [max(1, total // ROWS)]
    )
    rows = [dict(zip(names, row, strict=True)) for row in rows]
    described = db.describe(table)
    keys = [c["name"] for c in (*described["parameters"], *described["columns"])]
    asked = [{key: row[key] for key in keys} for row in rows]
    if roll:
        asked = [{k: v for k, v in a.items() if k != "dice"} | {"roll": "11355"[: a["dice"]]} for a in asked]
    return rows, asked


def sql_of(value):
    return f"'{value}'" if isinstance(value, str) else str(value)


def at(db, table, asked):
    """The macro's rows as dicts, its state given by place and its parameters by name."""
    described = db.describe(table)
    parameters = [p["name"] for p in described["parameters"]]
    names = [*parameters, *(["roll", "dice"] if described["roll"] else [])]
    given = [sql_of(v) for k, v in asked.items() if k not in names]
    given += [f"{k} := {sql_of(v)}" for k, v in asked.items() if k in names]
    columns, rows = db.rows(f"SELECT * FROM {table}_at({', '.join(given)})")
    return [dict(zip(columns, row, strict=True)) for row in rows]


CASES = [(table, False) for table in TABLES]
CASES += [(f"ten_thousand_{match}", True) for match in ("race", "reach", "duel")]


@pytest.mark.parametrize(("table", "roll"), CASES, ids=lambda x: x if isinstance(x, str) else "roll" if x else "")
def test_however_one_asks_the_answer_is_the_same(db, client, folder, capsys, tmp_path, table, roll):
    rows, asked = positions(db, table, roll)
    assert len(asked) >= min(ROWS // 2, db.rows(f"SELECT count(*) FROM {table}")[1][0][0]) > 0
    answers = [db.get(table, **position) for position in asked]
    decides, value_name = db.describe(table)["decides"], find_table(table).match_class.value.name
    answered = [(p, a) for p, a in zip(asked, answers, strict=True) if a is not None]
    assert answered and (roll or len(answered) == len(asked))

    # SQL: the views' rows, and the macro's.
    if not roll:
        for row, answer in zip(rows, answers, strict=True):
            assert answer["value"] == row[value_name]
            assert all(answer["values"][name] == row[name] for name in answer.get("values", {}))
            if decides:
                best = [a["action"] for a in answer["actions"] if a["probability"] == 1.0] or ["mixed"]
                assert best == [row["action"]]
    for position, answer in answered:
        found = at(db, table, position)
        if decides:
            ours = [{**a, "q_value": a["value"], "undecided": a.get("undecided", False)} for a in answer["actions"]]
            assert [{n: a[n] for n in ANSWERS} for a in ours] == [{n: row[n] for n in ANSWERS} for row in found]
        else:
            assert found == [{value_name: answer["value"], **answer.get("values", {})}]

    # Many at once, and in files of either kind.
    frame = pa.Table.from_pylist(asked)
    many = db.lookup_many(table, frame).to_pylist()
    for position, answer, row in zip(asked, answers, many, strict=True):
        assert {name: row[name] for name in position} == position
        assert row["value" if decides else value_name] == (answer and answer["value"])
        if decides and answer:
            best = [a["action"] for a in answer["actions"] if a["probability"] == 1.0]
            assert [row["action"]] == (best or ["mixed"])
            if best:
                assert row["margin"] == (answer["actions"][1]["regret"] if len(answer["actions"]) > 1 else None)
    pq.write_table(frame, tmp_path / "positions.parquet")
    for file in ("answers.parquet", "answers.csv"):
        words = ["--from", tmp_path / "positions.parquet", "--to", tmp_path / file, "--results", folder]
        assert main(["lookup", table, *map(str, words)]) == 0
    assert pq.read_table(tmp_path / "answers.parquet").to_pylist() == many
    with open(tmp_path / "answers.csv", newline="") as written:
        for row, known in zip(csv.DictReader(written), many, strict=True):
            name = "value" if decides else value_name
            assert (float(row[name]) if row[name] else None) == known[name]
    capsys.readouterr()

    # The command line and HTTP, every tenth: they start anew each time.
    for position, answer in answered[::10]:
        words = [f"{name}={value}" for name, value in position.items()]
        assert main(["lookup", table, *words, "--json", "--results", str(folder)]) == 0
        assert json.loads(capsys.readouterr().out) == answer
        response = client.get(f"/v1/{table}", params=position)
        assert response.status_code == 200 and response.json() == answer


@pytest.mark.parametrize("table", TABLES)
def test_nonsense_is_refused_in_one_line_everywhere(db, client, folder, capsys, table):
    described = db.describe(table)
    _, asked = positions(db, table)
    position = asked[0]
    wrong = [({**position, "colour": 3}, 422)]
    wrong += [({**position, p["name"]: -7}, 422) for p in described["parameters"] if p["kind"] == "integer"]
    # A name that nothing defines is a variant that is not solved; other words are not allowed at all.
    for name, allowed in ((p["name"], p["allowed"]) for p in described["parameters"] if p["kind"] == "string"):
        if name != "multipliers":
            wrong.append(({**position, name: -7}, 422 if allowed.startswith("one of") else 404))
    wrong += [({k: v for k, v in position.items() if k != c["name"]}, 422) for c in described["columns"]]
    wrong += [({**position, c["name"]: "many"}, 422) for c in described["columns"] if c["kind"] == "integer"]
    wrong += [({**position, c["name"]: -98765}, 404) for c in described["columns"] if c["kind"] == "integer"]
    for given, status in wrong:
        typed = [f"{name}={value}" for name, value in given.items()]
        message = tiny.error_of(capsys, "lookup", table, *typed, "--results", folder).removeprefix("error: ").strip()
        response = client.get(f"/v1/{table}", params=given)
        assert (response.status_code, response.json()["error"]) == (status, message), given


@pytest.mark.parametrize("table", [table for table in TABLES if table.endswith("_matchups")])
def test_matchups_have_the_error_bound_of_their_variant_beside_each_row(db, table):
    (variant,) = db.tables(table)
    rows = db.rows(f"SELECT error_bound FROM {table}")[1]
    assert 0 < variant["error_bound"] < 1e-9 and set(rows) == {(variant["error_bound"],)}
    assert len(rows) == variant["states"]
