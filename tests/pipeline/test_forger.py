"""A forger alters what a results folder says, one thing at a time, and makes every digest again: `verify` finds it."""

import gzip
import hashlib
import json
import shutil
import struct

import duckdb
import pytest
import yaml

from dicebase.catalog.mapped_file import digests
from dicebase.catalog.row_arrays import contents_name
from dicebase.pipeline import steps
from dicebase.pipeline.made_again import compare
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import slices_in
from support import grids

CONFIG = (
    grids.CROCCE_MORDECKI
    + """
tables:
  pig_turn:
    - {sides: 4}
  pig_duel:
    - {target: 12, store: starts}
  ten_thousand_duel:
    - {target: 300}
  ten_times_eighteen_exceed:
    - {slots: 3}
  ten_times_eighteen_distribution:
    - {slots: 3}
"""
)
PIG = ("pig_turn", "sides=4_dice=1")
pytestmark = pytest.mark.usefixtures("catalogues")


def all_readers_read(results, but=()):
    """Make again what is made of tables and certificates, as somebody who has altered these would."""
    for step in ("catalog", "map_rows"):
        if step not in but:
            getattr(steps, step)(results, slices_in(results))
    for step in ("audit", "report", "explorer"):
        if step not in but:
            getattr(steps, step)(results)
    steps.datapackage(results, slices_in(results))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    def build(folder):
        steps.build(folder / "results", make_plan(yaml.safe_load(CONFIG)))
        all_readers_read(folder / "results", but=("catalog", "map_rows"))

    return grids.once(tmp_path_factory, "forged", build) / "results"


@pytest.fixture
def results(built, tmp_path):
    return shutil.copytree(built, tmp_path / "results")


def test_what_nobody_has_altered_holds(verify):
    assert verify() == {}


# --- the mapped rows --------------------------------------------------------------------------------------------------


def forge_mapped(results, table, change_files=None, change=None):
    """Alter a file of mapped rows, or what is said of them, and make the digests again."""
    tables = json.loads((results / "mapped/tables.json").read_text())
    folder = results / "mapped" / table
    path = folder / contents_name(tables[table])
    contents = json.loads(path.read_text())
    for part in contents["parts"].values():
        for kind, file in part["files"].items():
            content = bytearray((folder / file["name"]).read_bytes())
            if change_files:
                change_files(kind, content)
            (folder / file["name"]).write_bytes(content)
            file |= {"bytes": len(content), "sha256": digests(folder / file["name"])}
    if change:
        change(contents)
    text = json.dumps(contents).encode()
    tables[table] = hashlib.sha256(text).hexdigest()
    path.unlink()
    (folder / contents_name(tables[table])).write_bytes(text)
    (results / "mapped/tables.json").write_text(json.dumps(tables))


@pytest.mark.parametrize("table", ["pig_turn", "pig_duel", "ten_thousand_duel", "ten_times_eighteen_exceed"])
def test_an_array(verify, results, table, capsys):
    def change(kind, content):
        if kind == "rows":
            content[:8] = struct.pack("<d", 0.99)

    forge_mapped(results, table, change)
    assert list(verify()) == ["mapped"]


