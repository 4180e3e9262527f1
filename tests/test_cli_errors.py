"""Wrong input gives exit code 2 and one line on stderr: the place, the value and the allowed values."""

import os
import re
import shlex
import sys

import pytest

import dicebase
import dicebase.games as games
from dicebase.cli import main
from dicebase.pipeline import steps
from dicebase.tables.names import known_tables
from support.commands import error_of
from support.every_table import every_table

# {beginning of a command: [(rest of the command, part of the error message)]}
WRONG = {
    "": [
        ("", "required: COMMAND"),
        ("gamble", "'gamble'"),
        ("tables --colour", "--colour"),
        ("tables pig_turn and more", "and more"),
        *((command, "required: ") for command in ("lookup", "sql", "solve")),
        ("lookup pig_turn --json turn_total=5 --colour", "--colour"),
        ("tables --results", "--results: expected one argument"),
        ("serve --port http", "--port"),
        *((f"estimate --cores={n}", f"'{n}' is not allowed; give a whole number, at least 1") for n in (0, "two", 1.5)),
        ("evaluate pig_turn --policy optimal --against 'hold_at 2'", "pig_turn: has one player; leave out the policy"),
        ("simplify hog_duel", "there is no table 'hog_duel_cards'"),
        ("simplify pig_duel dice=2 --numbers 1", "cards are searched only if"),
        ("tables pig_tern", "no table 'pig_tern'; did you mean 'pig_turn'?"),
        ("tables ten", "results: no table 'ten'; did you mean ten_thousand_duel, "),
        ("evaluate pig_tern --policy optimal", "no table 'pig_tern'; did you mean 'pig_turn'?"),
        ("lookup hypergammon_points roll=1", "it is not solved: 'dicebase solve hypergammon_points -o DIR' solves it"),
        ("card hypergammon_points -o x.png", "no table 'hypergammon_points'; it is not solved"),
    ],
    "lookup pig_turn ": [
        ("turn_total", "turn_total='turn_total' is not a whole number"),
        ("turn_total=", "'turn_total=' is not of the form name=value"),
        ("=5", "'=5' is not of the form name=value"),
        ("turn_total=5 turn_total=6", "'turn_total' is given twice"),
    ],
    "play ": [
        ("hog_simultaneous target=10 max_dice=4", "cannot be played"),
        ("hog_hidden target=10 max_dice=3 horizon=8", "cannot be played"),
        ("pig_duel_matchups target=12", "cannot be played"),
        ("pig_duel target=11", "not solved for sides=6 dice=1 target=11"),
        ("pig_tern", "did you mean 'pig_turn'"),
        ("pig_duel me=0", "'me' is not a parameter of pig_duel"),
    ],
    "export pig_turn ": [
        ("", "one of the arguments --csv --json --xlsx --model --certificate is required"),
        ("--csv --xlsx", "argument --xlsx: not allowed with argument --csv"),
        ("--xlsx", "an Excel workbook needs a file: give -o with a name that ends in .xlsx"),
        ("--xlsx -o pig.csv", "an Excel workbook needs a file: give -o with a name that ends in .xlsx"),
        ("--csv -o /dev/null", "/dev/null: is not a file"),
        ("side=6 --csv", "'side' is not a parameter of pig_turn; did you mean 'sides'?"),
        ("turn_total=6 --csv", "pig_turn: 'turn_total' is not a parameter of pig_turn; known: dice, sides"),
        ("sides=7 --csv", "pig_turn is not solved for sides=7; solved values are sides: 4 6"),
        ("sides --csv", "'sides' is not of the form name=value"),
        ("--model pig.csv", "pig.csv: is not allowed; give a name that ends in .npz, .parquet, .drn"),
        ("--model pig.npz --actions", "pig_turn: give only parameters with --model or --certificate"),
        ("sides=7 --certificate pig.cert", "pig_turn is not solved for sides=7"),
    ],
    "export ": [
        ("pig_tern --csv", "no table 'pig_tern'; did you mean 'pig_turn'?"),
        ("pig_duel target=10 --model pig.drn", "pig_duel: has two players, and a .drn file is for one; give .npz or"),
        ("hog_simultaneous target=10 max_dice=4 --model hog.npz", "hog_simultaneous: both players choose at once; a"),
        ("hog_hidden target=10 max_dice=3 horizon=8 --model hog.npz", "hog_hidden: is not a game by turns that lists"),
    ],
    "sql 'SELECT 1' ": [
        ("--csv --json", "sql: "),
        ("--limit -1", "'-1' is not allowed"),
        ("--limit many", "'many' is not allowed"),
    ],
    "sql ": [
        ("'SELECT 1; SELECT 2'", "SQL: 2 statements at once"),
        ("'SELECT now()'", "SQL: a time with a time zone needs the package pytz"),
        ("'SELECT 1 AS a, 2 AS a' --json", "SQL: two columns are called 'a'"),
        ("'FROM pig_turn_summary'", "no view pig_turn_summary; it has pig_turn, pig_turn_actions, pig_turn_cards, pig"),
        *((f"'{query}'", "the query is empty") for query in ("", ";", "-- nothing")),
        ("'DROP TABLE data.pig_turn'", "read-only"),
        ("'CREATE TABLE mine AS SELECT 1'", "read-only"),
        ("'UPDATE data.pig_turn SET value = 0'", "read-only"),
    ],
}
CASES = [(shlex.split(command + rest), message) for command, rests in WRONG.items() for rest, message in rests]


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    return ["--results", every_table(tmp_path_factory)]


