"""The catalogue in other clients: DuckDB's command line client and attached databases."""

import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from support import grids

CLIENT = shutil.which("duckdb", path=Path(sys.executable).parent) or shutil.which("duckdb")
BEST = "SELECT action FROM {}pig_turn_at(20, sides := 8)"

with_client = pytest.mark.skipif(not CLIENT, reason="the client duckdb is not installed (package duckdb-cli)")

# Tables with and without decisions, stored as rows and as values; with three slots each slot leaves one position.
CONFIG = """
tables:
  pig_turn: [{sides: [6, 8]}]
  pig_duel: [{target: 20}]
  pig_duel_turns: [{target: 20}]
  pig_duel_scores: [{target: 20}]
  hog_simultaneous: [{target: 8, max_dice: 3}]
  ten_times_eighteen_score: [{slots: 3}]
  ten_times_eighteen_exceed: [{slots: 3}]
  ten_times_eighteen_rank: [{slots: 3}]
"""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    return grids.of("clients", CONFIG)(tmp_path_factory) / "dicebase.duckdb"


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """The working directory of the test, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def connection(catalogue, elsewhere):
    with duckdb.connect(str(catalogue), read_only=True) as opened:
        yield opened


@pytest.fixture
def attached(catalogue, elsewhere):
    """Another database to which the catalogue is attached."""
    with duckdb.connect(str(elsewhere / "mine.duckdb")) as mine:
        mine.execute(f"ATTACH '{catalogue}' AS dice (READ_ONLY)")
        yield mine


def client(*words: object) -> subprocess.CompletedProcess:
    """Run DuckDB's command line client."""
    return subprocess.run([CLIENT, *map(str, words)], capture_output=True, text=True)


def macros(connection) -> dict[str, list[str]]:
    """The arguments of each table macro of the catalogue."""
    found = connection.execute(
        "SELECT function_name, parameters FROM duckdb_functions() "
        "WHERE function_type = 'table_macro' AND NOT internal AND database_name = current_database()"
    )
    return dict(found.fetchall())


def views(connection, database="current_database()") -> list[str]:
    query = f"SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = {database} ORDER BY 1"
    return [name for (name,) in connection.execute(query).fetchall()]


# --- the command line client, which may be older than the DuckDB that built the file ------------------------------

CALLS = [
    "pig_turn_at(20)",
    "pig_turn_at(20, dice := 1, sides := 8)",
    "pig_duel_at(5, 10, 8, target := 20)",
    "pig_duel_turns_at(5, 10, target := 20)",
    "hog_simultaneous_at(7, 5, max_dice := 3, target := 8)",
    "ten_times_eighteen_exceed_at(7, 30, 9, slots := 3)",
]


@with_client
def test_the_command_line_client_reads_views_and_calls_macros(catalogue, connection):
    names = views(connection)
    assert len(names) > 12
    counts = " UNION ALL ".join(f"SELECT '{name}', count(*)::VARCHAR FROM {name}" for name in names)
    for query in (counts, *(f"SELECT COLUMNS(*)::VARCHAR FROM {call}" for call in CALLS)):
        done = client("-readonly", "-csv", "-noheader", catalogue, query)
        assert done.returncode == 0, done.stderr
        expected = [list(row) for row in connection.execute(query).fetchall()]
        assert expected and list(csv.reader(io.StringIO(done.stdout))) == expected


@with_client
def test_the_command_line_client_attaches_the_catalogue(catalogue, elsewhere):
    attach = f"ATTACH '{catalogue}' AS dice (READ_ONLY);"
    done = client("-csv", "-noheader", "-c", f"{attach} USE dice; {BEST.format('')}")
    assert done.stdout.split() == ["roll", "hold"], done.stderr


# --- attached -----------------------------------------------------------------------------------------------------


def test_every_view_and_macro_works_after_attach_and_use(attached):
    attached.execute("USE dice")
    for place in ("", "dice."):
        assert attached.execute(BEST.format(place)).fetchall() == [("roll",), ("hold",)]
    for name, arguments in macros(attached).items():
        attached.execute(f"SELECT * FROM {name}({', '.join('NULL' for _ in arguments)}) LIMIT 0")
    attached.execute(f"CREATE TABLE mine.main.best AS {BEST.format('')} WHERE optimal")
    assert attached.execute("SELECT * FROM mine.best").fetchall() == [("roll",)]


def test_views_work_after_attach_without_use(attached):
    names = views(attached, "'dice'")
    assert len(names) > 12
    for name in names:
        assert attached.execute(f"SELECT count(*) FROM dice.{name}").fetchone()[0] > 0


# --- what a client sees -------------------------------------------------------------------------------------------


def test_every_view_and_every_column_has_a_comment(connection):
    found = connection.execute("SELECT view_name, '', comment FROM duckdb_views() WHERE NOT internal").fetchall()
    columns = (
        "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main'"
    )
    found += connection.execute(columns).fetchall()
    assert len(found) > 100 and [row for row in found if not row[2]] == []
    assert ("pig_turn", "turn_total", "points of this turn [points]") in found


def test_every_table_has_its_macro_with_its_state_and_its_parameters(connection):
    tables = connection.execute("SELECT name, any_value(json_keys(parameters)) FROM tables GROUP BY name").fetchall()
    found = macros(connection)
    assert {f"{name}_at" for name, _ in tables} == set(found)
    for name, parameters in tables:
        columns = [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
        assert set(found[f"{name}_at"]) - {"roll"} <= set(columns)
        assert found[f"{name}_at"][-len(parameters) :] == parameters


# In a macro `me = me` would be true of every row, so its arguments must not be taken for the table's own columns.
ARGUMENTS = [
    ("pig_duel_at(5, 10, 8, target := 20)", 2),
    ("pig_duel_at(me := 5, opponent := 10, turn_total := 8, target := 20, sides := 6, dice := 1)", 2),
    ("pig_duel_turns_at(me := 5, opponent := 10, target := 20)", 1),
    ("pig_duel_scores_at(5, 10, 15, target := 20)", 1),
    ("(VALUES (5, 10, 8)) AS p(me, opponent, turn_total), pig_duel_at(me, opponent, turn_total, target := 20)", 2),
    ("(VALUES (5, 10)) AS p(me, opponent), pig_duel_turns_at(me, opponent, target := 20)", 1),
    ("(VALUES (5, 10)) AS t(me, opponent), pig_duel_turns_at(t.me, t.opponent, target := 20)", 1),
]


@pytest.mark.parametrize(("call", "rows"), ARGUMENTS)
def test_arguments_named_as_columns_give_one_position(connection, call, rows):
    found = connection.execute(f"FROM {call}").fetchall()
    assert len(found) == rows
    if rows == 2:  # the same decisions, after the columns of the caller
        expected = connection.execute("FROM pig_duel_at(5, 10, 8, target := 20)").fetchall()
        assert [row[-len(expected[0]) :] for row in found] == expected
