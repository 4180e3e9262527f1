"""Texts of boards that look like numbers."""

import pytest

import dicebase
from dicebase.show.http.app import make_app
from support.asgi import ask


@pytest.fixture(scope="module")
def db(board_results):
    with dicebase.open(board_results) as catalog:
        yield catalog


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
