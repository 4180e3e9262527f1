"""The catalogue as clients open it: from anywhere, by other programs and engines, attached, moved, by many at once."""

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from support import commands, grids

PAGE = (commands.ROOT / "docs/use/sql.md").read_text(encoding="utf-8")
CLIENT = shutil.which("duckdb", path=Path(sys.executable).parent) or shutil.which("duckdb")

with_client = pytest.mark.skipif(not CLIENT, reason="the client duckdb is not installed (package duckdb-cli)")

# A table whose slots leave one position each, with and without decisions.
MORE = """
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
    """A catalogue of many kinds of tables."""
    made = grids.once(tmp_path_factory, "clients", lambda folder: grids.build(folder / "results", MORE))
    return made / "results/dicebase.duckdb"


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Another working directory, with nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def connection(catalogue, elsewhere):
    with duckdb.connect(str(catalogue), read_only=True) as opened:
        yield opened


@pytest.fixture
def attached(catalogue, elsewhere):
    """A database of one's own beside it."""
    with duckdb.connect(str(elsewhere / "mine.duckdb")) as mine:
        mine.execute(f"ATTACH '{catalogue}' AS dice (READ_ONLY)")
        yield mine


def client(*words: object) -> subprocess.CompletedProcess:
    """DuckDB's command line client."""
    return subprocess.run([CLIENT, *map(str, words)], capture_output=True, text=True)


def asked(catalogue: Path, query: str) -> list[list[str]]:
    """The rows of a query, from the command line client, as text."""
    done = client("-readonly", "-csv", "-noheader", catalogue, query)
    assert done.returncode == 0, done.stderr
    return list(csv.reader(io.StringIO(done.stdout)))


def macros(connection) -> dict[str, list[str]]:
    """The arguments of every table macro of the catalogue."""
    found = connection.execute(
        "SELECT function_name, parameters FROM duckdb_functions() "
        "WHERE function_type = 'table_macro' AND NOT internal AND database_name = current_database()"
    )
    return dict(found.fetchall())


# Another working directory ----------------------------------------------------------------------------------------


def test_views_and_macros_work_from_another_working_directory(connection):
    assert connection.execute("SELECT count(*) FROM pig_turn").fetchone()[0] > 50
    assert connection.execute("SELECT action FROM pig_turn_at(20, sides := 8)").fetchall() == [("roll",), ("hold",)]


def test_it_may_be_moved_and_renamed(catalogue, elsewhere):
    shutil.copy(catalogue, elsewhere / "old name.db")
    (elsewhere / "folder").mkdir()
    (elsewhere / "old name.db").rename(elsewhere / "folder/games of dice.db")
    with duckdb.connect("folder/games of dice.db", read_only=True) as opened:
        assert opened.execute("SELECT action FROM pig_turn_at(20, sides := 8) LIMIT 1").fetchall() == [("roll",)]
        assert opened.execute("SELECT count(*) FROM ten_times_eighteen_exceed_at(7, 30, 9, slots := 3)").fetchall() == [
            (3,)
        ]
    assert [p.name for p in (elsewhere / "folder").iterdir()] == ["games of dice.db"]


# The command line client, which may be older than what built the file ----------------------------------------------


@with_client
def test_the_command_line_client_reads_every_view(catalogue, connection):
    views = [
        name for (name,) in connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    ]
    query = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in sorted(views))
    assert len(views) > 12
    assert asked(catalogue, query) == [[n, str(c)] for n, c in connection.execute(query).fetchall()]


@with_client
@pytest.mark.parametrize(
    "call",
    [
        "pig_turn_at(20)",
        "pig_turn_at(20, sides := 8)",
        "pig_turn_at(20, dice := 1, sides := 8)",
        "pig_duel_at(5, 10, 8, target := 20)",
        "pig_duel_turns_at(5, 10, target := 20)",
        "hog_simultaneous_at(7, 5, max_dice := 3, target := 8)",
        "ten_times_eighteen_exceed_at(7, 30, 9, slots := 3)",
    ],
)
def test_the_command_line_client_calls_macros(catalogue, connection, call):
    query = f"SELECT COLUMNS(*)::VARCHAR FROM {call}"
    expected = connection.execute(query).fetchall()
    assert expected and asked(catalogue, query) == [list(row) for row in expected]


@with_client
def test_the_command_line_client_attaches_it(catalogue, elsewhere):
    attach = f"ATTACH '{catalogue}' AS dice (READ_ONLY);"
    done = client("-csv", "-noheader", "-c", f"{attach} USE dice; SELECT action FROM pig_turn_at(20, sides := 8)")
    assert done.stdout.split() == ["roll", "hold"], done.stderr
    done = client("-csv", "-noheader", "-c", f"{attach} SELECT action FROM dice.pig_turn_at(20)")
    assert done.returncode != 0 and "does not exist" in done.stderr


@with_client
def test_the_command_of_the_page_works(results, elsewhere):
    (elsewhere / "results").symlink_to(results)
    command = re.search(r'^```sh\n(duckdb -readonly results/dicebase.duckdb "[^"]*")\n```$', PAGE, flags=re.M)[1]
    command = command.replace("duckdb", CLIENT, 1).replace("sides := 8", "sides := 4")  # which is solved here
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0 and "q_value" in done.stdout, done.stderr


# Attached ---------------------------------------------------------------------------------------------------------


