"""Lookups over HTTP: the JSON and the errors of the command line, and the headers for caches and browsers."""

import json
import re
import shutil

import httpx
import pyarrow as pa
import pytest
from jsonschema import Draft202012Validator

from dicebase.catalog.json_text import as_json
from dicebase.catalog.lookup import Catalog
from dicebase.cli import main
from dicebase.show.http.app import make_app
from support import commands, grids, kept_rolls
from support.asgi import ask

SCHEMA = json.loads((commands.ROOT / "workflow/dicebase/schemas/answer.schema.json").read_text(encoding="utf-8"))
PIG = "/v1/pig_turn?turn_total=19"


@pytest.mark.parametrize(
    ("path", "words"), [("/v1/tables", "tables"), ("/v1/tables?table=pig_turn", "tables pig_turn")]
)
def test_an_answer_is_that_of_the_command_line(app, results, capsys, path, words):
    found = ask(app, path)
    assert main([*words.split(), "--json", "--results", str(results)]) == 0
    assert (found.status_code, found.headers["Content-Type"]) == (200, "application/json")
    assert found.text == capsys.readouterr().out


def checked(response):
    """The answer of a response, which must fit the schema and have no other key."""
    assert response.status_code == 200, response.text
    answer = response.json()
    Draft202012Validator(SCHEMA).validate(answer)
    assert answer.keys() <= SCHEMA["properties"].keys()
    known = SCHEMA["properties"]["actions"]["items"]["properties"]
    assert all(action.keys() <= known.keys() for action in answer["actions"])
    return answer


def test_answers_fit_the_schema_which_describes_everything(app, db):
    Draft202012Validator.check_schema(SCHEMA)
    action = SCHEMA["properties"]["actions"]["items"]
    assert all(p["description"] for p in (SCHEMA["properties"] | action["properties"]).values())
    for name in {row["name"] for row in db.tables()}:
        columns, rows = db.rows(f"SELECT * EXCLUDE (value, action, margin) FROM {name} USING SAMPLE 40 (reservoir, 1)")
        for row in rows:
            checked(ask(app, f"/v1/{name}?{httpx.QueryParams(dict(zip(columns, row, strict=True)))}"))


def test_a_roll_may_replace_the_number_of_dice(tmp_path_factory):
    app = make_app(kept_rolls.results(tmp_path_factory))
    path = f"/v1/{kept_rolls.RACE}"
    with app.state.service:
        asked = ask(app, "/openapi.json").json()["paths"][path]["get"]["parameters"]
        assert {p["name"] for p in asked if p.get("required")} == {"banked", "turn_total"}
        assert {"dice", "roll"} < {p["name"] for p in asked}
        position = f"{path}?target=500&banked=0&turn_total=0"
        answer = checked(ask(app, f"{position}&roll=53211"))
        assert (answer["state"]["roll"], answer["position"]) == ("11235", "0 0 - 11235")
        assert ask(app, f"{path}?target=500&position=0+0+-+53211").json() == answer
        for wrong in (position, f"{position}&dice=5&roll=53211"):
            assert ask(app, wrong).status_code == 422


def test_many_positions_are_answered_as_a_batch(app, db):
    rows = [{"turn_total": t, "sides": s, "note": [t]} for t in (-1, 0, 1, 5, 19, 30) for s in (4, 6, 7)]
    rows += [{"turn_total": None, "sides": 6}, {"turn_total": 19}]  # six sides by default
    found = ask(app, "/v1/pig_turn", "POST", json.dumps(rows))
    assert found.status_code == 200 and "max-age" not in found.headers["Cache-Control"]
    columns = {name: [row.get(name, 6) for row in rows] for name in ("turn_total", "sides")}
    answers = db.lookup_many("pig_turn", pa.table(columns)).drop_columns(list(columns)).to_pylist()
    assert found.json() == [row | answer for row, answer in zip(rows, answers, strict=True)]
    assert {a["status"] for a in answers} == {"answered", "beyond", "unreachable", "not solved"}
    rolls = [{"rules": "pocket", "turn_total": 0, "roll": roll} for roll in ([5, 2, 1], "1,2,5", 125)]
    for roll in rolls:
        (answer,) = ask(app, "/v1/ten_thousand_turn", "POST", json.dumps([roll])).json()
        assert answer["action"] == "keep 15, bank"
    assert ask(app, "/v1/pig_turn", "POST", "[]").json() == []
    found = ask(app, "/v1/pig_turn?sides=4", "POST", '[{"turn_total": 5}]')
    assert found.status_code == 422 and "'sides' is in the URL" in found.json()["error"]


