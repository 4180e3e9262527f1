"""SQL in the shell: rows as text, JSON and CSV in several parts, limits, and errors with their lines."""

import csv
import io
import json

import pytest

from dicebase import cli
from dicebase.catalog import lookup
from dicebase.vocabulary import ConfigurationError, DicebaseError

QUERY = "SELECT sides, dice, turn_total, value FROM pig_turn ORDER BY ALL"


@pytest.fixture
def ask(results, capsys):
    def ask(*words):
        code = cli.main(["--results", str(results), *words])
        return code, capsys.readouterr()

    return ask


@pytest.mark.parametrize("at_once", [1, 3, 1000])
def test_every_form_has_all_rows_for_any_size_of_parts(ask, db, monkeypatch, at_once):
    monkeypatch.setattr(lookup, "AT_ONCE", at_once)
    names, rows = db.rows(QUERY)
    said = json.loads(ask("sql", QUERY, "--json")[1].out)
    assert [tuple(row.values()) for row in said] == rows and list(said[0]) == names
    header, *lines = csv.reader(io.StringIO(ask("sql", QUERY, "--csv")[1].out))
    assert header == names and [(int(a), int(b), int(c), float(d)) for a, b, c, d in lines] == rows
    text = ask("sql", QUERY)[1].out.splitlines()
    assert text[0].split() == names and len(text) == len(rows) + 1
    query = "SELECT sides FROM pig_turn WHERE false"
    assert [ask("sql", query, *form)[1].out for form in ([], ["--json"], ["--csv"])] == ["sides\n", "[]\n", "sides\n"]


@pytest.mark.parametrize("query", ["SELECT 1 AS a;", "SELECT 1 AS a; -- b; c", "-- a; b\nSELECT 1 AS a /* ; */ ;;"])
def test_a_statement_may_have_comments_and_semicolons_at_its_end_and_statements_without_rows_before(ask, db, query):
    assert ask("sql", query)[1].out == ask("sql", f"SET VARIABLE total = 5; {query}")[1].out == "a\n1\n"
    assert db.sql(query).fetchall() == db.rows(query)[1] == [(1,)]


@pytest.mark.parametrize("query", ["SELECT 1; SELECT 2", "VALUES (1); TABLE tables; SELECT 3", "SHOW TABLES; SELECT 1"])
def test_several_queries_are_refused(db, query):
    statements = query.count(";") + 1
    for run in (db.sql, db.rows):
        with pytest.raises(ConfigurationError, match=f"^SQL: {statements} statements"):
            run(query)


def test_a_query_may_follow_an_unfinished_or_failed_one(db):
    _, parts = db.stream("SELECT * FROM range(100000)")
    next(parts)
    assert db.sql("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(DicebaseError, match=r"needs the package pytz, which is not installed; cast it, as in now\(\)"):
        db.rows("SELECT now()")
    assert db.sql("SELECT now()::TIMESTAMP > TIMESTAMP '2001-01-01'").fetchall() == [(True,)]


def test_a_limited_answer_says_that_there_is_more(ask):
    code, said = ask("sql", QUERY, "--limit", "2", "--csv")
    assert code == 0 and len(said.out.splitlines()) == 3 and said.err.startswith("the first 2 rows; ")
    assert ask("sql", "SELECT 1", "--limit", "1")[1].err == ""


def test_a_terminal_shows_the_first_rows(ask, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr(cli, "SHOWN", 5)
    said = ask("sql", "FROM range(1000)")[1]
    assert len(said.out.splitlines()) == 6 and "--limit 0 to see all" in said.err
    assert len(ask("sql", "FROM range(1000)", "--limit", "0")[1].out.splitlines()) == 1001


def test_an_error_points_to_the_place_in_the_query(ask):
    code, said = ask("sql", "SELECT sides,\n  valu\nFROM pig_turn")
    assert code == 2 and said.err.startswith("error: SQL: ")
    where, caret = said.err.splitlines()[-2:]
    assert set(caret.strip()) == {"^"} and where[caret.index("^") :].startswith("valu")


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
@pytest.mark.parametrize(
    "query", ["SELEC 1", "SELECT *\nFROM\nnothing", "SELECT colour FROM pig_turn", "SELECT error('a\nb')"]
)
def test_a_wrong_query_prints_only_the_error(ask, query, form):
    code, said = ask("sql", query, *form)
    assert code == 2 and said.out == "" and said.err.startswith("error: SQL: ")


CALLS = ["pig_turn_at(5, sides := 7)", "ten_thousand_turn_at(0, '15', rules := 'nobodys')", "pig_turn_at(1)"]
CALLS += ["(VALUES (5), (1)) AS p(total), pig_turn_at(p.total)"]


@pytest.mark.parametrize("call", CALLS)
def test_a_macro_refuses_an_unsolved_variant_or_unknown_position(db, call):
    with pytest.raises(DicebaseError, match=r"_at: no decision at .*=.*: no such position, or not solved"):
        db.rows(f"SELECT count(*) FROM {call}")
