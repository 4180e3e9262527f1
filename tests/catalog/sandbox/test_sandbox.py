"""Untrusted SQL: the sandbox refuses hostile statements, stops expensive ones and answers the others.

Two defences are tested, each without the other: the sandbox's check of a statement, and the engine's settings."""

import hashlib
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

import dicebase
from dicebase.catalog.sandbox import sandbox as stranger
from dicebase.catalog.sandbox.sandbox import GRACE, Limits, Sandbox
from dicebase.catalog.sandbox.worker import connect
from dicebase.vocabulary import ConfigurationError, DicebaseError, LimitError, MissingTableError, RefusedError

SECRET = "what a stranger must not read"
SECTIONS = re.findall(
    r"^-- (\w+): .*\n((?:.+\n)+)", Path(__file__).with_name("statements.sql").read_text(encoding="utf-8"), re.M
)
READS, WRITES, STATE, MACHINE, BOMBS, HONEST = (text.splitlines() for _, text in SECTIONS)
READS += ["/* a comment */ FROM -- another\n '{outside}/secret.csv'", "\u00a0FROM\u2003'{outside}/secret.csv'"]
STATE += ["SELECT 1\x00; DROP VIEW pig_turn"]
HONEST += ["-- a comment\nSELECT 1;"]
HOSTILE = READS + WRITES + STATE + MACHINE


@pytest.fixture(scope="module")
def place(results, tmp_path_factory):
    """A copy of the results, and a folder outside with a secret."""
    return with_a_secret(results, tmp_path_factory.mktemp("sandbox"))


