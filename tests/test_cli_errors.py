"""Wrong input: exit code 2, one line on stderr that names what was wrong, nothing on stdout."""

import os
import shutil
import sys

import pytest

import dicebase
import dicebase.games as games
from dicebase.cli import main
from dicebase.pipeline import steps
from dicebase.tables.names import known_tables
from support.commands import error_of


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required: COMMAND; see 'dicebase --help'"),
        (["gamble"], "invalid choice: 'gamble'"),
        (["tables", "--colour"], "--colour"),
        (["tables", "pig_turn", "and", "more"], "and more"),
        (["lookup"], "table"),
        (["sql"], "query"),
        (["solve"], "table"),
        (["lookup", "pig_turn", "--json", "turn_total=5", "--colour"], "--colour"),
        (["tables", "--results"], "--results: expected one argument"),
    ],
)
def test_a_command_that_is_not_understood(capsys, words, message):
    assert message in error_of(capsys, *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tables", "pig_tern"], "no table 'pig_tern'; did you mean 'pig_turn'?"),
        (["lookup", "pig_tern", "turn_total=5"], "no table 'pig_tern'; did you mean 'pig_turn'?"),
        (["lookup", "chess", "turn_total=5"], "no table 'chess'; known: forbidden_multiple_turn, pig_turn"),
        (["lookup", "pig_turn"], "'turn_total' is missing"),
        (["lookup", "pig_turn", "total=5"], "'total' is no parameter or state column; did you mean 'turn_total'?"),
        (["lookup", "pig_turn", "turn_total=5", "faces=6"], "'faces' is no parameter or state column"),
        (["lookup", "pig_turn", "turn_total"], "'turn_total' is not of the form name=value"),
        (["lookup", "pig_turn", "turn_total="], "'turn_total=' is not of the form name=value"),
        (["lookup", "pig_turn", "=5"], "'=5' is not of the form name=value"),
        (["lookup", "pig_turn", "turn_total=5", "turn_total=6"], "'turn_total' is given twice"),
        (["lookup", "pig_turn", "turn_total=-5"], "turn_total must be at least 0"),
        (["lookup", "pig_turn", "turn_total=1"], "no decision at turn_total=1: no play leads there"),
        (["lookup", "pig_turn", "turn_total=-" + "9" * 40], "turn_total must be at least 0"),
        (["lookup", "pig_turn", "turn_total=five"], "turn_total='five' is not a whole number"),
        (["lookup", "pig_turn", "turn_total=5.0"], "turn_total='5.0' is not a whole number"),
        (["lookup", "pig_turn", "turn_total=" + "9" * 40], "totals are stored to"),
        (
            ["lookup", "pig_turn", "turn_total=" + "9" * 5000],
            "(5002 characters) is too long a whole number",
        ),
        (["lookup", "pig_turn", "turn_total=5", "sides=" + "9" * 5000], "(5002 characters) is not allowed"),
        (["lookup", "pig_turn", "turn_total=5", "sides=-6"], "sides: -6 is not allowed"),
        (["lookup", "pig_turn", "turn_total=5", "sides=six"], "sides: 'six' is not allowed; give a whole number"),
        (["lookup", "pig_turn", "turn_total=5", "sides=²"], "sides: '²' is not allowed"),
        (["lookup", "pig_turn", "turn_total=5", "sides=8"], "not solved for sides=8 dice=1; solved are sides: 2 4 6"),
        (["lookup", "ten_thousand_turn", "rules=pocket", "turn_total=0", "roll=17"], "digits from 1 to 6"),
        (["lookup", "ten_thousand_turn", "rules=pocket", "turn_total=0", "roll=23"], "scores nothing"),
        (["lookup", "ten_thousand_turn", "rules=pocket", "turn_total=0", "roll=one"], "digits from 1 to 6"),
        (["lookup", "ten_thousand_turn", "rules=poket", "turn_total=0", "roll=1"], "not solved for rules=poket"),
        (
            ["lookup", "ten_thousand_turn", "moves=x", "turn_total=0", "roll=1"],
            "moves: 'x' is not allowed; give one of",
        ),
        (["lookup", "pig"], "results: no table 'pig'; did you mean pig_turn?"),
        (["tables", "ten"], "results: no table 'ten'; did you mean ten_thousand_turn?"),
        (["lookup", "pocket"], "results: no table 'pocket'; it is in ten_thousand_turn rules=pocket"),
        (
            ["lookup", "pig_duel", "me=0"],
            "no table 'pig_duel'; it is not solved: 'dicebase solve pig_duel -o DIR' solves it",
        ),
        (["card", "pig_duel", "-o", "x.png"], "there is no game 'pig_duel'; did you mean 'pig'?"),
        (["sql", "SELECT 1; SELECT 2"], "SQL: 2 statements at once, of which only the last would be answered"),
        (["sql", "SELECT 1; SELECT 2", "--unrestricted"], "SQL: 2 statements at once, of which only the last would"),
        (["sql", "SELECT now()"], "SQL: a time with a time zone needs the package pytz, which is not installed; cast"),
        (["sql", "SELECT 1 AS a, 2 AS a", "--json"], "SQL: two columns are called 'a'; JSON needs a name for each"),
        (
            ["sql", "SELECT * FROM pig_turn_summary"],
            "the table pig_turn has no view pig_turn_summary; it has pig_turn, pig_turn_actions, pig_turn_paper",
        ),
        (["sql", ""], "the query is empty"),
        (["sql", ";"], "the query is empty"),
        (["sql", "-- nothing"], "the query is empty"),
        (["sql", "DROP TABLE data.pig_turn"], "read-only"),
        (["sql", "CREATE TABLE mine AS SELECT 1"], "read-only"),
        (["sql", "UPDATE data.pig_turn SET value = 0"], "read-only"),
    ],
)
def test_a_wrong_question(capsys, results, words, message):
    assert message in error_of(capsys, *words, "--results", results)


