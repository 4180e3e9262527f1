"""Boards are answered by lookups, batches, files, SQL and HTTP alike: texts as they are, rolls in any order."""

import json

import pyarrow as pa
import pytest

import dicebase
from dicebase.catalog.ask.files import answer_file
from dicebase.show.http.app import make_app
from dicebase.vocabulary import DicebaseError
from support.asgi import ask


@pytest.fixture(scope="module")
def db(board_results):
    with dicebase.open(board_results) as catalog:
        yield catalog


ROWS = {
    "box_left": [("321", "13"), ("321", "31"), ("123", "13"), ("4321", "1, 2"), ("x", "13"), ("0321", "12")],
    "lane_duel": [("m   t", 1, 1), ("m t", 1, 1), ("< m t", 2, 0), ("m   t", 3, 1)],
}
COLUMNS = {"box_left": ["open", "roll"], "lane_duel": ["lane", "roll", "free"]}
FOUND = {"box_left": [True, True, False, True, False, False], "lane_duel": [True, False, True, False]}


@pytest.fixture(params=ROWS)
def asked(request, db):
    """(table, positions, what a lookup says of each)."""
    positions = [dict(zip(COLUMNS[request.param], row, strict=True)) for row in ROWS[request.param]]
    known = [db.get(request.param, **position) for position in positions]
    assert [answer is not None for answer in known] == FOUND[request.param]
    return request.param, positions, known


def best(answers):
    return [answer and (answer["value"], answer["actions"][0]["action"]) for answer in answers]


def told(answers):
    return [answer["value"] and (answer["value"], answer["action"]) for answer in answers]


def test_batches(db, asked, tmp_path):
    table, positions, known = asked
    frame = pa.Table.from_pylist(positions)
    found = db.lookup_many(table, frame)
    assert told(found.to_pylist()) == best(known)
    assert {*found["status"].to_pylist()} == {"answered", "unreachable"}
    actions = db.lookup_many(table, frame, actions=True).to_pylist()
    assert [a["action"] for a in actions if a["action"]] == [a["action"] for k in known if k for a in k["actions"]]
    # Texts in a CSV file stay what they are, numbers as they may look like.
    pa.csv.write_csv(frame, tmp_path / "asked.csv", pa.csv.WriteOptions(quoting_style="needed"))
    answer_file(db, table, tmp_path / "asked.csv", tmp_path / "found.parquet", False, lambda *_: None)
    assert told(pa.parquet.read_table(tmp_path / "found.parquet").to_pylist()) == best(known)


def test_sql(db, asked):
    table, positions, known = asked
    for position, answer in zip(positions, known, strict=True):
        given = ", ".join(f"'{x}'" if isinstance(x, str) else str(x) for x in position.values())
        query = f"SELECT action, q_value, regret FROM {table}_at({given})"
        if answer:
            assert db.rows(query)[1] == [(a["action"], a["value"], a["regret"]) for a in answer["actions"]]
        else:
            with pytest.raises(DicebaseError, match=f"{table}_at: no decision at .*: no such position, or not solved"):
                db.rows(query)
    # A text that looks like a number may be given as one.
    assert db.rows("SELECT * FROM box_left_at(321, 31)")[1] == db.rows("SELECT * FROM box_left_at('321', '13')")[1]
    assert len(db.rows("SELECT * FROM box_left_at(54321, 13, tiles := 5)")[1]) > 1


def test_http(board_results, asked):
    table, positions, known = asked
    app = make_app(board_results)
    with app.state.service:
        for position, answer in zip(positions, known, strict=True):
            query = "&".join(f"{name}={value}".replace(" ", "%20") for name, value in position.items())
            found = ask(app, f"/v1/{table}?{query}")
            assert (found.status_code, found.json()) == (200, answer) if answer else found.status_code == 404
        many = ask(app, f"/v1/{table}", "POST", json.dumps(positions))
        assert told(many.json()) == best(known)
        if table == "box_left":  # numbers and a list where the columns are texts
            (one, *_) = ask(app, f"/v1/{table}", "POST", '[{"open": 321, "roll": [3, 1]}, {"open": "x"}]').json()
            assert told([one]) == best(known[:1])
        (described,) = (p for p in ask(app, "/openapi.json").json()["paths"][f"/v1/{table}"]["get"]["parameters"][1:2])
        assert described["schema"]["type"] == ("integer" if table == "lane_duel" else "string")


def test_the_best_action_has_no_regret_whichever_way_is_better(db):
    for table, sense in (("box_left", -1), ("box_win", 1)):
        wrong = f"""SELECT count(*) FROM {table}_actions JOIN {table} USING (tiles, open, roll)
            WHERE abs({sense} * (value - q_value) - regret) > 1e-12 OR optimal <> (regret = 0) OR regret < 0"""
        assert db.rows(wrong)[1] == [(0,)]
        assert db.rows(f"SELECT count(*) FROM {table}_actions WHERE regret > 0.01")[1][0][0] > 3