@pytest.fixture(scope="module")
def sandbox(place):
    with Sandbox(place / "results" / "dicebase.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def small(place):
    limits = Limits(seconds=0.5, memory_mb=64, rows=100, answer_mb=1, characters=500, threads=1)
    with Sandbox(place / "results" / "dicebase.duckdb", limits) as opened:
        yield opened


def with_a_secret(results: Path, place: Path) -> Path:
    shutil.copytree(results, place / "results")
    (place / "outside").mkdir()
    (place / "outside" / "secret.csv").write_text(f"words\n{SECRET}\n")
    (place / "results" / "link.csv").symlink_to(place / "outside" / "secret.csv")
    return place


def digests(folder: Path) -> dict[str, str]:
    """The sha256 of every file below a folder."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def written(statement: str, place: Path) -> str:
    return statement.replace("{outside}", str(place / "outside")).replace("{results}", str(place / "results"))


def test_there_are_enough_hostile_statements():
    assert len(set(HOSTILE)) == len(HOSTILE) > 140 and len(BOMBS) >= 14


@pytest.mark.parametrize("statement", HOSTILE)
def test_a_hostile_statement_is_refused_and_changes_nothing(statement, place, sandbox):
    before = digests(place)
    with pytest.raises(RefusedError, match=r"^SQL: .*(refused|there is no table)") as error:
        sandbox.run(written(statement, place))
    assert "\n" not in str(error.value) and "Error:" not in str(error.value)
    assert digests(place) == before
    assert sandbox.run("SELECT count(*) FROM pig_turn").rows[0][0] > 50


def test_the_engine_protects_every_file_without_the_parser(place):
    before = digests(place)
    connection = connect(place / "results" / "dicebase.duckdb", Limits())
    for statement in HOSTILE:
        if "sleep" in statement:
            continue
        try:
            rows = connection.execute(written(statement, place)).fetchmany(1000)
        except Exception:
            rows = []
        assert SECRET not in repr(rows) and SECRET.encode() not in repr(rows).encode(), statement
        assert digests(place) == before, statement
    with pytest.raises(duckdb.Error, match="configuration has been locked"):
        connection.execute("SET enable_external_access = true")


@pytest.mark.slow
def test_hostile_statements_harm_an_ordinary_connection(results, tmp_path, monkeypatch):
    """The tests above can fail: without the two defences the same statements do harm."""
    monkeypatch.setenv("HOME", str(tmp_path))
    harmed, read = set(), set()
    before = None
    for statement in READS + WRITES:
        if "http:" in statement or "s3:" in statement:
            continue
        if before is None:  # at the beginning, and after each statement that did harm
            shutil.rmtree(tmp_path / "place", ignore_errors=True)
            place = with_a_secret(results, tmp_path / "place")
            before = digests(place)
        config = {"autoinstall_known_extensions": False}
        with duckdb.connect(str(place / "results" / "dicebase.duckdb"), config=config) as connection:
            try:
                rows = connection.execute(written(statement, place)).fetchmany(1000)
            except Exception:
                rows = []
        if SECRET in repr(rows):
            read.add(statement)
        if digests(place) != before:
            harmed.add(statement)
            before = None
    assert len(read) > 15, read
    assert len(harmed) > 15, harmed


@pytest.mark.parametrize("bomb", BOMBS)
def test_an_expensive_statement_is_stopped_within_its_limits(bomb, small, monkeypatch):
    small.run("SELECT 1")
    start = time.monotonic()
    with monkeypatch.context() as patch:
        patch.setattr(stranger, "GRACE", 0.15)  # how long a statement can ignore the time limit
        with pytest.raises(LimitError, match=r"^SQL: (stopped: |the answer (has|takes) more than )") as error:
            small.run(bomb)
    assert time.monotonic() - start < small.limits.seconds + GRACE + 5, error.value
    assert small.run("SELECT count(*) FROM pig_turn").rows[0][0] > 50


def test_the_message_names_the_limit(small):
    for query, match in [
        ("SELECT * FROM range(101)", "more than 100 rows; add LIMIT"),
        ("SELECT repeat('x', 2000000)", "takes more than 1 MB"),
        ("SELECT len(range(200000000))", "more than 64 MB of memory"),
        ("SELECT count(*) FROM range(1000000000000)", "more than 0.5 seconds"),
    ]:
        with pytest.raises(LimitError, match=match):
            small.run(query)
    with pytest.raises(RefusedError, match="at most 500"):
        small.run("SELECT 1" + " " * 500)
    assert len(small.run("SELECT * FROM range(100)").rows) == 100


DEEP = [("SELECT {} 1 {}", "(", ")", 5000), ("SELECT {} 1 {}", "1+", "", 5000), ("SELECT {} 1 {}", "[", "]", 2000)]
DEEP += [("{} SELECT 1 {}", "SELECT * FROM (", ")", 900), ("SELECT {} true {}", "NOT ", "", 4000)]
DEEP += [("SELECT 1 {} {}", "UNION ALL SELECT 1 ", "", 1000)]


@pytest.mark.parametrize(("query", "opens", "closes", "times"), DEEP)
def test_deep_nesting_is_answered_or_refused_in_one_line(sandbox, query, opens, closes, times):
    try:
        assert len(sandbox.run(query.format(opens * times, closes * times)).rows) in (1, 1001)
    except DicebaseError as error:
        assert "\n" not in str(error)
    assert sandbox.run("SELECT 1").rows == [(1,)]


@pytest.mark.parametrize("query", HONEST)
def test_an_allowed_query_is_answered_as_on_a_trusted_connection(query, place, sandbox):
    with duckdb.connect(str(place / "results" / "dicebase.duckdb"), read_only=True) as trusted:
        cursor = trusted.execute(query)
        columns = [(d[0], str(d[1])) for d in cursor.description]
        answer = sandbox.run(query)
        assert answer.rows == cursor.fetchall() == answer.fetchall()
        assert list(zip(answer.columns, answer.types, strict=True)) == columns


def test_every_view_may_be_read(place, sandbox):
    with duckdb.connect(str(place / "results" / "dicebase.duckdb"), read_only=True) as trusted:
        views = [name for (name,) in trusted.execute("SHOW TABLES").fetchall()]
        assert {"tables", "pig_turn", "pig_turn_actions", "pig_turn_paper", "audit"} < set(views)
        for view in views:
            for query in (f"SELECT * FROM {view}", f"DESCRIBE {view}", f"SUMMARIZE {view}"):
                assert sandbox.run(query).rows == trusted.execute(query).fetchall()


def test_parameters_are_given_apart_from_the_query(sandbox):
    query = "SELECT action FROM pig_turn WHERE sides = $1 AND dice = $2 AND turn_total = $3"
    assert sandbox.run(query, [6, 1, 5]).rows == [("roll",)]
    assert sandbox.run("SELECT $word", {"word": "'; DROP VIEW pig_turn; --"}).rows == [("'; DROP VIEW pig_turn; --",)]
    assert sandbox.run("SELECT 1", ()).rows == [(1,)]
    with pytest.raises(DicebaseError, match="Values were not provided"):
        sandbox.run(query)


def test_values_have_the_types_of_a_trusted_connection(sandbox):
    query = (
        "SELECT '5df1aa6a-7e5e-4b3a-9d3b-0d6c5f6a1b2c'::UUID, DATE '2014-05-29', TIME '12:00', INTERVAL 3 DAY, "
        "TIMESTAMP '2014-05-29 12:00', 1.50::DECIMAL(9, 2), 1::HUGEINT << 100, 'a'::BLOB, [1, NULL], {'a': [1]}, "
        "MAP {'k': 2}, NULL, 'infinity'::DOUBLE"
    )
    assert sandbox.run(query).rows == duckdb.connect().execute(query).fetchall()
    with pytest.raises(DicebaseError, match="cannot be sent; cast it to VARCHAR"):
        sandbox.run("SELECT now()")
    assert len(sandbox.run("SELECT now()::VARCHAR").rows) == 1


def test_every_suspicious_function_of_the_engine_is_refused(place, sandbox):
    """A new version of DuckDB may add functions."""
    words = "read|file|glob|env|setting|secret|sleep|log_|_log|sql|plan|internal|load|http|exec|variable|seed"
    words += "|(next|set)val"
    harmless = {"formatreadablesize", "formatreadabledecimalsize", "parse_filename"}
    with duckdb.connect() as connection:
        query = (
            "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN ('scalar', 'macro')"
        )
        names = [n for (n,) in connection.execute(query).fetchall() if re.search(words, n) and n not in harmless]
    assert len(names) > 20
    for name in names:
        with pytest.raises(RefusedError, match="the function"):
            sandbox.run(f"SELECT {name}()")


def test_the_process_may_write_no_file_and_has_no_environment(sandbox, monkeypatch):
    sandbox.run("SELECT 1")
    process = Path(f"/proc/{sandbox._process.pid}")
    if not process.exists():
        pytest.skip("no /proc")
    limits = {line[:25].strip(): line[25:].split()[:2] for line in (process / "limits").read_text().splitlines()}
    assert limits["Max file size"] == ["0", "0"] and limits["Max core file size"] == ["0", "0"]
    assert int(limits["Max data size"][1]) < 2 * sandbox.limits.memory_mb * 2**20 + 400 * 2**20
    names = {word.split(b"=")[0] for word in (process / "environ").read_bytes().split(b"\0") if word}
    assert names <= {b"PYTHONPATH", b"LC_CTYPE"}
    assert (process / "cwd").resolve() == Path("/")


def test_threads_may_share_a_sandbox(sandbox):
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda n: sandbox.run(f"SELECT {n} FROM range(3)").rows, range(8))
    assert list(found) == [[(n,)] * 3 for n in range(8)]


def test_a_missing_and_a_damaged_file_are_named(tmp_path):
    with pytest.raises(MissingTableError, match=r"no\.duckdb: does not exist"):
        Sandbox(tmp_path / "no.duckdb")
    (tmp_path / "dicebase.duckdb").write_bytes(b"no database" * 1000)
    with pytest.raises(DicebaseError, match=r"dicebase\.duckdb: cannot be read: ") as error:
        Sandbox(tmp_path / "dicebase.duckdb")
    assert "\n" not in str(error.value)


def test_an_untrusted_catalogue_runs_sql_in_the_sandbox(place):
    with pytest.raises(ConfigurationError, match="read_only=False: tables are read-only"):
        dicebase.open(place / "results", read_only=False)
    with dicebase.open(place / "results", untrusted=True, limits=Limits(rows=3)) as db:
        assert db.lookup("pig_turn", turn_total=20)["value"] == 20.0
        assert db.sql("SELECT turn_total FROM pig_turn_at(20), pig_turn WHERE turn_total = 20 LIMIT 1").fetchall()
        assert db.rows("SELECT action FROM pig_turn_at($1)", [25]) == (["action"], [("hold",), ("roll",)])
        for run in (db.sql, db.rows):
            with pytest.raises(RefusedError):
                run("COPY pig_turn TO 'mine.csv'")
            with pytest.raises(LimitError, match="more than 3 rows"):
                run("SELECT * FROM pig_turn")
        with pytest.raises(RefusedError, match="has no connection"):
            db.connection.execute("SELECT 1")
        process = db.sandbox._process
    assert process.poll() is not None