COMMANDS = [["tables"], ["lookup", "pig_turn", "turn_total=5"], ["sql", "SELECT * FROM tables"]]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_results_that_are_not_there(capsys, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    assert "results: does not exist; build it with 'make'" in error_of(capsys, *words)
    assert "nowhere: does not exist" in error_of(capsys, "--results", "nowhere", *words)
    (tmp_path / "empty").mkdir()
    assert "empty: has no mapped/tables.json" in error_of(capsys, *words, "--results", "empty")
    (tmp_path / "file").write_text("")
    assert "file: has no mapped/tables.json" in error_of(capsys, *words, "--results", "file")


def test_a_database_that_cannot_be_read(capsys, results_copy):
    database = results_copy / "dicebase.duckdb"
    content = database.read_bytes()
    for damaged in (b"", b"some text\n", content[:5000], content[: 2**18] + b"\xff" * (len(content) - 2**18)):
        database.write_bytes(damaged)
        message = error_of(capsys, "sql", "SELECT * FROM pig_turn", "--results", results_copy)
        assert str(database) in message or "SQL: " in message
    assert main(["lookup", "pig_turn", "turn_total=5", "--results", str(results_copy)]) == 0


def test_a_half_deleted_folder_still_answers_and_is_told_on(capsys, results_copy):
    shutil.rmtree(results_copy / "tables" / "pig_turn")
    assert main(["lookup", "pig_turn", "turn_total=5", "--results", str(results_copy)]) == 0
    capsys.readouterr()
    assert main(["verify", str(results_copy)]) == 1
    out, err = capsys.readouterr()
    assert "forbidden_multiple_turn/all: holds" in out
    assert err.splitlines()[-1].startswith("pig_turn/dice=1: ") and "missing" in err
    shutil.rmtree(results_copy / "tables")
    shutil.rmtree(results_copy / "mapped")
    assert "has no mapped/tables.json" in error_of(capsys, "tables", "--results", results_copy)
    assert main(["verify", str(results_copy)]) == 1
    for folder in ("actions", "certificates"):
        shutil.rmtree(results_copy / folder)
    capsys.readouterr()
    assert "has no tables" in error_of(capsys, "verify", results_copy)


BESIDE = "import os\n\n\ndef end():\n    os._exit(0)\n"
RAISES = "class Odd(BaseException):\n    def __str__(self):\n        return 1 / 0\n\n\nraise Odd"
BOARD = "from dicebase.vocabulary import Board\n\n\nclass {}(Board):\n    objectives = {}\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("this is (", "broken.py cannot be read: SyntaxError: '(' was never closed (broken.py, line 1)"),
        (
            "import nosuch",
            "broken.py cannot be read: ModuleNotFoundError: No module named 'nosuch' (broken.py, line 1)",
        ),
        ("raise SystemExit(3)", "broken.py cannot be read: SystemExit: 3 (broken.py, line 1)"),
        ("\n1 / 0", "broken.py cannot be read: ZeroDivisionError: division by zero (broken.py, line 2)"),
        ("raise BaseException('boom')", "broken.py cannot be read: BaseException: boom (broken.py, line 1)"),
        ("raise GeneratorExit", "broken.py cannot be read: GeneratorExit (broken.py, line 1)"),
        (RAISES, "broken.py cannot be read: Odd (broken.py, line 6)"),
        (
            "eval('(')",
            "broken.py cannot be read: SyntaxError: '(' was never closed (<string>, line 1) (broken.py, line 1)",
        ),
        (
            "import beside\nbeside.end()",
            "broken.py cannot be read: SystemExit: rules call os._exit(0) (beside.py, line 5)",
        ),
        ("x = '\xe9'", "broken.py cannot be read: SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0xe9"),
        ("", "broken.py: has no class Rules"),
        (BOARD.format("Game", "{}"), "broken.py: has no class Rules, only Game"),
        (
            "class Rules:\n    pass",
            "broken.py: Rules must be a Turn, a Throw, a Scorecard, a Sheet or a Board, and one of",
        ),
        ("Rules = 5", "broken.py: has no class Rules"),
    ],
)
def test_of_a_rules_file_that_cannot_be_read_only_its_own_table_fails(
    capsys, results, tmp_path, monkeypatch, content, why
):
    (tmp_path / "broken.py").write_text(content, encoding="latin-1")
    (tmp_path / "beside.py").write_text(BESIDE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    for name in ("dicebase.games.broken", "beside"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    known_tables.cache_clear()
    for words in (["solve", "broken_turn"], ["solve", "broken"], ["describe", "broken", "--results", results]):
        more = ["-o", tmp_path / "mine"] if words[0] == "solve" else []
        assert error_of(capsys, *words, *more).startswith(f"error: {words[1]}: {why}")
    assert "did you mean 'hog_turn'" in error_of(capsys, "solve", "hug_turn", "-o", tmp_path / "mine")
    for words in COMMANDS:
        assert main([*words, "--results", str(results)]) == 0
    known_tables.cache_clear()


def test_what_takes_more_memory_than_there_is_is_refused_beforehand_unless_forced(capsys, tmp_path, monkeypatch):
    message = error_of(capsys, "solve", "pig_duel", "target=100000", "-o", tmp_path)
    assert "would take about 1,250,000 MB of memory, and this machine has" in message.replace("1,250,150", "1,250,000")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(os, "sysconf", lambda _: 1000)
    assert "--force tries it" in error_of(capsys, "solve", "pig_turn", "-o", tmp_path)
    assert main(["solve", "pig_turn", "--force", "-o", str(tmp_path)]) == 0


def test_the_version(capsys):
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0 and capsys.readouterr().out == f"dicebase {dicebase.__version__}\n"


@pytest.mark.parametrize(
    "query",
    [
        "COPY (SELECT 1) TO 'mine.csv'",
        "COPY (SELECT 1) TO 'results/dicebase.duckdb'",
        "EXPORT DATABASE 'mine'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM 'https://example.com/a.parquet'",
        "INSTALL spatial",
        "LOAD httpfs",
        "ATTACH 'mine.duckdb'",
        "SET enable_external_access = true",
        "SET autoinstall_known_extensions = true",
        "SET profiling_output = 'mine.json'",
        "CREATE SECRET (TYPE s3)",
    ],
)
def test_sql_reads_the_catalogue_alone_and_fetches_nothing(capsys, results_copy, monkeypatch, query):
    monkeypatch.chdir(results_copy.parent)
    before = {path: path.stat().st_mtime_ns for path in results_copy.parent.rglob("*")}
    error_of(capsys, "sql", query)
    assert {path: path.stat().st_mtime_ns for path in results_copy.parent.rglob("*")} == before


def test_sql_does_more_where_it_is_unrestricted(capsys, results, tmp_path):
    query = f"COPY (SELECT 5 AS five) TO '{tmp_path / 'mine.csv'}'"
    assert "unless it is unrestricted (--unrestricted)" in error_of(capsys, "sql", query, "--results", results)
    with dicebase.open(results):
        pass
    assert main(["sql", query, "--unrestricted", "--results", str(results)]) == 0
    assert (tmp_path / "mine.csv").read_text() == "five\n5\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ArithmeticError("it does not\ncome to rest"), "solve: ArithmeticError: it does not come to rest"),
        (MemoryError("no more"), "solve: MemoryError: no more"),
        (ZeroDivisionError(), "solve: ZeroDivisionError"),
    ],
)
def test_what_cannot_be_computed_is_said_in_one_line(capsys, tmp_path, monkeypatch, error, said):
    def fail(*_):
        raise error

    monkeypatch.setattr(steps, "solve", fail)
    assert error_of(capsys, "solve", "pig_turn", "-o", tmp_path) == f"error: {said}\n"
