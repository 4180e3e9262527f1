"""datapackage.json: a valid descriptor with true digests, the alterations that it reveals, and other libraries."""

import hashlib
import json
import shutil

import duckdb
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
import yaml

from dicebase import __version__
from dicebase.catalog.datapackage import describe, descriptor_text, write_datapackage
from dicebase.catalog.dataset import write_dataset
from dicebase.pipeline import steps
from dicebase.pipeline.checks.folder import verify_files
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles
from dicebase.vocabulary import DamagedFileError
from support import commands, grids

SLICES = list(make_plan(yaml.safe_load(grids.CONFIG)).slices)
STATES = "tables/pig_turn/dice=2.parquet"


@pytest.fixture(scope="module")
def package(results, tmp_path_factory):
    """The results with their descriptor; tests must not change them."""
    folder = shutil.copytree(results, tmp_path_factory.mktemp("package") / "results")
    write_datapackage(folder, SLICES)
    steps.audit(folder)
    steps.pages(folder)
    return folder


@pytest.fixture
def copy(package, tmp_path):
    """A copy of the package that a test may damage."""
    return shutil.copytree(package, tmp_path / "results")


def descriptor(folder):
    return json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))


def test_the_descriptor_is_a_valid_data_package(package):
    import frictionless  # half a second for each worker that collects

    assert list(frictionless.Package.metadata_validate(descriptor(package))) == []
    loaded = frictionless.Package(str(package / "datapackage.json"))
    assert len(loaded.resources) == 3 * len(SLICES) + 1
    for found in loaded.resources[:-1]:
        assert list(frictionless.Schema.metadata_validate(found.schema.to_descriptor())) == []
        assert all(field.description for field in found.schema.fields)
    assert (loaded.version, [licence["name"] for licence in loaded.licenses]) == (__version__, ["CC-BY-4.0"])
    assert loaded.created is None