def test_positions_of_a_batch_may_leave_out_parameters(tmp_path):
    app = make_app(grids.build(tmp_path / "results", "tables: {hog_turn: [{max_dice: [5, 10], slice_by: []}]}"))
    with app.state.service:
        asked = ask(app, "/v1/hog_turn", "POST", '[{}, {"max_dice": 5}, {"max_dice": 10}]').json()
        assert ask(app, "/v1/hog_turn", "POST", "[{}]").json() == asked[:1]
    assert asked[0]["value"] == asked[2]["value"] and {answer["status"] for answer in asked} == {"answered"}


VALUES = ['"five"', "true", '"0x5"', "9" * 400, "9" * 5000, "{}"]
BODIES = [(422, f'[{{"turn_total": {value}}}]') for value in VALUES]
BODIES += [(422, f'[{{"turn_total": 5, {more}}}]') for more in ('"turn_total": 6', '"value": 1', '"side": 6')]
BODIES += [(422, body) for body in ("", b"\xff", "[" * 100_000, "{}", "[1]", "[{}]")]
BODIES += [(413, body) for body in (json.dumps([{"turn_total": 5}] * 1001), "[]" + " " * 1_000_000)]


BODIES = [(*of, "pig_turn") for of in BODIES]
NO_JSON = "pig_turn: the body is not JSON, or is nested too deeply"
BODIES += [(422, f'[{{"turn_total": 5, "id": {x}}}]', NO_JSON) for x in ("NaN", "Infinity", "-Infinity", "1e400")]
MANY = "pig_turn: 8000 columns ('k0', 'k1', 'k2', ...) are not parameters or state columns; at most 1000 others may"
BODIES.append((422, json.dumps([{"turn_total": 5} | {f"k{i}": 1 for i in range(8000)}]), MANY))


@pytest.mark.parametrize(("status", "body", "error"), BODIES, ids=range(len(BODIES)))
def test_a_body_without_positions_is_an_error_of_one_line(app, status, body, error):
    found = ask(app, "/v1/pig_turn", "POST", body)
    assert found.status_code == status and list(found.json()) == ["error"] and "\n" not in found.json()["error"]
    assert error in found.json()["error"]
    assert ask(app, "/v1/pig_tern", "POST", body).status_code == 404


def test_a_deep_body_is_answered_or_refused(app):
    codes = {
        ask(app, "/v1/pig_turn", "POST", f'[{{"turn_total": 5, "x": {"[" * n}{"]" * n}}}]').status_code
        for n in range(100, 1100, 50)
    }
    assert codes == {200, 422}


