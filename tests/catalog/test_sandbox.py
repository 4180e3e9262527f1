"""A stranger's SQL: what is hostile is refused and changes nothing, bombs are stopped, honest queries are answered."""

import hashlib
import re
import shutil
import threading
import time
from pathlib import Path

import duckdb
import pytest

import dicebase
from dicebase.catalog.sandbox import sandbox as stranger
from dicebase.catalog.sandbox.sandbox import GRACE, Limits, Result, Sandbox
from dicebase.catalog.sandbox.worker import connect
from dicebase.vocabulary import ConfigurationError, DicebaseError, LimitError, MissingTableError, RefusedError

SECRET = "what a stranger must not read"

# {outside} is a folder with secret.csv and a link to it in the results, {results} the folder of the catalogue.
READS = [
    "FROM '{outside}/secret.csv'",
    'SELECT * FROM "{outside}/secret.csv"',
    "SELECT * FROM read_csv('{outside}/secret.csv')",
    "SELECT content FROM read_text('{outside}/secret.csv')",
    "SELECT * FROM read_blob('{outside}/secret.csv')",
    "SELECT * FROM read_json_auto('{outside}/secret.csv')",
    "SELECT * FROM parquet_scan('{results}/certificates/pig_turn/dice=1.parquet')",
    "SELECT * FROM parquet_metadata('{results}/certificates/pig_turn/dice=1.parquet')",
    "SELECT * FROM read_duckdb('{results}/dicebase.duckdb', table_name := 'pig_turn')",
    "SELECT * FROM sniff_csv('{outside}/secret.csv')",
    "SELECT * FROM glob('{outside}/*')",
    "SELECT * FROM glob('{results}/../*/*.csv')",
    "FROM '{results}/link.csv'",
    "SELECT * FROM read_text('{results}/../outside/secret.csv')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM read_csv('/dev/stdin')",
    "SELECT * FROM read_text('http://127.0.0.1:9/secret.csv')",
    "SELECT * FROM 's3://bucket/secret.parquet'",
    "SELECT * FROM query('FROM read_text(''{outside}/secret.csv'')')",
    "SELECT * FROM query_table('{outside}/secret.csv')",
    "SELECT * FROM histogram('{outside}/secret.csv', 'words')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM ''{outside}/secret.csv'''))",
    "SELECT json_serialize_plan('FROM ''{outside}/secret.csv''')",
    "DESCRIBE SELECT * FROM read_csv('{outside}/secret.csv')",
    "SUMMARIZE '{outside}/secret.csv'",
    "EXPLAIN FROM '{outside}/secret.csv'",
    "EXPLAIN ANALYZE FROM '{outside}/secret.csv'",
    "SELECT (SELECT max(words) FROM '{outside}/secret.csv')",
    "SELECT 1 WHERE EXISTS (FROM '{outside}/secret.csv')",
    "FROM pig_turn UNION ALL BY NAME FROM '{outside}/secret.csv'",
    "WITH a AS (FROM '{outside}/secret.csv') FROM a",
    'WITH a AS (FROM "{outside}/secret.csv"), "{outside}/secret.csv" AS (SELECT 1) FROM a',
    'WITH "{outside}/secret.csv" AS (FROM "{outside}/secret.csv") FROM "{outside}/secret.csv"',
    'SELECT (WITH "{outside}/secret.csv" AS (SELECT 1) SELECT 1), * FROM "{outside}/secret.csv"',
    "SELECT list_transform([1], lambda x: (SELECT max(words) FROM '{outside}/secret.csv'))",
    "SELECT * FROM pig_turn, LATERAL (FROM '{outside}/secret.csv')",
    "SELECT * FROM (PIVOT '{outside}/secret.csv' ON words IN ('a') USING count(*))",
    "PIVOT '{outside}/secret.csv' ON words",
    "/* a comment */ FROM -- another\n '{outside}/secret.csv'",
    "\u00a0FROM\u2003'{outside}/secret.csv'",
    "FROM read_text('{outside}/' || 'secret.csv')",
    "SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 'secret')",
    "SELECT * FROM sqlite_scan('{outside}/secret.csv', 'secret')",
]
WRITES = [
    "COPY pig_turn TO '{outside}/stolen.csv'",
    "COPY (SELECT 1) TO '{results}/tables/new.parquet' (FORMAT parquet)",
    "COPY (SELECT 1) TO '{results}/dicebase.duckdb'",
    "COPY data.pig_turn FROM '{outside}/secret.csv'",
    "EXPORT DATABASE '{outside}/stolen'",
    "IMPORT DATABASE '{outside}'",
    "ATTACH '{outside}/new.duckdb'",
    "ATTACH '{results}/dicebase.duckdb' AS again",
    "ATTACH ':memory:' AS mine",
    "COPY FROM DATABASE dicebase TO memory",
    "DETACH dicebase",
    "USE memory",
    "INSERT INTO data.pig_turn FROM data.pig_turn",
    "UPDATE data.pig_turn SET value = 0",
    "DELETE FROM data.pig_turn",
    "TRUNCATE data.pig_turn",
    "MERGE INTO data.pig_turn AS t USING data.pig_turn AS s ON false WHEN NOT MATCHED THEN INSERT BY NAME",
    "WITH gone AS (DELETE FROM data.pig_turn RETURNING *) FROM gone",
    "WITH more AS (INSERT INTO data.pig_turn FROM data.pig_turn RETURNING *) FROM more",
    "WITH zero AS (UPDATE data.pig_turn SET value = 0 RETURNING *) FROM zero",
    "DROP VIEW pig_turn",
    "DROP TABLE data.pig_turn",
    "ALTER TABLE data.pig_turn ADD COLUMN x INTEGER",
    "ALTER VIEW pig_turn RENAME TO x",
    "COMMENT ON VIEW pig_turn IS 'mine'",
    "CREATE TABLE mine AS SELECT 1",
    "CREATE TEMP TABLE mine AS FROM pig_turn",
    "CREATE OR REPLACE VIEW pig_turn AS SELECT 1",
    "CREATE TEMP VIEW pig_turn AS SELECT 1",
    "CREATE TEMP MACRO pig_turn_at(x) AS TABLE SELECT 1",
    "CREATE FUNCTION sorted_dice(x) AS 'x'",
    "CREATE SEQUENCE s",
    "CREATE TYPE t AS ENUM ('a')",
    "CREATE SCHEMA mine",
    "CREATE SECRET (TYPE http, BEARER_TOKEN 'x')",
    "CREATE PERSISTENT SECRET (TYPE http, BEARER_TOKEN 'x')",
    "PRAGMA enable_profiling='json'; PRAGMA profile_output='{outside}/profile.json'; SELECT 1",
    "CALL enable_logging(storage := 'file', storage_path := '{outside}/log')",
    "SELECT * FROM enable_logging(storage := 'file', storage_path := '{outside}/log')",
    "SELECT * FROM enable_profiling(save_location := '{outside}/profile.json')",
    "SELECT write_log('words')",
]
STATE = [
    "SET memory_limit = '100GB'",
    "SET enable_external_access = true",
    "SET SESSION threads = 64",
    "RESET lock_configuration",
    "SET lock_configuration = false",
    "SET VARIABLE x = 1",
    "SET temp_directory = '{outside}'",
    "PRAGMA threads = 64",
    "PRAGMA database_list",
    "PRAGMA add_parquet_key('k', '0123456789112345')",
    "PRAGMA import_database('{outside}')",
    "BEGIN",
    "BEGIN TRANSACTION; DELETE FROM data.pig_turn; COMMIT",
    "COMMIT",
    "ROLLBACK",
    "CHECKPOINT",
    "FORCE CHECKPOINT dicebase",
    "SELECT * FROM force_checkpoint()",
    "CALL checkpoint()",
    "VACUUM",
    "VACUUM ANALYZE data.pig_turn",
    "ANALYZE",
    "INSTALL httpfs",
    "FORCE INSTALL spatial FROM 'http://127.0.0.1:9'",
    "LOAD httpfs",
    "LOAD '{outside}/evil.duckdb_extension'",
    "UPDATE EXTENSIONS",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DEALLOCATE p",
    "CALL pragma_version()",
    "CALL pig_turn_at(20)",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP VIEW pig_turn",
    "SELECT 1\0; DROP VIEW pig_turn",
    "SELECT setseed(0.5)",
    "SELECT nextval('s')",
    "SELECT sleep_ms(60000)",
    "SELECT pg_sleep(60)",
]
MACHINE = [
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM system.main.duckdb_settings()",
    "FROM duckdb_settings",
    "FROM pg_catalog.pg_settings",
    "FROM duckdb_databases",
    "FROM pragma_database_list",
    "SHOW DATABASES",
    "SELECT * FROM duckdb_databases()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM duckdb_extensions()",
    "SELECT * FROM duckdb_logs()",
    "FROM duckdb_logs",
    "SELECT * FROM duckdb_temporary_files()",
    "SELECT * FROM duckdb_variables()",
    "SELECT * FROM duckdb_memory()",
    "SELECT * FROM pragma_storage_info('data.pig_turn')",
    "SELECT * FROM which_secret('s3://bucket', 's3')",
    "SELECT current_setting('secret_directory')",
    "SELECT CURRENT_SETTING('memory_limit')",
    "SELECT system.main.current_setting('home_directory')",
    "SELECT getvariable('x')",
    "SELECT getenv('HOME')",
    "SELECT __internal_decompress_string(1::UTINYINT)",
    "SELECT finalize('x'::BLOB)",
    "WITH a AS (FROM duckdb_settings), duckdb_settings AS (SELECT 1) FROM a",
    "SELECT * FROM arrow_scan(1, 2, 3)",
    "SELECT * FROM pandas_scan(94231)",
    "SELECT * FROM python_map_function(1)",
    "FROM pytest",
]
HOSTILE = READS + WRITES + STATE + MACHINE

