"""Matches that store only the starts of turns: their description, the explorer's answers, and refusals."""

import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import dicebase
from dicebase.catalog.rows import row_arrays_writer
from dicebase.show.explorer.site import write_data
from dicebase.tables.layout import slices_in
from dicebase.vocabulary import ConfigurationError
from support import by_starts, grids
from support.by_starts import TABLES, positions
from support.explorer_site import node
from support.ways import same


@pytest.fixture(scope="module")
def starts(tmp_path_factory):
    with dicebase.open(by_starts.made(tmp_path_factory, "starts")) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    with dicebase.open(by_starts.made(tmp_path_factory, "rows")) as catalog:
        yield catalog


def test_the_explorer_answers_from_starts(starts, rows, tmp_path):
    write_data(starts, tmp_path / "data")
    asked = [(table, position) for table in TABLES for position in positions(rows, table, 30)]
    asked.append(("ten_thousand_duel", by_starts.LAST_TURN))
    lines = []
    for table, position in asked:
        names = {p["name"] for p in starts.describe(table)["parameters"]}
        parts = ({k: v for k, v in position.items() if (k in names) == inside} for inside in (True, False))
        lines.append({"table": table} | dict(zip(("parameters", "state"), parts, strict=True)))
    for (table, position), answer in zip(
        asked, node("explorer_lookup.mjs", tmp_path / "data", lines=lines), strict=True
    ):
        same(answer, starts.lookup(table, **position))


def test_larger_variants_by_starts_answer_for_smaller_ones(starts, rows):
    for position in ({"me": 3, "opponent": 5, "turn_total": 9}, {"me": 0, "opponent": 0, "turn_total": 0}):
        same(starts.lookup("pig_duel", target=20, **position), rows.lookup("pig_duel", target=20, **position))


def test_a_macro_answers_every_row_of_a_lateral_join(starts):
    query = "FROM (VALUES (3, 5, 9), (4, 5, 8)) AS p(me, opponent, turn_total), pig_duel_at({}, target := 25)"
    one_by_one = [
        a for me, total in ((3, 9), (4, 8)) for a in starts.rows(f"FROM pig_duel_at({me}, 5, {total}, target := 25)")[1]
    ]
    for arguments in ("p.me, p.opponent, p.turn_total", "me, opponent, turn_total"):
        found = starts.rows(f"SELECT * EXCLUDE (me, opponent, turn_total) {query.format(arguments)}")[1]
        assert sorted(found) == sorted(one_by_one)


def test_the_table_says_how_it_is_stored(starts):
    said = {(row["name"], row["parameters"]["target"]): (row["store"], row["note"]) for row in starts.tables()}
    note = "stored by the starts of turns, from which all other positions follow"
    assert said["pig_duel", 25] == ("starts", note) and said["pig_duel", 10] == ("rows", "")
    assert starts.rows("SELECT store, note FROM tables WHERE name = 'pig_race'")[1] == [("starts", note)] * 2
    ((comment,),) = starts.rows("SELECT comment FROM duckdb_views() WHERE view_name = 'pig_duel'")[1]
    assert "variants stored by the starts of turns have one per start" in comment
    assert starts.rows("SELECT count(*) FROM pig_duel WHERE target = 25")[1] == [(25 * 25,)]


@pytest.mark.parametrize("table", ["pig_turn", "hog_duel", "pig_duel_turns", "ten_times_eighteen_score"])
def test_only_matches_of_turns_can_be_stored_by_starts(tmp_path, table):
    with pytest.raises(ConfigurationError, match="store: starts is for matches of turns") as error:
        grids.build(tmp_path, f"tables: {{{table}: [{{store: starts}}]}}")
    assert len(str(error.value).splitlines()) == 1 and table in str(error.value)


def test_a_slice_is_stored_in_one_way(tmp_path):
    config = "tables: {pig_duel: [{target: 10, slice_by: []}, {target: 12, slice_by: [], store: starts}]}"
    with pytest.raises(ConfigurationError, match=r"tables.pig_duel\[1\].store: slice 'all' is stored by rows as well"):
        grids.build(tmp_path, config)


def test_arrays_of_a_variant_with_many_rows_hold_only_the_starts(rows, tmp_path, monkeypatch):
    copy = Path(shutil.copytree(rows.results, tmp_path / "results"))
    monkeypatch.setattr(row_arrays_writer, "MANY_ROWS", 300)
    row_arrays_writer.write_mapped(copy, slices_in(copy))
    with dicebase.open(copy) as few:
        for table in ("pig_duel", "ten_thousand_duel"):
            folders = [results / "mapped" / table for results in (copy, rows.results)]
            size, before = (sum(path.stat().st_size for path in folder.iterdir()) for folder in folders)
            assert size < before / 2
            asked = positions(rows, table, 60)
            answers = [few.lookup(table, **position) for position in asked]
            for position, answer in zip(asked, answers, strict=True):
                same(answer, rows.lookup(table, **position))
            many = few.lookup_many(table, pa.Table.from_pylist(asked))
            assert many["value"].to_pylist() == [answer["value"] for answer in answers]
