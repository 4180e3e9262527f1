"""The table `audit` of the catalogue: its rows, queries, bounds and comments, and the page made from it."""

import csv
import io
import re
import shutil
from collections import Counter
from fractions import Fraction

import duckdb
import pyarrow.parquet as pq
import pytest

from dicebase.audit.findings import VERDICTS
from dicebase.audit.page import page, write_audit
from dicebase.audit.record import text
from dicebase.audit.store import PLACES, SCHEMA, audit_table
from support import commands, grids


@pytest.fixture
def connection(papers_results):
    with duckdb.connect(str(papers_results / "dicebase.duckdb"), read_only=True, config={"threads": 1}) as connection:
        yield connection


def test_a_place_of_several_variants_has_the_cells_of_the_solved_ones(tmp_path):
    grids.build(tmp_path / "results", "tables: {liars_dice_duel: [{faces: 3}]}")
    with duckdb.connect(str(tmp_path / "results" / "dicebase.duckdb"), read_only=True) as connection:
        rows = connection.execute("SELECT cell, printed, verdict FROM audit WHERE source = 'Ahle'").fetchall()
    assert rows == [("value: faces=3 first=1 second=1 wild=none", "-1/9", "agrees")]


def test_rows_have_a_verdict_a_bound_and_a_note_if_they_disagree(audited, connection):
    assert len({row["verdict"] for row in audited.values()} - set(VERDICTS)) == 0
    for row in audited.values():
        assert row["ours"] and row["query"] and row["cell"] == row["cell"].strip()
        assert (row["note"] == "") == (row["verdict"] == "agrees")
        assert (row["printed"] == "") == (row["verdict"] == "illegible")
        assert row["bound"] is None or 0 <= row["bound"] < 1e-6
        # Agreeing numbers differ by at most half a unit of the last printed digit, without their error bounds.
        if row["verdict"] == "agrees" and row["bound"] and re.fullmatch(r"-?\d*\.\d+", row["printed"]):
            half = Fraction(1, 2 * 10 ** len(row["printed"].partition(".")[2]))
            assert abs(Fraction(row["printed"]) - Fraction(row["ours"])) <= half * (1 + Fraction(1, 10**6)), row
    row = audited["Crocce and Mordecki (2014)", "Table 4, values of restricted games", "all, value"]
    ((bound,),) = connection.execute(
        "SELECT error_bound FROM tables WHERE name = 'ten_thousand_turn' AND parameters LIKE '%\"all\"%'"
    ).fetchall()
    assert row["bound"] == bound / 50


# Tables too large for tests; test_yahtzee.py audits the score sheets, test_stacks.py the stacks of Peelle, and
# tests/games/blackjack the finite decks, tests/games/ten_thousand the head start of Farkle.
LARGE_VARIANTS = {"ROLLS_15", "BEAR_OFF_OF_FIVE", "LIARS_SIX", "LIARS_TWO_ONE_FOUR", "LIARS_ONE_TWO_FOUR"}
LARGE = {
    ("Jiang", "three attempts"),
    ("Peelle", "stacks on the ace points"),
    ("Busche and Neller (2017)", "fairest start"),
    ("Keith (2018)", "winner of the opening roll"),
}
LARGE |= {(place["source"], place["place"]) for place in PLACES if LARGE_VARIANTS & {*place["needs"]}}
LARGE |= {(place["source"], place["place"]) for place in PLACES if place["source"] == "Shackleford, appendix 9"}


def test_every_printed_place_is_audited(audited):
    elsewhere = ("yahtzee", "video_poker", "blackjack_edges")
    places = {(place["source"], place["place"]) for place in PLACES if place["file"] not in elsewhere}
    assert {name[:2] for name in audited} == places - LARGE


def test_the_query_of_a_row_gives_our_number(audited, connection):
    asked = Counter()
    for row in audited.values():
        if row["query"].startswith("SELECT"):
            found = connection.execute(row["query"]).fetchall()
            assert row["ours"] == " or ".join(text(value) for (value,) in found), row
            asked[row["source"]] += 1
        elif row["query"].startswith("from: SELECT"):
            assert connection.execute(row["query"].removeprefix("from: ")).fetchall()
    assert asked.total() > 2000 and len(asked) > 6


def test_the_table_and_its_columns_have_comments(connection, audited):
    assert connection.execute("SELECT count(*) FROM audit").fetchone() == (len(audited),)
    comments = connection.execute(
        "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'audit'"
    ).fetchall()
    assert [name for name, comment in comments if comment] == SCHEMA.names
    (title,) = connection.execute("SELECT comment FROM duckdb_tables() WHERE table_name = 'audit'").fetchone()
    assert title


def test_the_audit_leaves_out_tables_that_are_not_solved(results, tmp_path):
    with duckdb.connect(str(results / "dicebase.duckdb"), read_only=True) as connection:
        table = audit_table(connection)
    sources = {row["source"] for row in table.to_pylist()}
    assert sources <= {"Rolling Dice Game and Value Functions", "Neller, Hold-at-20 Outcomes"}
    assert table.schema == SCHEMA and "none of the tables" in page([])


def test_the_audit_leaves_out_other_rules_of_the_same_name(tmp_path):
    other = grids.CROCCE_MORDECKI.replace('"1": 100', '"1": 150')
    tables = "\ntables:\n  ten_thousand_turn:\n    - {moves: stop_roll}\n  ten_thousand_race:\n    - {target: 500}\n"
    grids.build(tmp_path / "results", other + tables)
    with duckdb.connect(str(tmp_path / "results" / "dicebase.duckdb"), read_only=True) as connection:
        assert audit_table(connection).num_rows == 0


def test_the_page_and_the_files_list_every_disagreement(papers_results, tmp_path, audited):
    (tmp_path / "results").mkdir()
    shutil.copy(papers_results / "dicebase.duckdb", tmp_path / "results")
    path = write_audit(tmp_path / "results")
    told = path.read_text(encoding="utf-8")
    for row in audited.values():
        if row["verdict"] not in ("agrees", "illegible"):
            assert f"`{row['cell']}`" in told and row["ours"] in told and row["note"].rpartition(" (")[0] in told
    counted = Counter(row["verdict"] for row in audited.values())
    assert f"| all |  | {len(audited)} | {counted['agrees']} |" in told
    lines = [line for line in told.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in lines)
    assert sorted(p.name for p in path.parent.iterdir()) == ["audit.csv", "audit.parquet", "index.md"]
    rows = list(csv.DictReader(io.StringIO((path.parent / "audit.csv").read_text(encoding="utf-8"))))
    stored = pq.read_table(path.parent / "audit.parquet").to_pylist()
    assert len(rows) == len(stored) == len(audited) and stored == list(audited.values())
    assert [row["printed"] for row in rows] == [row["printed"] for row in stored]


def test_the_command_refuses_a_damaged_catalogue(tmp_path):
    (tmp_path / "dicebase.duckdb").write_text("no database")
    done = commands.job(tmp_path, "audit", "--results", tmp_path)
    assert done.returncode == 2 and done.stdout.startswith("error: ") and done.stdout.count("\n") == 1
    assert not (tmp_path / "audit").exists()