BOMBS = [
    "SELECT count(*) FROM range(1000000000000)",
    "SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE a.range * b.range % 7 = 1",
    "SELECT count(*) FROM range(300000) AS a JOIN range(300000) AS b ON a.range < b.range AND a.range + b.range > 7",
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t) SELECT count(*) FROM t",
    "WITH RECURSIVE t AS (SELECT 'x' AS n UNION ALL SELECT n || n FROM t) SELECT max(length(n)) FROM t",
    "SELECT length(repeat('x', 4000000000))",
    "SELECT length(repeat(repeat('x', 100000), 10000))",
    "SELECT length(lpad('x', 2000000000, 'y'))",
    "SELECT len(range(200000000))",
    "SELECT len(list_resize([1], 2000000000))",
    "SELECT list(range) FROM range(100000000)",
    "SELECT string_agg(range::VARCHAR, ',') FROM range(100000000)",
    "SELECT list_transform(range(10000), lambda x: range(100000))",
    "SELECT levenshtein(repeat('a', 100000), repeat('b', 100000))",
    "SELECT count(DISTINCT hash(range)) FROM range(100000000)",
    "SELECT * FROM range(100000000) ORDER BY hash(range)",
    "SELECT regexp_replace(repeat('ab', 10000000), '(a|b)*?', 'x', 'g')",
    "SELECT factorial(20) FROM range(100000), range(100000), range(100000) ORDER BY random()",
    "SELECT repeat('x', 1000000) FROM range(1000)",
    "SELECT * FROM range(101)",
]

