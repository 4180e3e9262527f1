"""The catalogue: one file that holds the rows of the planned Parquet files and needs no other file."""

import json
import shutil
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
import yaml

import dicebase
from dicebase.catalog.lookup import Catalog
from dicebase.catalog.sql import table_views
from dicebase.catalog.sql.build import build_catalog
from dicebase.pipeline import steps
from dicebase.pipeline.checks.compare_copies import compare
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles
from dicebase.vocabulary import DamagedFileError, DicebaseError, RefusedError
from support import commands, grids
from support.every_table import every_table
from support.own_games import known

TABLES = ["forbidden_multiple_turn", "pig_turn", "ten_thousand_turn"]
SLICES = list(make_plan(yaml.safe_load(grids.CONFIG)).slices)


@pytest.fixture(scope="module")
def moved(results, tmp_path_factory):
    """The catalogue in a folder of its own."""
    return shutil.copy(results / "dicebase.duckdb", tmp_path_factory.mktemp("moved") / "somewhere.db")


@pytest.fixture
def connection(moved, tmp_path, monkeypatch):
    """A plain client in an empty folder."""
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(str(moved), read_only=True) as opened:
        yield opened


def dicts(cursor):
    names = [d[0] for d in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_large_tables_are_read_from_their_files(results, connection, tmp_path, monkeypatch):
    monkeypatch.setattr(table_views, "IN_PLACE", 0)
    large = shutil.copytree(results, tmp_path / "built")
    build_catalog(large, SLICES)
    assert dict(compare(large, SLICES))["dicebase.duckdb"] is None
    large.rename(tmp_path / "moved [1]")
    asked = [f"SELECT * FROM {table} ORDER BY ALL" for table in (*TABLES, *(f"{table}_actions" for table in TABLES))]
    asked += ["FROM pig_turn_at(20, sides := 6)", "FROM forbidden_multiple_turn_at(7, multiple := 10)"]
    ours = [connection.execute(query).fetchall() for query in asked]
    with duckdb.connect("moved [1]/dicebase.duckdb", read_only=True) as there:
        assert [there.execute(query).fetchall() for query in asked] == ours
        assert there.execute("SELECT DISTINCT in_place FROM tables").fetchall() == [(True,)]
        copied = there.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        assert not {*TABLES, *(f"{table}_actions" for table in TABLES)} & {name for (name,) in copied}
    with duckdb.connect() as mine:
        mine.execute("ATTACH 'moved [1]/dicebase.duckdb' AS dice (READ_ONLY)")
        mine.execute("SET VARIABLE dicebase_results = 'moved [1]/'")
        assert mine.execute("SELECT count(*) FROM dice.pig_turn").fetchone() == (len(ours[1]),)
    file = next(Path("moved [1]/tables/pig_turn").absolute().iterdir())
    before = file.read_bytes()
    with dicebase.open("moved [1]") as db, Catalog("moved [1]", untrusted=True) as untrusted:
        for query, rows in zip(asked, ours, strict=True):
            assert db.sql(query).fetchall() == untrusted.sql(query).fetchall() == rows
        for statement in (
            "COPY (SELECT 1) TO",
            "EXPLAIN ANALYZE COPY (SELECT 1) TO",
            "PREPARE p AS COPY (SELECT 1) TO",
        ):
            with pytest.raises(RefusedError, match="COPY or EXPORT is refused"):
                db.sql(f"{statement} '{file}' (USE_TMP_FILE false)")
        for query in (f"FROM read_parquet('{file.parent}/*')", "FROM read_text('/etc/hosts')"):
            with pytest.raises(RefusedError, match="unrestricted"):
                db.sql(query).fetchall()
    assert file.read_bytes() == before
    with Catalog("moved [1]", unrestricted=True) as db:
        assert len(db.sql("FROM pig_turn").fetchall()) == len(ours[1])
    assert connection.execute("SELECT DISTINCT in_place FROM tables").fetchall() == [(False,)]


def test_views_hold_the_rows_of_the_planned_files_sorted(connection, results):
    for table in TABLES:
        for view, kind in ((table, "tables"), (f"{table}_actions", "actions")):
            stored = []
            for name, slice_name in SLICES:
                if name == table:
                    stored += pq.ParquetFile(SliceFiles(results, name, slice_name).within(kind)).read().to_pylist()
            names = list(stored[0])
            keys = names[: min(names.index(n) for n in ("value", "action") if n in names)]
            found = dicts(connection.execute(f"SELECT * FROM {view}"))
            assert [list(row) for row in found[:1]] == [names]
            order = [tuple(row[k] for k in keys) for row in found]
            assert order == sorted(order)
            everything = [sorted(map(repr, (row.values() for row in rows))) for rows in (found, stored)]
            assert everything[0] == everything[1]


def test_the_order_of_slices_does_not_change_the_order_of_rows(results_copy, connection):
    build_catalog(results_copy, SLICES[::-1])
    with duckdb.connect(str(results_copy / "dicebase.duckdb"), read_only=True) as opened:
        for table in TABLES:
            query = f"SELECT * FROM {table}"
            assert opened.execute(query).fetchall() == connection.execute(query).fetchall()


def test_the_view_tables_has_one_row_per_variant(connection):
    found = dicts(connection.execute("SELECT * FROM tables"))
    promised = {"parameters", "states", "value", "unit", "error_bound", "exact", "solver", "seconds", "citation"}
    assert next(iter(found[0])) == "name" and promised <= set(found[0])
    assert [row["name"] for row in found] == sorted(row["name"] for row in found)
    assert len(found) == 6 + 3 + 2
    pig = next(row for row in found if row["name"] == "pig_turn" and json.loads(row["parameters"])["sides"] == 2)
    assert json.loads(pig["parameters"]) == {"sides": 2, "dice": 1}
    # With two sides, a roll gains 2 with probability 1/2; at 2, holding is as good as rolling again.
    assert (pig["value"], pig["exact"], pig["unit"]) == (1.0, "1/1", "points")
    assert 0 < pig["error_bound"] < 1e-12 and pig["states"] > 0 and pig["seconds"] >= 0
    assert pig["solver"] == "tabulate.turns.turn" and "Crocce" in pig["citation"]
    counted = connection.execute("SELECT name, sum(states), sum(actions) FROM tables GROUP BY name").fetchall()
    for name, states, actions in counted:
        assert connection.execute(f"SELECT count(*) FROM {name}").fetchall() == [(states,)]
        assert connection.execute(f"SELECT count(*) FROM {name}_actions").fetchall() == [(actions,)]


def test_two_catalogues_of_one_process_run_queries(results):
    with dicebase.open(results) as one, dicebase.open(results) as other:
        assert one.sql("SELECT 1").fetchall() == other.sql("SELECT 1").fetchall() == [(1,)]


def test_the_default_variant_is_that_of_the_paper(connection):
    default = connection.execute("SELECT * FROM pig_turn_at(4)").fetchall()
    assert default == connection.execute("SELECT * FROM pig_turn_at(4, sides := 6, dice := 1)").fetchall()
    assert default != connection.execute("SELECT * FROM pig_turn_at(4, dice := 2)").fetchall() != []
    rows = connection.execute("FROM pig_turn_paper").fetchall()
    assert rows == connection.execute("FROM pig_turn WHERE sides = 6 AND dice = 1").fetchall() != []
    best = [
        connection.execute(f"FROM ten_thousand_turn_at(100, {roll}, rules := 'pocket')").fetchall()
        for roll in ("15", "51", "'51'")
    ]
    assert best[0] == best[1] == best[2] and best[0][0][0] == "keep 15, roll 3"


def test_the_catalogue_holds_only_the_named_slices(results_copy):
    kept = [(table, name) for table, name in SLICES if table == "pig_turn"]
    steps.catalog(results_copy, kept)
    with duckdb.connect(str(results_copy / "dicebase.duckdb"), read_only=True) as opened:
        assert opened.execute("SELECT DISTINCT name FROM tables").fetchall() == [("pig_turn",)]
        assert opened.execute("SHOW TABLES").fetchall() == [
            (name,) for name in ("audit", "compare", "pig_turn", "pig_turn_actions", "pig_turn_paper", "tables")
        ]


def refused(results, match):
    """The build fails with one line and leaves the previous catalogue."""
    before = (results / "dicebase.duckdb").read_bytes()
    with pytest.raises(DicebaseError, match=match) as error:
        build_catalog(results, SLICES)
    assert "\n" not in str(error.value)
    assert (results / "dicebase.duckdb").read_bytes() == before and not list(results.glob(".*"))
    return error


def test_a_missing_or_damaged_file_or_a_wrong_certificate_stops_the_build(results_copy):
    files, other = (SliceFiles(results_copy, "pig_turn", f"dice={n}") for n in (1, 2))
    files.certificate.rename(away := files.certificate.with_suffix(".away"))
    refused(results_copy, "certificates/pig_turn/dice=1.parquet: missing")
    files.certificate.write_bytes(away.read_bytes()[:1000])
    error = refused(results_copy, "certificates/pig_turn/dice=1.parquet: damaged")
    assert error.type is DamagedFileError and str(error.value).endswith("; delete it and build it again")
    shutil.copy(other.certificate, files.certificate)
    refused(results_copy, "certifies a different table")
    away.rename(files.certificate)
    content = files.rows.read_bytes()
    files.rows.write_bytes(content[:4] + bytes(396) + content[400:])
    refused(results_copy, "cannot be built")
    files.actions.unlink()
    refused(results_copy, "actions/pig_turn/dice=1.parquet: missing")


def test_names_may_be_words_of_sql(tmp_path):
    rules = (commands.ROOT / "workflow" / "dicebase" / "games" / "forbidden_multiple.py").read_text()
    (tmp_path / "order.py").write_text(rules.replace("multiple", "limit").replace('total = "total"', 'total = "where"'))
    with known(tmp_path), dicebase.solve("order_turn", limit=3, sides=4) as table:
        assert table.lookup(where=1)["actions"][0]["action"] == "roll"
        query = 'SELECT count(*) FROM order_turn_at(1, "limit" := 3, sides := 4)'
        assert table.sql(query).fetchall() == [(2,)]


def texts(connection):
    views = "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal"
    macros = "SELECT schema_name, function_name, macro_definition FROM duckdb_functions() WHERE NOT internal"
    return {
        (schema, name): text for query in (views, macros) for schema, name, text in connection.sql(query).fetchall()
    }


def test_rewriting_keeps_the_text_of_views_and_macros(tmp_path_factory, tmp_path):
    """DuckDB rewrites the text whenever its file changes."""
    catalogue, found = shutil.copy(every_table(tmp_path_factory) / "dicebase.duckdb", tmp_path), []
    for _ in range(3):
        with duckdb.connect(catalogue) as connection:
            found.append(texts(connection))
            connection.execute("CREATE OR REPLACE TABLE other AS SELECT 1; CHECKPOINT")
    first, *later = found
    assert len(first) > 200 and [name for name in first for text in later if first[name] != text[name]] == []
