"""POST /v1/sql: a server started with --sql answers untrusted queries."""

import json
import re

import pytest

from dicebase.catalog.sandbox.sandbox import Limits, Sandbox
from dicebase.show.http.app import make_app
from support import commands
from support.asgi import ask, beside, left

BOMB = "SELECT count(*) FROM range(1000000000000)"


@pytest.fixture(scope="module")
def sql_app(results):
    app = make_app(results, sql=True)
    with app.state.service:
        yield app


@pytest.fixture
def small_limits(sql_app, results, monkeypatch):
    """A sandbox of one second, because a busy machine is slow, of 64 MB and answers of 1 MB."""
    queries = sql_app.state.service.queries
    limits = Limits(seconds=1.0, memory_mb=64, rows=10_000, answer_mb=1, threads=1)
    with Sandbox(queries._sandbox.path, limits) as sandbox:
        monkeypatch.setattr(queries, "_sandbox", sandbox)
        yield sandbox


def asked(app, query, **more):
    return ask(app, "/v1/sql", "POST", json.dumps({"query": query} | more))


def test_only_the_option_adds_the_route(app, sql_app):
    found = asked(app, "SELECT 1")
    assert found.status_code == 404 and "no table 'sql'; known: forbidden_multiple_turn, " in found.json()["error"]
    assert "/v1/sql" not in ask(app, "/openapi.json").json()["paths"]
    operation = ask(sql_app, "/openapi.json").json()["paths"]["/v1/sql"]["post"]
    assert operation["responses"].keys() == {"200", "400", "403", "408", "413", "422", "503"}
    body = operation["requestBody"]["content"]["application/json"]
    assert body["schema"]["properties"]["limit"]["maximum"] == sql_app.state.service.queries._sandbox.limits.rows
    assert asked(sql_app, **body["example"]).json()["columns"] == ["action", "q_value"]
    found = ask(sql_app, "/v1/sql")
    assert (found.status_code, found.json()) == (405, {"error": "GET /v1/sql: not allowed; use POST"})


@pytest.mark.parametrize(
    "query",
    [
        "SELECT action, q_value FROM pig_turn_at(25)",
        "SELECT * FROM pig_turn WHERE sides = 5",
        "SELECT 'nan'::DOUBLE AS a, [1.5, 'inf'::DOUBLE] AS b, {'x': DATE '2001-02-03'} AS c, 1::HUGEINT << 90 AS d",
        "DESCRIBE pig_turn",
        "SHOW TABLES",
    ],
)
def test_rows_are_those_of_the_command_line(sql_app, say, query):
    found = asked(sql_app, query)
    assert found.status_code == 200 and found.headers["Cache-Control"] == "no-cache"
    answer, rows = found.json(), json.loads(say("sql", "--json", query))
    assert answer.keys() == {"columns", "types", "cut", "rows"} and not answer["cut"]
    assert answer["rows"] == rows
    assert all(list(row) == answer["columns"] for row in rows)
    assert len(answer["types"]) == len(answer["columns"]) > 0


def test_an_answer_says_whether_it_is_complete(sql_app):
    found = asked(sql_app, "SELECT range AS n FROM range(5)", limit=3).json()
    assert found == {"columns": ["n"], "types": ["BIGINT"], "cut": True, "rows": [{"n": 0}, {"n": 1}, {"n": 2}]}
    assert not asked(sql_app, "FROM range(5)", limit=5).json()["cut"]
    found = asked(sql_app, "FROM range(10001)").json()
    assert found["cut"] and len(found["rows"]) == 10_000


@pytest.mark.parametrize(
    ("status", "query", "error"),
    [
        (400, "", "SQL: the query is empty"),
        (400, "SELEC 1", 'SQL: Parser Error: syntax error at or near "SELEC"'),
        (400, "SELECT nobody FROM pig_turn", "SQL: Binder Error: "),
        (400, "SELECT 1 AS a, 2 AS a", "SQL: two columns are called 'a'; give each its own name with AS"),
        (403, "COPY pig_turn TO 'mine.csv'", "SQL: COPY is refused; allowed is one SELECT, "),
        (403, "SELECT * FROM read_text('/etc/passwd')", "SQL: the table function 'read_text' is refused; "),
        (403, "SELECT 1; SELECT 2", "SQL: 2 statements at once are refused; "),
        (403, "SELECT 1" + " " * 20_000, "SQL: 20008 characters are refused; a statement has at most 20000"),
        (422, "\ud800", "SQL: a query must be Unicode text, not '\\ud800'"),
        (422, 5, "SQL: a query must be Unicode text, not 5"),
    ],
)
def test_a_wrong_query_is_an_error_of_one_line(sql_app, status, query, error):
    found = asked(sql_app, query)
    assert found.status_code == status and list(found.json()) == ["error"]
    assert found.json()["error"].startswith(error) and "\n" not in found.json()["error"]
    assert found.headers["X-Content-Type-Options"] == "nosniff"