def test_pages_of_tables_link_to_one_another(app, db):
    assert ask(app, "/v1/tables?table=pig_tern").status_code == 404
    wrong = ask(app, "/v1/tables?tabel=pig_turn")
    assert wrong.status_code == 422
    assert wrong.json() == {"error": "tables: 'tabel' is not a parameter; did you mean 'table'?"}
    variants, path, pages = [], "/v1/tables?limit=4", 0
    while path:
        page = ask(app, path)
        assert int(page.headers["X-Total-Count"]) == len(db.tables())
        following = re.fullmatch(r'<(\?.*)>; rel="next"', page.headers.get("Link", ""))
        path = following and f"/v1/tables{following[1]}"
        variants, pages = variants + page.json(), pages + 1
    assert variants == json.loads(as_json(db.tables())) and pages == -(-len(variants) // 4)
    assert "table=pig_turn" in ask(app, "/v1/tables?table=pig_turn&limit=1").headers["Link"]
    for wrong in ("limit=0", "limit=101", "limit=x", "offset=-1", f"offset={'9' * 5000}"):
        found = ask(app, f"/v1/tables?{wrong}")
        assert found.status_code == 422 and "whole number from" in found.json()["error"]


def test_the_explorer_is_served_if_it_exists(results_copy):
    folder = results_copy / "explorer"
    shutil.rmtree(folder)
    app = make_app(results_copy)
    with app.state.service:
        assert ask(app, "/explorer/").status_code == 404 and "explorer/" not in ask(app, "/").text
    folder.mkdir()
    (folder / "index.html").write_text("the page", encoding="utf-8")
    (results_copy / "secret.txt").touch()
    app = make_app(results_copy)
    with app.state.service:
        assert ask(app, "/explorer/").text == "the page"
        assert ask(app, "/explorer").headers["Location"] == "explorer/"
        assert 'href="explorer/"' in ask(app, "/").text
        for path in ("/explorer/none.js", "/explorer/../secret.txt", "/explorer/%2e%2e/secret.txt"):
            missing = ask(app, path)
            assert missing.status_code == 404 and list(missing.json()) == ["error"]


@pytest.mark.parametrize("more", ["turn_total=5", "table=1", "self=1"])
def test_a_repeated_name_and_names_of_python_arguments_are_refused(app, results, capsys, more):
    found = ask(app, f"/v1/pig_turn?turn_total=5&{more}")
    line = commands.error_of(capsys, "--results", results, "lookup", "pig_turn", "turn_total=5", more)
    assert (found.status_code, found.json()) == (422, {"error": line.removeprefix("error: ").rstrip()})


def test_other_methods_and_paths_are_errors_of_one_line(app):
    for method, path, allowed in (("PUT", "/v1/pig_turn", "GET, HEAD, POST"), ("POST", "/openapi.json", "GET, HEAD")):
        wrong = ask(app, path, method)
        assert wrong.status_code == 405 and sorted(wrong.headers["Allow"].split(", ")) == allowed.split(", ")
        assert wrong.json() == {"error": f"{method} {path}: not allowed; use {allowed.replace(', ', ' or ')}"}
    for path in ("/v2/pig_turn", "/v1/", "/v1/tables/", "/v1/pig_turn/5", "/a%0Ab", f"/{'a' * 9000}"):
        found = ask(app, path)
        assert found.status_code == 404 and "\n" not in found.json()["error"] and len(found.text) < 2100


@pytest.mark.parametrize("path", [PIG, "/v1/tables", "/openapi.json", "/"])
def test_an_unchanged_answer_is_not_sent_again(app, path):
    found = ask(app, path)
    tag = found.headers["ETag"]
    assert re.fullmatch(r'"[0-9a-f]{32}"', tag) and "max-age" in found.headers["Cache-Control"]
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        unchanged = ask(app, path, If_None_Match=known)
        assert unchanged.status_code == 304 and unchanged.content == b""
        assert unchanged.headers["ETag"] == tag and "max-age" in unchanged.headers["Cache-Control"]
    assert ask(app, path, If_None_Match='"other"').status_code == 200
    head = ask(app, path, "HEAD")
    assert head.status_code == 200 and head.content == b"" and head.headers == found.headers


def test_a_tag_depends_on_position_and_certificate(app, results, monkeypatch):
    tag = ask(app, PIG).headers["ETag"]
    assert tag != ask(app, "/v1/pig_turn?turn_total=18").headers["ETag"]
    tables = Catalog.tables
    for name, same in (("seconds", True), ("error_bound", False)):
        changed = {name: 1.0}
        monkeypatch.setattr(Catalog, "tables", lambda *a, c=changed: [row | c for row in tables(*a)])
        assert (ask(make_app(results), PIG).headers["ETag"] == tag) == same


def test_requests_from_other_origins_are_allowed(app):
    found = ask(app, PIG, Origin="https://example.org")
    assert found.headers["Access-Control-Allow-Origin"] == "*"
    assert found.headers["Access-Control-Expose-Headers"] == "ETag, Link, X-Total-Count"
    assert ask(app, "/v1/x", Origin="https://example.org").headers["Access-Control-Allow-Origin"] == "*"
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    allowed = ask(app, PIG, "OPTIONS", **asked, Access_Control_Request_Headers="If-None-Match")
    assert allowed.status_code == 200 and "GET" in allowed.headers["Access-Control-Allow-Methods"]
    posts = asked | {"Access-Control-Request-Method": "POST"}
    assert ask(app, PIG, "OPTIONS", **posts, Access_Control_Request_Headers="Content-Type").status_code == 200
    assert ask(app, PIG, "OPTIONS", **asked | {"Access-Control-Request-Method": "PUT"}).status_code == 400


def test_long_lists_are_made_once(app, monkeypatch):
    first = ask(app, "/v1/tables").text
    monkeypatch.setattr(Catalog, "tables", lambda *_: pytest.fail("made again"))
    assert [ask(app, "/v1/tables").text for _ in range(3)] == [first] * 3
    assert ask(app, "/v1/tables?table=pig_turn").status_code == 200


def test_long_numbers_are_refused_even_after_a_lookup_that_read_one(app):
    assert ask(app, "/v1/pig_turn?turn_total=1000000").json()["beyond"]
    for given in (f"turn_total={'9' * 5000}", f"turn_total=5&sides={'9' * 5000}"):
        found = ask(app, f"/v1/pig_turn?{given}")
        assert found.status_code == 422 and "5002 characters" in found.json()["error"]
    assert ask(app, "/v1/pig_turn", "POST", f'[{{"turn_total": 5, "x": {"9" * 5000}}}]').status_code == 422