HONEST = [
    "SELECT * FROM tables",
    "FROM pig_turn",
    "FROM dicebase.main.pig_turn",
    "SELECT * FROM data.pig_turn ORDER BY ALL",
    "SELECT * FROM pig_turn_at(20)",
    "SELECT * FROM pig_turn_at(20, sides := 4)",
    "SELECT * FROM ten_thousand_turn_at(100, '51', rules := 'pocket')",
    "SELECT sorted_dice('51')",
    "SELECT s.*, a.q_value FROM pig_turn s JOIN pig_turn_actions a USING (sides, dice, turn_total) ORDER BY ALL",
    "SELECT turn_total, value - lag(value) OVER (PARTITION BY sides, dice ORDER BY turn_total) FROM pig_turn "
    "ORDER BY sides, dice, turn_total",
    "WITH a AS (FROM pig_turn WHERE sides = 6), b AS (SELECT max(value) AS v FROM a) SELECT * FROM b",
    "WITH pig_turn AS (SELECT 1 AS mine) FROM pig_turn",
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT sum(n) FROM t",
    "SELECT parameters->>'sides' AS sides, value FROM tables WHERE name = 'pig_turn' ORDER BY ALL",
    "SELECT * FROM (PIVOT pig_turn ON dice IN (1, 2) USING avg(value) GROUP BY sides) ORDER BY sides",
    "SELECT list_transform([1, 2], lambda x: x + 1), {'a': 1}, MAP {'k': 2}, DATE '2014-05-29', 1.5::DECIMAL(9, 2)",
    "SELECT p.total, best.action FROM (VALUES (2), (26)) AS p(total), LATERAL (SELECT action FROM pig_turn_actions "
    "WHERE sides = 6 AND dice = 1 AND turn_total = p.total ORDER BY regret LIMIT 1) AS best ORDER BY 1",
    "VALUES (1, 'a'), (2, NULL)",
    "SELECT unnest([1, 2])",
    "SELECT * FROM generate_series(1, 3)",
    "DESCRIBE pig_turn",
    "DESCRIBE SELECT * FROM pig_turn_at(20)",
    "SUMMARIZE pig_turn",
    "SHOW TABLES",
    "SHOW ALL TABLES",
    "EXPLAIN SELECT * FROM pig_turn",
    "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'pig_turn' ORDER BY 1",
    "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal ORDER BY 1",
    "SELECT table_name FROM information_schema.tables ORDER BY 1",
    "SELECT 'COPY; DROP TABLE x -- read_csv(''/etc/passwd'')' AS words",
    "-- a comment\nSELECT 1;",
]


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
    limits = Limits(seconds=0.25, memory_mb=64, rows=100, answer_mb=1, characters=500, threads=1)
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