NO_QUERY = 'sql: the body must be an object with a query, such as {"query": "FROM tables"}'
BODIES = [
    (422, "", "sql: the body is not JSON, or is nested too deeply"),
    (422, "[]", NO_QUERY),
    (422, "{}", NO_QUERY),
    (422, '{"query": "SELECT 1", "limits": 5}', "sql: 'limits' is not known here; did you mean 'limit'?"),
    (422, '{"query": "SELECT 1", "query": "SELECT 2"}', "sql: 'query' is given twice"),
    (413, '{"query": "SELECT 1"}' + " " * 200_000, "POST /v1/sql: more than 200000 bytes; send less at a time"),
]
for text, value in (("0", 0), ("10001", 10001), ("1.0", 1.0), ("true", True), ("null", None)):
    said = f"sql: limit={value} is not allowed; give a whole number from 1 to 10000"
    BODIES.append((422, f'{{"query": "SELECT 1", "limit": {text}}}', said))


@pytest.mark.parametrize(("status", "body", "error"), BODIES)
def test_a_body_without_a_query_is_an_error_of_one_line(sql_app, status, body, error):
    found = ask(sql_app, "/v1/sql", "POST", body)
    assert (found.status_code, found.json()) == (status, {"error": error})


def test_an_expensive_query_is_stopped_and_the_next_is_answered(sql_app, small_limits):
    for query, status, error in [
        (BOMB, 408, "SQL: stopped: it ran for more than 1.0 seconds"),
        ("SELECT len(range(200000000))", 503, "SQL: stopped: it needed more than 64 MB of memory"),
        ("SELECT repeat('x', 2000000)", 503, "SQL: the answer takes more than 1 MB; ask for less"),
    ]:
        found = asked(sql_app, query)
        assert (found.status_code, found.json()) == (status, {"error": error})
        assert asked(sql_app, "SELECT 1 AS one").json()["rows"] == [{"one": 1}]


def test_too_many_queries_are_refused(sql_app, monkeypatch):
    places = sql_app.state.service.queries._places
    assert (places.free, places.most) == (4, 4)
    monkeypatch.setattr(places, "free", 0)
    found = asked(sql_app, "SELECT 1")
    assert found.status_code == 503 and found.headers["Retry-After"] == "1"
    assert found.json() == {"error": "POST /v1/sql: 4 such requests are in progress; try again"}


def test_lookups_are_answered_while_a_query_runs(sql_app, small_limits):
    assert beside(sql_app, "/v1/sql", {"query": BOMB}) == [("lookup", 200)] * 10 + [("post", 408)]


def test_a_query_ends_or_does_not_begin_when_its_client_has_gone(sql_app, monkeypatch):
    sandbox = sql_app.state.service.queries._sandbox
    # 408 would mean that the time limit ended the query.
    assert left(sql_app, "/v1/sql", {"query": BOMB}, sandbox._lock.locked) == 503
    assert asked(sql_app, "SELECT 1 AS one").json()["rows"] == [{"one": 1}]
    monkeypatch.setattr(sandbox, "run_json", lambda *_: pytest.fail("it runs"))
    assert left(sql_app, "/v1/sql", {"query": BOMB}, lambda: True) == 400
    assert sql_app.state.service.queries._places.free == 4


def test_the_page_shows_the_answers_of_the_server(sql_app):
    text = (commands.ROOT / "docs/use/http.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"^\$ curl -s 'http://127\.0\.0\.1:8000([^']*)'(?: --data '(.*)')?\n((?:(?!\$ |```).*\n)+)", text, re.M
    )
    assert len(shown) > 3 and any(body for _, body, _ in shown)
    for path, body, printed in shown:
        assert ask(sql_app, path, "POST" if body else "GET", body).json() == json.loads(printed), path