@pytest.mark.parametrize(("words", "message"), CASES, ids=lambda x: " ".join(x)[:60] if isinstance(x, list) else "")
def test_commands_refuse_wrong_words_and_write_nothing(every, capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    assert message in error_of(capsys, *every[: 0 if "--results" in words else 2], *words)
    assert not list(tmp_path.iterdir())


COMMANDS = [["tables"], ["lookup", "pig_turn", "turn_total=5"], ["sql", "SELECT * FROM tables"]]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_commands_refuse_a_folder_without_results(capsys, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    assert "results: does not exist; build it with 'make'" in error_of(capsys, *words)
    assert "nowhere: does not exist" in error_of(capsys, "--results", "nowhere", *words)
    (tmp_path / "empty").mkdir()
    assert "empty: has no mapped/tables.json" in error_of(capsys, *words, "--results", "empty")
    assert "has no tables" in error_of(capsys, "verify", "empty")
    (tmp_path / "file").write_text("")
    assert "file: has no mapped/tables.json" in error_of(capsys, *words, "--results", "file")


BESIDE = "import os\n\n\ndef end():\n    os._exit(0)\n"
RAISES = "class Odd(BaseException):\n    def __str__(self):\n        return 1 / 0\n\n\nraise Odd"
BOARD = "from dicebase.vocabulary import Board\n\n\nclass Game(Board):\n    objectives = {}\n"
UNREADABLE = [
    ("this is (", "SyntaxError: '(' was never closed (broken.py, line 1)"),
    ("import nosuch", "ModuleNotFoundError: No module named 'nosuch' (broken.py, line 1)"),
    ("raise SystemExit(3)", "SystemExit: 3 (broken.py, line 1)"),
    ("\n1 / 0", "ZeroDivisionError: division by zero (broken.py, line 2)"),
    ("raise BaseException('boom')", "BaseException: boom (broken.py, line 1)"),
    ("raise GeneratorExit", "GeneratorExit (broken.py, line 1)"),
    (RAISES, "Odd (broken.py, line 6)"),
    ("eval('(')", "SyntaxError: '(' was never closed (<string>, line 1) (broken.py, line 1)"),
    ("import beside\nbeside.end()", "SystemExit: rules call os._exit(0) (beside.py, line 5)"),
    ("x = '\xe9'", "SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0xe9"),
]
NO_RULES = [("", "has no class Rules"), ("Rules = 5", "has no class Rules"), (BOARD, "has no class Rules, only Game")]
NO_RULES += [("class Rules:\n    pass", "Rules must be one of Turn, Throw, Scorecard, Sheet, Draw, Dealer")]


@pytest.mark.parametrize(
    ("content", "why"),
    [(text, f" cannot be read: {why}") for text, why in UNREADABLE] + [(text, f": {why}") for text, why in NO_RULES],
)
def test_a_broken_rules_file_fails_its_own_table_only(capsys, results, tmp_path, monkeypatch, content, why):
    (tmp_path / "broken.py").write_text(content, encoding="latin-1")
    (tmp_path / "beside.py").write_text(BESIDE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    for name in ("dicebase.games.broken", "beside"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    known_tables.cache_clear()
    for words in (["solve", "broken_turn"], ["solve", "broken"], ["describe", "broken", "--results", results]):
        more = ["-o", tmp_path / "mine"] if words[0] == "solve" else []
        assert error_of(capsys, *words, *more).startswith(f"error: {words[1]}: broken.py{why}")
    assert "did you mean 'hog_turn'" in error_of(capsys, "solve", "hug_turn", "-o", tmp_path / "mine")
    for words in COMMANDS if content == UNREADABLE[0][0] else ():
        assert main([*words, "--results", str(results)]) == 0
    known_tables.cache_clear()


def test_solve_refuses_variants_larger_than_memory_unless_forced(capsys, tmp_path, monkeypatch):
    message = error_of(capsys, "solve", "pig_duel", "target=100000", "-o", tmp_path)
    assert re.search(r"target=100000: would take about [\d,]{9,} MB of memory; this machine has", message)
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(os, "sysconf", lambda _: 1000)
    assert "--force tries it" in error_of(capsys, "solve", "pig_turn", "-o", tmp_path)
    assert main(["solve", "pig_turn", "--force", "-o", str(tmp_path)]) == 0


QUERIES = ["COPY (SELECT 1) TO 'mine.csv'", "COPY (SELECT 1) TO 'results/dicebase.duckdb'", "EXPORT DATABASE 'mine'"]
QUERIES += ["SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM 'https://example.com/a.parquet'", "INSTALL spatial"]
QUERIES += ["LOAD httpfs", "ATTACH 'mine.duckdb'", "CREATE SECRET (TYPE s3)", "SET profiling_output = 'mine.json'"]
QUERIES += ["SET enable_external_access = true", "SET autoinstall_known_extensions = true"]


@pytest.mark.parametrize("query", QUERIES)
def test_sql_reads_only_the_catalogue(capsys, results_copy, monkeypatch, query):
    monkeypatch.chdir(results_copy.parent)
    before = {path: path.stat().st_mtime_ns for path in results_copy.parent.rglob("*")}
    error_of(capsys, "sql", query)
    assert {path: path.stat().st_mtime_ns for path in results_copy.parent.rglob("*")} == before


def test_unrestricted_sql_writes_files(capsys, results, tmp_path):
    query = f"COPY (SELECT 5 AS five) TO '{tmp_path / 'mine.csv'}'"
    assert "unless it is unrestricted (--unrestricted)" in error_of(capsys, "sql", query, "--results", results)
    with dicebase.open(results):
        pass
    assert main(["sql", query, "--unrestricted", "--results", str(results)]) == 0
    assert (tmp_path / "mine.csv").read_text() == "five\n5\n"
    capsys.readouterr()
    two = error_of(capsys, "sql", "SELECT 1; SELECT 2", "--unrestricted", "--results", results)
    assert "SQL: 2 statements at once" in two


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ArithmeticError("it does not\ncome to rest"), "solve: ArithmeticError: it does not come to rest"),
        (MemoryError("no more"), "solve: MemoryError: no more"),
        (ZeroDivisionError(), "solve: ZeroDivisionError"),
    ],
)
def test_an_exception_of_a_solver_is_one_line(capsys, tmp_path, monkeypatch, error, said):
    def fail(*_):
        raise error

    monkeypatch.setattr(steps, "solve", fail)
    assert error_of(capsys, "solve", "pig_turn", "-o", tmp_path) == f"error: {said}\n"