def test_there_are_hostile_statements_enough():
    assert len(set(HOSTILE)) == len(HOSTILE) > 140 and len(BOMBS) >= 20


@pytest.mark.parametrize("statement", HOSTILE)
def test_a_hostile_statement_is_refused_and_changes_nothing(statement, place, sandbox):
    before = digests(place)
    with pytest.raises(RefusedError, match=r"^SQL: .*(refused|there is no table)") as error:
        sandbox.run(written(statement, place))
    assert "\n" not in str(error.value) and "Error:" not in str(error.value)
    assert digests(place) == before
    assert sandbox.run("SELECT count(*) FROM pig_turn").rows[0][0] > 50


def test_the_engine_alone_lets_none_of_them_read_or_change_a_file(place):
    """The second wall without the first."""
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
def test_an_ordinary_connection_is_harmed_by_them(results, tmp_path, monkeypatch):
    """The suite can fail: the same statements do harm where nothing stands in their way."""
    monkeypatch.setenv("HOME", str(tmp_path))
    harmed, read = set(), set()
    before = None
    for statement in READS + WRITES:
        if "http:" in statement or "s3:" in statement:
            continue
        if before is None:  # at first, and after each harm
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
def test_a_bomb_is_stopped_within_its_limits(bomb, small, monkeypatch):
    small.run("SELECT 1")
    start = time.monotonic()
    with monkeypatch.context() as patch:
        patch.setattr(stranger, "GRACE", 0.15)  # what does not heed its time burns a processor for as long
        with pytest.raises(LimitError, match=r"^SQL: (stopped: |the answer (has|takes) more than )") as error:
            small.run(bomb)
    assert time.monotonic() - start < small.limits.seconds + GRACE + 5, error.value
    assert small.run("SELECT count(*) FROM pig_turn").rows[0][0] > 50


def test_limits_are_said_in_the_message(small):
    for query, match in [
        ("SELECT * FROM range(101)", "more than 100 rows; add LIMIT"),
        ("SELECT repeat('x', 2000000)", "takes more than 1 MB"),
        ("SELECT len(range(200000000))", "more than 64 MB of memory"),
        ("SELECT count(*) FROM range(1000000000000)", "more than 0.25 seconds"),
    ]:
        with pytest.raises(LimitError, match=match):
            small.run(query)
    with pytest.raises(RefusedError, match="at most 500"):
        small.run("SELECT 1" + " " * 500)
    assert len(small.run("SELECT * FROM range(100)").rows) == 100


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT {'(' * 5000}1{')' * 5000}",
        f"SELECT {'1+' * 5000}1",
        f"SELECT {'[' * 2000}1{']' * 2000}",
        f"{'SELECT * FROM (' * 900}SELECT 1{')' * 900}",
        f"SELECT {'NOT ' * 4000} true",
        f"SELECT 1 {'UNION ALL SELECT 1 ' * 1000}",
    ],
)
def test_deep_nesting_does_no_harm(sandbox, query):
    try:
        assert len(sandbox.run(query).rows) in (1, 1001)
    except DicebaseError as error:
        assert "\n" not in str(error)
    assert sandbox.run("SELECT 1").rows == [(1,)]


