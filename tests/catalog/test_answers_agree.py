"""One contract for every table: asked one at a time, many at once, in a file, in SQL, by a macro, on the command line
and over HTTP, a position has the same answer, to the last bit."""

import csv
import json
from itertools import product

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

import dicebase
from dicebase.cli import main
from dicebase.show.http.app import make_app
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError
from support import commands
from support.every_table import CASES, ROWS, TABLES, every_table, positions

ANSWERS = ("action", "q_value", "regret", "probability", "optimal", "undecided")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return every_table(tmp_path_factory)


@pytest.fixture(scope="module")
def db(folder):
    with dicebase.open(folder) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def client(folder):
    return TestClient(make_app(folder))


def test_every_table_there_can_be_is_asked(db):
    assert sorted({row["name"] for row in db.tables()}) == TABLES


def sql_of(value):
    return f"'{value}'" if isinstance(value, str) else str(value)


def at(db, table, asked):
    """The macro's rows as dicts, its state given by place and its parameters by name."""
    described = db.describe(table)
    named = [p["name"] for p in (*described["parameters"], *(c for c in described["columns"] if "default" in c))]
    names = [*named, "roll", "rerolls_left", *(["dice"] if described["roll"] else [])]
    given = [sql_of(v) for k, v in asked.items() if k not in names]
    given += [f"{k} := {sql_of(v)}" for k, v in asked.items() if k in names]
    columns, rows = db.rows(f"SELECT * FROM {table}_at({', '.join(given)})")
    return [dict(zip(columns, row, strict=True)) for row in rows]


@pytest.mark.parametrize(("table", "roll"), CASES, ids=lambda x: x if isinstance(x, str) else "roll" if x else "")
def test_however_one_asks_the_answer_is_the_same(db, client, folder, capsys, tmp_path, table, roll):
    rows, asked = positions(db, table, roll)
    assert len(asked) >= min(ROWS // 2, db.rows(f"SELECT count(*) FROM {table}")[1][0][0]) > 0
    answers = [db.get(table, **position) for position in asked]
    decides, value_name = db.describe(table)["decides"], find_table(table).match_class.value.name
    answered = [(p, a) for p, a in zip(asked, answers, strict=True) if a is not None]
    assert answered and (roll or len(answered) == len(asked))

    # SQL: the views' rows, and of every third position the macro's.
    if not roll:
        for row, answer in zip(rows, answers, strict=True):
            assert answer["value"] == row[value_name]
            assert all(answer["values"][name] == row[name] for name in answer.get("values", {}))
            if decides:
                best = [a["action"] for a in answer["actions"] if a["probability"] == 1.0] or ["mixed"]
                assert best == [row["action"]]
    for position, answer in answered[::3]:
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
                # Of two that are not told apart the first one is taken, be it worse by a rounding.
                _, second, *_ = [*sorted(a["regret"] for a in answer["actions"]), None]
                assert row["margin"] == second
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
            wrong.append(({**position, name: -7}, 422 if allowed.startswith("one of") or name == "layer" else 404))
    columns = [c for c in described["columns"] if c["name"] in position]
    wrong += [({k: v for k, v in position.items() if k != c["name"]}, 422) for c in columns if "default" not in c]
    wrong += [({**position, c["name"]: "many"}, 422) for c in columns if c["kind"] == "integer"]
    wrong += [({**position, c["name"]: -98765}, 404) for c in columns if c["kind"] == "integer"]
    for i, (given, status) in enumerate(wrong):
        with pytest.raises(DicebaseError) as error:
            db.lookup(table, **given)
        response = client.get(f"/v1/{table}", params=given)
        assert (response.status_code, response.json()["error"]) == (status, str(error.value)), given
        if i % 3 == 0:  # it starts anew each time
            typed = [f"{name}={value}" for name, value in given.items()]
            said = commands.error_of(capsys, "lookup", table, *typed, "--results", folder)
            assert said.strip() == f"error: {error.value}"
    numbers = [c["name"] for c in (*described["parameters"], *columns) if c["kind"] == "integer"]
    for name, value in product(numbers, (2**31, "9" * 30, "0x1")):
        response = client.post(f"/v1/{table}", json=[{**position, name: value}])
        assert response.status_code == 422 or response.json()[0]["status"] != "answered"


@pytest.mark.parametrize("table", [table for table in TABLES if table.endswith("_matchups")])
def test_matchups_have_the_error_bound_of_their_variant_beside_each_row(db, table):
    (variant,) = db.tables(table)
    rows = db.rows(f"SELECT error_bound FROM {table}")[1]
    assert 0 < variant["error_bound"] < 1e-9 and set(rows) == {(variant["error_bound"],)}
    assert len(rows) == variant["states"]