def test_attached_every_view_and_macro_works_after_use(attached):
    attached.execute("USE dice")
    assert attached.execute("SELECT action FROM pig_turn_at(20, sides := 8)").fetchall() == [("roll",), ("hold",)]
    assert attached.execute("SELECT action FROM dice.pig_turn_at(20, sides := 8)").fetchall() == [("roll",), ("hold",)]
    for name, arguments in macros(attached).items():
        state = ", ".join("NULL" for _ in arguments)
        attached.execute(f"SELECT * FROM {name}({state}) LIMIT 0")
    attached.execute("CREATE TABLE mine.main.best AS SELECT action FROM pig_turn_at(20, sides := 8) WHERE optimal")
    assert attached.execute("SELECT * FROM mine.best").fetchall() == [("roll",)]


def test_attached_without_use_views_answer_by_their_qualified_name_and_macros_do_not(attached):
    views = attached.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = 'dice'"
    ).fetchall()
    assert len(views) > 12
    for (name,) in views:
        assert attached.execute(f"SELECT count(*) FROM dice.{name}").fetchone()[0] > 0
    with pytest.raises(duckdb.CatalogException, match="does not exist"):
        attached.execute("SELECT * FROM dice.pig_turn_at(20)")
    with pytest.raises(duckdb.CatalogException, match=r"Did you mean \"dice\.pig_turn_at\""):
        attached.execute("SELECT * FROM pig_turn_at(20)")


# Several at once --------------------------------------------------------------------------------------------------


def test_two_processes_read_at_once(catalogue, connection, elsewhere):
    reader = f"""
import duckdb
with duckdb.connect({str(catalogue)!r}, read_only=True) as connection:
    print(connection.execute("SELECT action FROM pig_turn_at(20, sides := 8) LIMIT 1").fetchone()[0], flush=True)
    input()
"""
    command = [sys.executable, "-c", reader]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command, **pipes) as two:
        # Both answer before either closes the file, which this process has open as well.
        assert [one.stdout.readline(), two.stdout.readline()] == ["roll\n", "roll\n"]
        assert connection.execute("SELECT count(*) FROM pig_turn_at(20)").fetchone() == (2,)
        for process in (one, two):
            process.communicate("\n")
            assert process.returncode == 0


# What a client sees -----------------------------------------------------------------------------------------------


def test_every_view_and_every_column_has_a_comment(connection):
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''"
    assert connection.execute(views).fetchall() == []
    columns = (
        "SELECT table_name, column_name FROM duckdb_columns() "
        "WHERE NOT internal AND schema_name = 'main' AND coalesce(comment, '') = ''"
    )
    assert connection.execute(columns).fetchall() == []


def test_every_table_has_its_macro_with_its_state_and_its_parameters(connection):
    tables = connection.execute("SELECT name, any_value(json_keys(parameters)) FROM tables GROUP BY name").fetchall()
    found = macros(connection)
    assert {f"{name}_at" for name, _ in tables} == set(found)
    for name, parameters in tables:
        columns = [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
        assert set(found[f"{name}_at"]) - {"roll"} <= set(columns)
        assert found[f"{name}_at"][-len(parameters) :] == parameters


def test_a_wrong_argument_is_refused_with_the_candidates(connection):
    candidates = re.escape("pig_turn_at(turn_total, sides := 6, dice := 1)")
    for call in ("pig_turn_at(20, side := 8)", "pig_turn_at()", "pig_turn_at(20, 6, 1, 1)"):
        with pytest.raises(duckdb.BinderException, match=f"(?s)Candidate macros:.*{candidates}"):
            connection.execute(f"SELECT * FROM {call}")


# Positions as columns ---------------------------------------------------------------------------------------------

POSITION = "(VALUES (5, 10, 8)) AS p(me, opponent, turn_total)"


def test_arguments_named_as_columns_give_one_position(connection):
    """In a macro `me = me` would be true of every row."""
    assert len(connection.execute("FROM pig_duel_at(5, 10, 8, target := 20)").fetchall()) == 2
    by_name = "FROM pig_duel_at(me := 5, opponent := 10, turn_total := 8, target := 20, sides := 6, dice := 1)"
    assert len(connection.execute(by_name).fetchall()) == 2
    assert len(connection.execute("FROM pig_duel_turns_at(me := 5, opponent := 10, target := 20)").fetchall()) == 1
    assert len(connection.execute("FROM pig_duel_scores_at(5, 10, 15, target := 20)").fetchall()) == 1


def test_positions_of_another_relation_give_each_its_own_rows(connection):
    query = (
        f"SELECT b.* FROM {POSITION}, pig_duel_at(p.me, p.opponent, p.turn_total, target := 20) AS b ORDER BY regret"
    )
    assert (
        connection.execute(query).fetchall()
        == connection.execute("FROM pig_duel_at(5, 10, 8, target := 20)").fetchall()
    )


@pytest.mark.parametrize(
    "query, rows",
    [
        (f"FROM {POSITION}, pig_duel_at(me, opponent, turn_total, target := 20)", 2),
        ("FROM (VALUES (5, 10)) AS p(me, opponent), pig_duel_turns_at(me, opponent, target := 20)", 1),
        ("FROM (VALUES (5, 10)) AS t(me, opponent), pig_duel_turns_at(t.me, t.opponent, target := 20)", 1),
    ],
)
def test_columns_of_the_caller_are_not_taken_for_the_tables_own(connection, query, rows):
    assert len(connection.execute(query).fetchall()) == rows
