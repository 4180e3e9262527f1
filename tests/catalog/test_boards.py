"""Texts of boards that look like numbers, and the regrets of boards whose values are losses."""

import pytest

import dicebase
from dicebase.show.http.app import make_app
from support.asgi import ask


@pytest.fixture(scope="module")
def db(board_results):
    with dicebase.open(board_results) as catalog:
        yield catalog


# {table: (columns, {position: whether there is such a position})}
def test_a_text_that_looks_like_a_number_may_be_given_as_one(db, board_results):
    assert db.rows("SELECT * FROM box_left_at(321, 31)")[1] == db.rows("SELECT * FROM box_left_at('321', '13')")[1]
    assert len(db.rows("SELECT * FROM box_left_at(54321, 13, tiles := 5)")[1]) > 1
    app = make_app(board_results)
    with app.state.service:
        (one, _) = ask(app, "/v1/box_left", "POST", '[{"open": 321, "roll": [3, 1]}, {"open": "x"}]').json()
        paths = ask(app, "/openapi.json").json()["paths"]
    assert one["value"] == db.lookup("box_left", open="321", roll="13")["value"]
    kinds = [paths[f"/v1/{table}"]["get"]["parameters"][1]["schema"]["type"] for table in ("box_left", "lane_duel")]
    assert kinds == ["string", "integer"]


def test_the_best_action_has_no_regret_in_either_sense(db):
    for table, sense in (("box_left", -1), ("box_win", 1)):
        wrong = f"""SELECT count(*) FROM {table}_actions JOIN {table} USING (tiles, open, roll)
            WHERE abs({sense} * (value - q_value) - regret) > 1e-12 OR optimal <> (regret = 0) OR regret < 0"""
        assert db.rows(wrong)[1] == [(0,)]
        assert db.rows(f"SELECT count(*) FROM {table}_actions WHERE regret > 0.01")[1][0][0] > 3