def test_every_file_is_a_resource_with_its_size_and_digest(package):
    found = {r["path"]: r for r in descriptor(package)["resources"]}
    expected = {"dicebase.duckdb"}
    for table, name in SLICES:
        expected |= {str(path.relative_to(package)) for path in grids.there(SliceFiles(package, table, name))}
    assert set(found) == expected
    assert len({r["name"] for r in found.values()}) == len(found)
    for path, said in found.items():
        content = (package / path).read_bytes()
        assert said["bytes"] == len(content)
        assert said["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        if path.endswith(".parquet"):
            assert said["rows"] == pq.ParquetFile(package / path).metadata.num_rows > 0
            assert said["sources"][0]["title"] and said["title"]
    assert "Roters" in found[STATES]["sources"][0]["title"]


def test_the_schema_has_the_columns_and_a_unique_key_of_the_file(package):
    for said in descriptor(package)["resources"][:-1]:
        schema = json.loads((package / said["schema"]).read_text())
        stored = pq.ParquetFile(package / said["path"]).schema_arrow
        assert [f["name"] for f in schema["fields"]] == stored.names
        for field, column in zip(schema["fields"], stored, strict=True):
            metadata = {k.decode(): v.decode() for k, v in column.metadata.items()}
            assert field["description"] == metadata["description"]
            assert field.get("unit", "") == metadata["unit"]
            assert field.get("constraints", {}).get("required", False) == (not column.nullable)
        rows = pq.ParquetFile(package / said["path"]).read(columns=schema["primaryKey"]).to_pylist()
        assert schema["primaryKey"] and len({tuple(row.values()) for row in rows}) == len(rows), said["path"]


def test_slices_share_schemas_and_the_descriptor_does_not_depend_on_their_order(package, copy):
    schemas = {r["schema"] for r in descriptor(package)["resources"][:-1]}
    assert schemas == {f"schemas/{p.name}" for p in (package / "schemas").iterdir()}
    assert len(schemas) == 3 * len({table for table, _ in SLICES}) < 3 * len(SLICES)
    before = {p.relative_to(copy): p.read_bytes() for p in copy.rglob("*.json")}
    write_datapackage(copy, SLICES[::-1])
    assert {p.relative_to(copy): p.read_bytes() for p in copy.rglob("*.json")} == before
    assert descriptor_text(describe(package, SLICES)[0]).encode() == (package / "datapackage.json").read_bytes()


def test_a_missing_or_damaged_file_is_not_described(copy):
    before = (copy / "datapackage.json").read_bytes()
    (copy / STATES).write_bytes(b"no table")
    with pytest.raises(DamagedFileError, match=r"tables/pig_turn/dice=2\.parquet: damaged"):
        write_datapackage(copy, SLICES)
    (copy / STATES).unlink()
    with pytest.raises(DamagedFileError, match=r"tables/pig_turn/dice=2\.parquet: missing"):
        write_datapackage(copy, SLICES)
    assert (copy / "datapackage.json").read_bytes() == before and not list(copy.rglob(".*"))


def problems(folder):
    return {place: problem for place, problem in verify_files(folder) if problem}


def test_the_job_refuses_a_plan_that_has_changed(copy):
    (copy / "datapackage.json").unlink()
    config = copy.parent / "mine.yaml"
    config.write_text(grids.CONFIG)
    digest = make_plan(yaml.safe_load(grids.CONFIG)).digest("datapackage")
    done = commands.job(copy.parent, "datapackage", digest, config, "--results", copy)
    assert done.returncode == 0 and "error" not in done.stdout and problems(copy) == {}
    done = commands.job(copy.parent, "datapackage", "another", config, "--results", copy)
    assert done.returncode == 2 and "changed while the workflow ran" in done.stdout


# --- other libraries ----------------------------------------------------------------------------------------------

COLUMNS = ["sides", "dice", "turn_total", "value", "action", "margin"]
KINDS = ["int32", "int32", "int32", "double", "string", "double"]


def test_a_file_states_its_columns_units_and_origin(package):
    file = pq.ParquetFile(package / STATES)
    assert file.schema_arrow.names == COLUMNS and [str(f.type) for f in file.schema_arrow] == KINDS
    assert file.schema_arrow.field("value").metadata[b"unit"] == b"points"
    assert file.schema_arrow.field("turn_total").metadata[b"description"] == b"points of this turn"
    footer = {k.decode(): v.decode() for k, v in file.metadata.metadata.items() if k.startswith(b"dicebase.")}
    assert set(footer) == {f"dicebase.{name}" for name in ("key", "title", "citation", "variants", "versions")}
    assert json.loads(footer["dicebase.key"])["table"] == "pig_turn" and "Roters" in footer["dicebase.citation"]
    assert json.loads(footer["dicebase.variants"])[0]["parameters"] == {"sides": 2, "dice": 2}
    query = "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'dicebase.title'"
    assert duckdb.execute(query, [str(package / STATES)]).fetchall() == [(footer["dicebase.title"],)]


@pytest.mark.parametrize("place", [STATES, "tables/pig_turn", "actions/pig_turn", "certificates/pig_turn"])
def test_libraries_read_a_file_and_a_folder_as_one_table(package, place):
    """The libraries must not take parts of file names, such as dice=2, for columns."""
    import pandas as pd
    import polars as pl

    files = sorted((package / place).iterdir()) if place != STATES else [package / place]
    assert len({str(pq.read_schema(path).remove_metadata()) for path in files}) == 1
    expected = [row for path in files for row in pq.ParquetFile(path).read().to_pylist()]
    assert pyarrow.dataset.dataset(package / place).to_table().to_pylist() == expected
    assert pl.read_parquet(package / place).to_dicts() == expected
    pattern = package / place if place == STATES else package / place / "*.parquet"
    options = ", hive_partitioning = false" if place == STATES else ""
    relation = duckdb.sql(f"FROM read_parquet('{pattern}'{options})").to_arrow_table()
    assert relation.to_pylist() == expected
    frame = pd.read_parquet(package / place)
    assert list(frame) == [*expected[0]] and set(frame["dice"]) == {row["dice"] for row in expected}
    assert frame.astype(object).where(frame.notna(), None).to_dict("records") == expected
    if place.startswith("tables"):
        assert [str(kind) for kind in relation.schema.types] == KINDS


# --- the dataset ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(package, tmp_path_factory):
    """The package as a dataset of a fixed date."""
    folder = tmp_path_factory.mktemp("dataset") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        write_dataset(package, folder)
    return folder


def test_a_dataset_has_all_files_of_the_package_and_their_digests(package, data):
    said = dict(reversed(line.split("  ")) for line in (data / "SHA256SUMS").read_text().splitlines())
    assert {*said} == {p.relative_to(data).as_posix() for p in data.rglob("*") if p.is_file()} - {"SHA256SUMS"}
    assert all(hashlib.sha256((data / name).read_bytes()).hexdigest() == digest for name, digest in said.items())
    listed = json.loads((package / "datapackage.json").read_text())["resources"]
    own = {"README.md", "croissant.json", ".zenodo.json"}
    assert {*said} - own == {"datapackage.json"} | {r["path"] for r in listed} | {r["schema"] for r in listed[:-1]}
    assert all((package / name).read_bytes() == (data / name).read_bytes() for name in said.keys() - own)


def test_each_table_is_a_configuration_with_its_rows_and_fields(data):
    card = yaml.safe_load((data / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    croissant = json.loads((data / "croissant.json").read_text(encoding="utf-8"))
    files = {f["@id"]: f["includes"] for f in croissant["distribution"]}
    fields = {r["name"]: [f["source"]["extract"]["column"] for f in r["field"]] for r in croissant["recordSet"]}
    assert {"pig_turn", "pig_turn_actions", "ten_thousand_turn", "forbidden_multiple_turn"} <= fields.keys()
    configurations = {c["config_name"]: c["data_files"] for c in card["configs"]}
    assert configurations == {name.removesuffix("-files"): pattern for name, pattern in files.items()}
    for name, pattern in configurations.items():
        rows = duckdb.sql(f"FROM read_parquet('{data / pattern}')")
        assert rows.columns == fields[name] and len(rows) == sum(
            pq.read_metadata(path).num_rows for path in data.glob(pattern)
        )
    assert (card["license"], croissant["datePublished"]) == ("cc-by-4.0", "2023-11-14")
    zenodo = json.loads((data / ".zenodo.json").read_text(encoding="utf-8"))
    assert (zenodo["upload_type"], zenodo["version"]) == ("dataset", __version__)