@pytest.mark.parametrize("of", ["rows", "numbers", "actions"])
def test_a_byte_of_an_array(verify, results, of):
    def change(kind, content):
        if kind == of:
            content[len(content) // 2] ^= 1

    forge_mapped(results, "pig_turn", change)
    assert list(verify()) == ["mapped"]


@pytest.mark.parametrize(
    "change",
    [
        lambda contents: contents["variants"][0].update(value=9.9),
        lambda contents: contents["variants"][0].update(unit="coins"),
        lambda contents: contents["variants"][0].update(note="all proved"),
        lambda contents: contents["variants"][0].update(error_bound=0.0),
        lambda contents: contents["columns"].update(turn_total="VARCHAR"),
        lambda contents: contents["parts"]["decisions"]["actions"].reverse(),
        lambda contents: contents["variants"].append(dict(contents["variants"][0], parameters={"sides": 5, "dice": 1})),
    ],
)
def test_what_is_said_of_arrays(verify, results, change):
    forge_mapped(results, "pig_turn", change=change)
    assert list(verify()) == ["mapped"]


def test_a_table_in_the_place_of_another(verify, results):
    tables = json.loads((results / "mapped/tables.json").read_text())
    shutil.copytree(results / "mapped/pig_turn", results / "mapped/hog_turn")
    (results / "mapped/tables.json").write_text(json.dumps(tables | {"hog_turn": tables["pig_turn"]}))
    assert "mapped" in verify()


# --- the catalogue ----------------------------------------------------------------------------------------------------


STATEMENTS = [
    "UPDATE data.pig_turn SET value = value + 1e-12 WHERE turn_total = 4",
    "UPDATE data.pig_turn SET margin = NULL WHERE turn_total = 4",
    "UPDATE data.pig_turn_actions SET q_value = 0.99 WHERE turn_total = 4",
    "UPDATE data.pig_duel SET value = 0.99 WHERE turn_total = 0 AND me = 0 AND opponent = 0",
    "UPDATE data.pig_duel_throws SET _least = 2",
    "UPDATE data.ten_thousand_duel_ways SET _gain = _gain + 50 WHERE _roll = '5'",
    "UPDATE data.ten_times_eighteen_exceed_placements SET tolerance = 1",
    "UPDATE data.ten_times_eighteen_distribution SET probability = 0 WHERE score = 60",
    "UPDATE data.certificates SET error_bound = 0",
    "UPDATE data.certificates SET error_bound_proof = 'obvious'",
    "UPDATE data.slices SET certificate_key = '{}'",
    "DELETE FROM data.pig_turn WHERE turn_total = 4",
    "INSERT INTO data.pig_turn SELECT * FROM data.pig_turn LIMIT 1",
    "CREATE OR REPLACE TABLE data.pig_turn AS SELECT * FROM data.pig_turn ORDER BY turn_total DESC",
    "CREATE OR REPLACE VIEW data.pig_turn_2 AS SELECT * FROM data.pig_turn",
    "CREATE OR REPLACE VIEW pig_turn AS SELECT * REPLACE (0.99 AS value) FROM data.pig_turn",
    "CREATE OR REPLACE MACRO sorted_dice(roll) AS '11111'",
    "CREATE OR REPLACE MACRO pig_turn_at(turn_total, sides := 6, dice := 1) AS TABLE SELECT 'hold' AS action",
    "CREATE MACRO best(total) AS 'hold'",
    "CREATE TABLE pig_race AS SELECT 1 AS value",
    "CREATE SCHEMA more",
    "COMMENT ON COLUMN pig_turn.value IS 'chance of winning'",
    "COMMENT ON VIEW tables IS 'what is proved'",
    "ALTER TABLE data.pig_turn ADD COLUMN better DOUBLE",
    "UPDATE audit SET verdict = 'agrees'",
]


def alter(results, statement):
    """Run a statement over the catalogue."""
    with duckdb.connect(str(results / "dicebase.duckdb")) as connection:
        if statement.startswith("UPDATE audit") and not connection.execute("SELECT count(*) FROM audit").fetchone()[0]:
            statement = "INSERT INTO audit VALUES ('me', '', '', '', '', 0, 'agrees', '', '')"
        connection.execute(statement)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_in_the_catalogue(results, statement):
    """The catalogue is the first thing that is compared."""
    alter(results, statement)
    place, problem = next(compare(results))
    assert place == "dicebase.duckdb" and problem


@pytest.mark.parametrize("described", [True, False])
@pytest.mark.parametrize("statement", STATEMENTS[::12])
def test_a_statement_is_found_by_the_command(verify, results, statement, described):
    alter(results, statement)
    if described:
        steps.datapackage(results, slices_in(results))
    else:
        (results / "datapackage.json").unlink()
    assert "dicebase.duckdb" in verify()


def test_a_catalogue_altered_and_then_brought_up_to_date(verify, results):
    with duckdb.connect(str(results / "dicebase.duckdb")) as connection:
        connection.execute("UPDATE data.pig_turn SET value = 0.99")
    all_readers_read(results)
    assert "dicebase.duckdb" in verify()


# --- what is shown ----------------------------------------------------------------------------------------------------


def compressed(change):
    return lambda content: gzip.compress(change(gzip.decompress(content)))


@pytest.mark.parametrize(
    ("pattern", "change"),
    [
        ("explorer/data/pig_turn/0.bin", compressed(lambda content: content[:-1] + bytes([content[-1] ^ 1]))),
        ("explorer/data/pig_turn/table.json", lambda content: content.replace(b"points", b"coins")),
        ("explorer/data/tables.json", lambda content: content.replace(b"Pig", b"Pog")),
        ("explorer/index.html", lambda content: content + b"<p>hold</p>"),
        ("pages/values.html", lambda content: content.replace(b"points", b"coins")),
        ("pages/dictionary.md", lambda content: content + b"\n"),
        ("audit/index.md", lambda content: content + b"\nAll agree.\n"),
    ],
)
def test_what_people_see(verify, results, pattern, change):
    path = results / pattern
    before = path.read_bytes()
    path.write_bytes(change(before))
    assert path.read_bytes() != before
    assert list(verify()) == [pattern.split("/")[0]]


def test_a_file_that_belongs_to_nothing(verify, results):
    (results / "explorer/data/more.json").write_text("{}")
    assert list(verify()) == ["explorer"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("datapackage.json", "Pig", "Pog"),
        ("datapackage.json", "CC-BY", "CC-YB"),
        ("schemas/pig_turn-states.json", "points", "coins"),
    ],
)
def test_what_describes_the_files(verify, results, name, old, new):
    path = results / name
    path.write_text(path.read_text().replace(old, new))
    assert list(verify()) == ["datapackage.json"]
