"""A forger alters what a slice's files say, one thing at a time, and makes every digest again: `verify` finds it."""

import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from dicebase.certify.certificate import FIELDS
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles, slices_in
from support import grids

pytestmark = pytest.mark.usefixtures("catalogues")
PIG = ("pig_turn", "sides=4_dice=1")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    def build(folder):
        steps.build(folder / "results", make_plan(yaml.safe_load("tables: {pig_turn: [{sides: 4}]}")))

    return grids.once(tmp_path_factory, "forged_slice", build) / "results"


@pytest.fixture
def results(built, tmp_path):
    return shutil.copytree(built, tmp_path / "results")


def rewrite(path, change=lambda table: table, footer=None, fields=None):
    """Write a Parquet file again with other rows, another footer or other words about its columns."""
    table = pq.ParquetFile(path).read()
    metadata = dict(table.schema.metadata)
    for name, said in (footer or {}).items():
        metadata[name.encode()] = said(metadata[name.encode()].decode()).encode()
    table = change(table)
    schema = pa.schema([(fields or (lambda f: f))(f) for f in table.schema], metadata)
    pq.write_table(pa.Table.from_arrays(table.columns, schema=schema), path)


def other(said):
    """Something else of the same type."""
    return said + "x" if isinstance(said, str) else "x" if said is None else said + 1


def changed(column, row=0, to=other):
    def change(table):
        i, said = table.schema.get_field_index(column), table[column].to_pylist()
        said[row] = to(said[row])
        return table.set_column(i, table.schema.field(i), pa.array(said, table.schema.field(i).type))

    return change


@pytest.mark.parametrize("name", [f.name for f in FIELDS])
def test_a_field_of_a_certificate(verify, results, name):
    certificate = SliceFiles(results, *PIG).certificate
    text = pa.types.is_string(next(f for f in FIELDS if f.name == name).type)
    to = {"parameters": lambda _: '{"sides": 5, "dice": 1}', "definitions": lambda _: '{"x": 1}'}.get(name, other)
    if name in ("exact", "continuation"):
        assert text
    rewrite(certificate, changed(name, to=to))
    steps.datapackage(results, slices_in(results))
    assert "/".join(PIG) in verify()


@pytest.mark.parametrize("column", ["sides", "dice"])
def test_a_parameter_of_a_certificate(verify, results, column):
    rewrite(SliceFiles(results, *PIG).certificate, changed(column))
    steps.datapackage(results, slices_in(results))
    assert "/".join(PIG) in verify()


@pytest.mark.parametrize("key", [b"unit", b"description"])
@pytest.mark.parametrize("folder", ["tables", "actions", "certificates"])
def test_what_a_column_says_of_itself(verify, results, folder, key):
    rewrite(
        SliceFiles(results, *PIG).within(folder),
        fields=lambda f: f.with_metadata(f.metadata | {key: b"coins"}) if f.name in ("value", "q_value") else f,
    )
    steps.datapackage(results, slices_in(results))
    assert "/".join(PIG) in verify()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dicebase.title", lambda text: text + "!"),
        ("dicebase.citation", lambda text: "me"),
        ("dicebase.variants", lambda text: text.replace("stop", "roll").replace("hold", "roll")),
        ("dicebase.key", lambda text: text.replace("tabulate.turns.turn", "tabulate.an_oracle")),
    ],
)
def test_what_the_footer_of_a_table_says(verify, results, name, said):
    files = SliceFiles(results, *PIG)
    for path in (files.rows, files.actions):
        rewrite(path, footer={name: said})
    assert "/".join(PIG) in verify()


@pytest.mark.parametrize(
    ("folder", "change"),
    [
        ("tables", changed("value", 3, lambda value: value + 1e-9)),
        ("tables", changed("action", 3, lambda action: "roll" if action == "hold" else "hold")),
        ("actions", changed("q_value", 5, lambda value: value + 1e-9)),
        ("tables", lambda table: pa.concat_tables([table, table.slice(0, 1)])),
        ("tables", lambda table: pa.concat_tables([table.slice(1, 1), table.slice(0, 1), table.slice(2)])),
        ("certificates", lambda table: pa.concat_tables([table, table])),
    ],
)
def test_a_row_of_a_table(verify, results, folder, change):
    rewrite(SliceFiles(results, *PIG).within(folder), change)
    steps.datapackage(results, slices_in(results))
    assert "/".join(PIG) in verify()
