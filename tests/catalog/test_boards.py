"""Batches, files, SQL and HTTP answer for boards as lookups do; order matters in texts, but not in rolls."""

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


# {table: (columns, {position: whether there is such a position})}
ASKED = {
    "box_left": (
        ["open", "roll"],
        {("321", "13"): True, ("321", "31"): True, ("123", "13"): False, ("4321", "1, 2"): True, ("0321", "12"): False},
    ),
    "lane_duel": (
        ["lane", "roll", "free"],
        {("m   t", 1, 1): True, ("m t", 1, 1): False, ("< m t", 2, 0): True, ("m   t", 3, 1): False},
    ),
}


@pytest.mark.parametrize("table", ASKED)
def test_boards_have_the_same_answer_in_every_way_to_ask(db, board_results, tmp_path, table):
    columns, there = ASKED[table]
    positions = [dict(zip(columns, row, strict=True)) for row in there]
    known = [db.get(table, **position) for position in positions]
    assert [answer is not None for answer in known] == list(there.values())
    best = [answer and (answer["value"], answer["actions"][0]["action"]) for answer in known]
    frame = pa.Table.from_pylist(positions)
    # In a CSV file a text that looks like a number stays a text.
    pa.csv.write_csv(frame, tmp_path / "asked.csv", pa.csv.WriteOptions(quoting_style="needed"))
    answer_file(db, table, tmp_path / "asked.csv", tmp_path / "found.parquet", False, lambda *_: None)
    app = make_app(board_results)
    with app.state.service:
        over_http = ask(app, f"/v1/{table}", "POST", json.dumps(positions)).json()
        assert [ask(app, f"/v1/{table}", params=p).status_code for p in positions] == [200 if a else 404 for a in known]
    batches = db.lookup_many(table, frame).to_pylist(), pa.parquet.read_table(tmp_path / "found.parquet").to_pylist()
    for answers in (*batches, over_http):
        assert [answer["value"] and (answer["value"], answer["action"]) for answer in answers] == best
    for position, answer in zip(positions, known, strict=True):
        query = f"SELECT action, q_value, regret FROM {table}_at({', '.join(map(repr, position.values()))})"
        if answer:
            assert db.rows(query)[1] == [(a["action"], a["value"], a["regret"]) for a in answer["actions"]]
        else:
            with pytest.raises(DicebaseError, match=f"{table}_at: no decision at .*: no such position, or not solved"):
                db.rows(query)


def test_a_text_that_looks_like_a_number_may_be_given_as_one(db, board_results):
    assert db.rows("SELECT * FROM box_left_at(321, 31)")[1] == db.rows("SELECT * FROM box_left_at('321', '13')")[1]
    assert len(db.rows("SELECT * FROM box_left_at(54321, 13, tiles := 5)")[1]) > 1
    app = make_app(board_results)
    with app.state.service:
        (one, _) = ask(app, "/v1/box_left", "POST", '[{"open": 321, "roll": [3, 1]}, {"open": "x"}]').json()
        paths = ask(app, "/openapi.json").json()["paths"]
    assert one["value"] == db.lookup("box_left", open="321", roll="13")["value"]
    kinds = [paths[f"/v1/{table}"]["get"]["parameters"][1]["schema"]["type"] for table in ASKED]
    assert kinds == ["string", "integer"]


def test_the_best_action_has_no_regret_in_either_sense(db):
    for table, sense in (("box_left", -1), ("box_win", 1)):
        wrong = f"""SELECT count(*) FROM {table}_actions JOIN {table} USING (tiles, open, roll)
            WHERE abs({sense} * (value - q_value) - regret) > 1e-12 OR optimal <> (regret = 0) OR regret < 0"""
        assert db.rows(wrong)[1] == [(0,)]
        assert db.rows(f"SELECT count(*) FROM {table}_actions WHERE regret > 0.01")[1][0][0] > 3