@pytest.mark.parametrize(
    "query", ["", " ", "-- nothing", ";", "SELEC 1", "SELECT nobody", "FROM pig_turn_at()", "\ud800"]
)
def test_a_wrong_query_is_one_line(sandbox, query):
    with pytest.raises(DicebaseError, match=r"^SQL: .+$"):
        sandbox.run(query)


@pytest.mark.parametrize("query", HONEST)
def test_an_honest_query_is_answered_as_on_a_trusted_connection(query, place, sandbox):
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


def test_values_come_as_from_a_trusted_connection(sandbox):
    query = (
        "SELECT '5df1aa6a-7e5e-4b3a-9d3b-0d6c5f6a1b2c'::UUID, DATE '2014-05-29', TIME '12:00', INTERVAL 3 DAY, "
        "TIMESTAMP '2014-05-29 12:00', 1.50::DECIMAL(9, 2), 1::HUGEINT << 100, 'a'::BLOB, [1, NULL], {'a': [1]}, "
        "MAP {'k': 2}, NULL, 'infinity'::DOUBLE"
    )
    assert sandbox.run(query).rows == duckdb.connect().execute(query).fetchall()
    with pytest.raises(DicebaseError, match="cannot be sent; cast it to VARCHAR"):
        sandbox.run("SELECT now()")
    assert len(sandbox.run("SELECT now()::VARCHAR").rows) == 1


def test_no_suspicious_function_of_this_engine_is_forgotten(place, sandbox):
    """A new version of the engine may bring functions that nobody has judged."""
    words = (
        "read|file|glob|env|setting|secret|sleep|log_|_log|sql|plan|internal|load|http|exec|variable|seed|(next|set)val"
    )
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


def test_several_threads_may_share_one(sandbox):
    found = {}
    threads = [
        threading.Thread(target=lambda n=n: found.update({n: sandbox.run(f"SELECT {n} FROM range(3)").rows}))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: [(n,)] * 3 for n in range(8)}


def test_a_missing_and_a_damaged_file_are_named(tmp_path):
    with pytest.raises(MissingTableError, match=r"no\.duckdb: does not exist"):
        Sandbox(tmp_path / "no.duckdb")
    (tmp_path / "dicebase.duckdb").write_bytes(b"no database" * 1000)
    with pytest.raises(DicebaseError, match=r"dicebase\.duckdb: cannot be read: ") as error:
        Sandbox(tmp_path / "dicebase.duckdb")
    assert "\n" not in str(error.value)


def test_no_process_is_left_behind(place):
    opened = Sandbox(place / "results" / "dicebase.duckdb")
    process = opened._process
    assert isinstance(opened.run("SELECT 1"), Result) and process.poll() is None
    opened.close()
    assert process.poll() is not None


def test_an_untrusted_catalogue_answers_lookups_and_runs_sql_in_the_sandbox(place):
    with dicebase.open(place / "results", untrusted=True, limits=Limits(rows=3)) as db:
        assert db.lookup("pig_turn", turn_total=20)["value"] == 20.0
        assert db.sql("SELECT turn_total FROM pig_turn_at(20), pig_turn WHERE turn_total = 20 LIMIT 1").fetchall()
        assert db.rows("SELECT action FROM pig_turn_at($1)", [25]) == (["action"], [("hold",), ("roll",)])
        for run in (db.sql, db.rows):
            with pytest.raises(RefusedError):
                run("COPY pig_turn TO 'mine.csv'")
            with pytest.raises(LimitError, match="more than 3 rows"):
                run("SELECT * FROM pig_turn")
        with pytest.raises(RefusedError, match="gives no connection"):
            db.connection.execute("SELECT 1")
        process = db.sandbox._process
    assert process.poll() is not None


def test_nothing_opens_a_catalogue_for_writing(place):
    with pytest.raises(ConfigurationError, match="read_only=False: tables are only read"):
        dicebase.open(place / "results", read_only=False)
