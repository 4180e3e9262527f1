"""One contract for every table: all ways to ask about a position give the same answer, to the last bit."""

import shutil
from fractions import Fraction
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest
from starlette.testclient import TestClient

import dicebase
from dicebase.catalog.rows import row_arrays_writer
from dicebase.show.http.app import make_app
from dicebase.tables.follow import turns
from dicebase.tables.layout import slices_in
from dicebase.tables.names import find_table
from dicebase.vocabulary import DicebaseError, MissingStateError, weighted_mean
from support import by_starts, commands
from support.every_table import CASES, ROWS, TABLES, every_table, positions
from support.ways import agree, macro, same


def opened(folder):
    return dicebase.open(folder), TestClient(make_app(folder))


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    return opened(every_table(tmp_path_factory))


@pytest.fixture(scope="module")
def starts(tmp_path_factory):
    return opened(by_starts.made(tmp_path_factory, "starts"))


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return dicebase.open(by_starts.made(tmp_path_factory, "rows"))


def test_every_table_is_asked(every):
    assert sorted({row["name"] for row in every[0].tables()}) == TABLES


@pytest.mark.parametrize(("table", "roll"), CASES, ids=lambda x: x if isinstance(x, str) else "roll" if x else "")
def test_all_ways_to_ask_give_the_same_answer(every, capsys, tmp_path, table, roll):
    db, client = every
    stored, asked = positions(db, table, roll)
    assert len(asked) >= min(ROWS // 2, db.rows(f"SELECT count(*) FROM {table}")[1][0][0]) > 0
    answers = agree(db, client, table, asked, tmp_path, capsys)
    assert any(answers) and (roll or all(answers))
    value = find_table(table).match_class.value.name
    for row, answer in zip(stored, answers, strict=True) if not roll else ():
        assert answer["value"] == row[value] and "beyond" not in answer
        assert all(answer["values"][name] == row[name] for name in answer.get("values", {}))
        best = [a["action"] for a in answer["actions"] if a["probability"] == 1.0] or ["mixed"]
        assert not answer["actions"] or best == [row["action"]]


@pytest.mark.parametrize(
    ("position", "allowed"),
    [("3 K -", "player can be 1 2"), ("1 A -", "card can be J K Q"), ("1 K bet", "history can be - check,bet")],
)
def test_an_error_names_the_first_wrong_column_and_what_is_allowed(every, position, allowed):
    with pytest.raises(MissingStateError, match=f"no play leads there; {allowed}$"):
        every[0].lookup("kuhn_poker_duel", position=position)


@pytest.mark.parametrize(("table", "roll"), by_starts.CASES)
def test_all_ways_to_ask_give_the_answer_of_the_rows_from_the_starts_of_turns(
    starts, rows, capsys, tmp_path, monkeypatch, table, roll
):
    db, client = starts
    asked = by_starts.positions(rows, table, 60, roll)
    answers = agree(db, client, table, asked, tmp_path, capsys)
    for position, answer in zip(asked, answers, strict=True):
        other = rows.get(table, **position)
        assert (answer is None) == (other is None)
        if answer:
            same(answer, other)
    assert sum(answer is not None for answer in answers) > (20 if roll else 49)
    many = db.lookup_many(table, pa.Table.from_pylist(asked))
    monkeypatch.setattr(turns, "AT_ONCE", 700)  # a few turns at a time
    assert db.lookup_many(table, pa.Table.from_pylist(asked)) == many


def test_all_ways_to_win_a_last_turn_are_a_proved_tie(starts, capsys, tmp_path):
    (answer,) = agree(*starts, "ten_thousand_duel", [by_starts.LAST_TURN], tmp_path, capsys)
    wins = {a["action"] for a in answer["actions"] if a["optimal"]}
    assert wins == {"keep 115, bank", "keep 11, bank", "keep 15, bank"} and answer["value"] == 1.0
    assert not any(a.get("undecided") for a in answer["actions"])


@pytest.mark.parametrize(("table", "position"), by_starts.MISSING)
def test_all_ways_to_ask_refuse_a_position_without_a_decision(starts, rows, table, position):
    said = []
    for db in (starts[0], rows):
        with pytest.raises(MissingStateError) as error:
            db.lookup(table, **position)
        said.append(str(error.value))
    assert said[0] == said[1]
    with pytest.raises(DicebaseError, match=f"{table}_at: no decision at .*: no such position, or not solved"):
        macro(starts[0], table, position)
    assert starts[0].lookup_many(table, pa.Table.from_pylist([position]))["value"].to_pylist() == [None]
    assert starts[1].get(f"/v1/{table}", params=position).status_code == 404


def test_larger_variants_by_starts_answer_for_smaller_ones(starts, rows):
    for position in ({"me": 3, "opponent": 5, "turn_total": 9}, {"me": 0, "opponent": 0, "turn_total": 0}):
        same(starts[0].lookup("pig_duel", target=20, **position), rows.lookup("pig_duel", target=20, **position))


def test_a_macro_answers_every_row_of_a_lateral_join(starts):
    query = "FROM (VALUES (3, 5, 9), (4, 5, 8)) AS p(me, opponent, turn_total), pig_duel_at({}, target := 25)"
    each = [starts[0].rows(f"FROM pig_duel_at({place}, target := 25)")[1] for place in ("3, 5, 9", "4, 5, 8")]
    for arguments in ("p.me, p.opponent, p.turn_total", "me, opponent, turn_total"):
        found = starts[0].rows(f"SELECT * EXCLUDE (me, opponent, turn_total) {query.format(arguments)}")[1]
        assert sorted(found) == sorted(each[0] + each[1])


def test_the_table_says_how_it_is_stored(starts):
    said = {(row["name"], row["parameters"]["target"]): (row["store"], row["note"]) for row in starts[0].tables()}
    note = "stored by the starts of turns, from which all other positions follow"
    assert said["pig_duel", 25] == ("starts", note) and said["pig_duel", 10] == ("rows", "")
    assert starts[0].rows("SELECT store, note FROM tables WHERE name = 'pig_race'")[1] == [("starts", note)] * 2
    ((comment,),) = starts[0].rows("SELECT comment FROM duckdb_views() WHERE view_name = 'pig_duel'")[1]
    assert "variants stored by the starts of turns have one per start" in comment
    assert starts[0].rows("SELECT count(*) FROM pig_duel WHERE target = 25")[1] == [(25 * 25,)]


def test_arrays_of_a_variant_with_many_rows_hold_only_the_starts(rows, tmp_path, monkeypatch):
    copy = Path(shutil.copytree(rows.results, tmp_path / "results"))
    monkeypatch.setattr(row_arrays_writer, "MANY_ROWS", 300)
    row_arrays_writer.write_mapped(copy, slices_in(copy))
    with dicebase.open(copy) as few:
        for table in ("pig_duel", "ten_thousand_duel"):
            folders = [results / "mapped" / table for results in (copy, rows.results)]
            size, before = (sum(path.stat().st_size for path in folder.iterdir()) for folder in folders)
            assert size < before / 2
            asked = by_starts.positions(rows, table, 60)
            answers = [few.lookup(table, **position) for position in asked]
            for position, answer in zip(asked, answers, strict=True):
                same(answer, rows.lookup(table, **position))
            many = few.lookup_many(table, pa.Table.from_pylist(asked))
            assert many["value"].to_pylist() == [answer["value"] for answer in answers]


OTHER_TARGETS = [
    ("pig_duel", {"target": [10, 15, 17, 20, 31], "dice": [1, 2], "me": [3, 6, 18], "opponent": 4, "turn_total": 4}),
    ("hog_simultaneous", {"target": 7, "max_dice": 4, "me": [0, 3, 6, 7], "opponent": [0, 2, 5]}),
    ("ten_thousand_duel", {"rules": "pocket", "target": [350, 320], "me": [0, 100], "opponent": 50, "turn_total": 100,
                           "roll": ["15", "23", "11", "123", "9"]}),
    ("pig_turn", {"sides": [4, 5, 6], "dice": [1, 2], "turn_total": [1, 5, 26, 27, 10**9, 2**53]}),
    ("ten_thousand_turn", {"rules": "pocket", "turn_total": [100, 101, 20_000], "roll": ["5 1", "23", "", "115"]}),
    ("forbidden_multiple_turn", {"multiple": [4, 7], "total": [196, 200, 201, 1999]}),
]  # fmt: skip


@pytest.mark.parametrize(("table", "columns"), OTHER_TARGETS)
def test_other_targets_and_positions_past_the_stored_totals_agree(every, capsys, tmp_path, table, columns):
    lists = [x if isinstance(x, list) else [x] for x in columns.values()]
    asked = [dict(zip(columns, position, strict=True)) for position in product(*lists)]
    answers = agree(*every, table, asked, tmp_path, capsys, sql=table.endswith("_turn"))
    assert any(answers) and not all(answers)
    assert any(answer and "beyond" in answer for answer in answers) == table.endswith("_turn")
    for position, answer in zip(asked, answers, strict=True) if table.endswith("_turn") else ():
        if answer is None:
            with pytest.raises(DicebaseError, match="no such position"):
                macro(every[0], table, position)
            continue
        assert {row["beyond"] for row in macro(every[0], table, position)} == {"beyond" in answer}
        if "beyond" in answer:
            check_beyond(every[0], answer)


def check_beyond(db, answer):
    """Compare an answer beyond the stored totals with one step of the rules, in rationals."""
    game = db.solved(answer["table"]).find(answer["parameters"]).game
    for action in answer["actions"]:
        outcomes = list(game.outcomes(game.afterstate(tuple(answer["state"].values()), action["action"])))
        mean = weighted_mean([o.weight for o in outcomes], [Fraction(o.reward) for o in outcomes])
        assert action["value"] == float(mean)
    assert answer["beyond"] is True and "totals are stored to" in answer["note"]


# {table of a board: (columns, {position: whether there is such a position})}; order matters in texts, but not in rolls.
BOARDS = {
    "box_left": (
        ["open", "roll"],
        {("321", "13"): True, ("321", "31"): True, ("123", "13"): False, ("4321", "1, 2"): True, ("0321", "12"): False},
    ),
    "lane_duel": (
        ["lane", "roll", "free"],
        {("m   t", 1, 1): True, ("m t", 1, 1): False, ("< m t", 2, 0): True, ("m   t", 3, 1): False},
    ),
}


@pytest.mark.parametrize("table", BOARDS)
def test_all_ways_to_ask_give_the_same_answer_about_a_board(board_results, capsys, tmp_path, table):
    columns, there = BOARDS[table]
    asked = [dict(zip(columns, position, strict=True)) for position in there]
    answers = agree(*opened(board_results), table, asked, tmp_path, capsys)
    assert [answer is not None for answer in answers] == [*there.values()]


def test_a_text_that_looks_like_a_number_may_be_given_as_one(board_results):
    db, client = opened(board_results)
    assert db.rows("SELECT * FROM box_left_at(321, 31)")[1] == db.rows("SELECT * FROM box_left_at('321', '13')")[1]
    assert len(db.rows("SELECT * FROM box_left_at(54321, 13, tiles := 5)")[1]) > 1
    one, _ = client.post("/v1/box_left", json=[{"open": 321, "roll": [3, 1]}, {"open": "x"}]).json()
    assert one["value"] == db.lookup("box_left", open="321", roll="13")["value"]
    paths = client.get("/openapi.json").json()["paths"]
    kinds = [paths[f"/v1/{table}"]["get"]["parameters"][1]["schema"]["type"] for table in BOARDS]
    assert kinds == ["string", "integer"]


@pytest.mark.parametrize("table", TABLES)
def test_nonsense_is_refused_in_one_line_everywhere(every, capsys, table):
    db, client = every
    described = db.describe(table)
    _, asked = positions(db, table)
    position = asked[0]
    wrong = [({**position, "colour": 3}, 422)]
    wrong += [({**position, p["name"]: -7}, 422) for p in described["parameters"] if p["kind"] == "integer"]
    # An undefined name is a variant that is not solved (404); another wrong word is not allowed (422).
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
        if i % 8 == 0:  # the command opens the tables each time
            typed = [f"{name}={value}" for name, value in given.items()]
            said = commands.error_of(capsys, "lookup", table, *typed, "--results", db.results)
            assert said.strip() == f"error: {error.value}"
    numbers = [c["name"] for c in (*described["parameters"], *columns) if c["kind"] == "integer"]
    for name, value in product(numbers, (2**31, "9" * 30, "0x1")):
        response = client.post(f"/v1/{table}", json=[{**position, name: value}])
        assert response.status_code == 422 or response.json()[0]["status"] != "answered"


@pytest.mark.parametrize("table", [table for table in TABLES if table.endswith("_matchups")])
def test_matchups_have_the_error_bound_of_their_variant_beside_each_row(every, table):
    db = every[0]
    (variant,) = db.tables(table)
    rows = db.rows(f"SELECT error_bound FROM {table}")[1]
    assert 0 < variant["error_bound"] < 1e-9 and set(rows) == {(variant["error_bound"],)}
    assert len(rows) == variant["states"]
