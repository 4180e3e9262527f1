"""The published files as data: a valid descriptor, true hashes, damage found by name, files that explain themselves."""

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
from dicebase.cli import main
from dicebase.pipeline import steps
from dicebase.pipeline.folder import verify_files
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles
from dicebase.vocabulary import DamagedFileError
from support import commands, grids

SLICES = list(make_plan(yaml.safe_load(grids.CONFIG)).slices)
STATES = "tables/pig_turn/dice=2.parquet"


@pytest.fixture(scope="module")
def package(results, tmp_path_factory):
    """The results with their descriptor, to be read only."""
    folder = shutil.copytree(results, tmp_path_factory.mktemp("package") / "results")
    write_datapackage(folder, SLICES)
    steps.audit(folder)
    steps.pages(folder)
    return folder


@pytest.fixture
def copy(package, tmp_path):
    """The same, to be damaged."""
    return shutil.copytree(package, tmp_path / "results")


def descriptor(folder):
    return json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))


def test_it_is_a_valid_data_package(package):
    import frictionless  # half a second for each worker that collects

    assert list(frictionless.Package.metadata_validate(descriptor(package))) == []
    loaded = frictionless.Package(str(package / "datapackage.json"))
    assert len(loaded.resources) == 3 * len(SLICES) + 1
    for found in loaded.resources[:-1]:
        assert list(frictionless.Schema.metadata_validate(found.schema.to_descriptor())) == []
        assert all(field.description for field in found.schema.fields)
    assert (loaded.version, [licence["name"] for licence in loaded.licenses]) == (__version__, ["CC-BY-4.0"])
    assert loaded.created is None


def test_a_resource_a_file_with_its_size_and_sha256(package):
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


def test_the_schema_says_what_the_file_says(package):
    for said in descriptor(package)["resources"][:-1]:
        schema = json.loads((package / said["schema"]).read_text())
        stored = pq.ParquetFile(package / said["path"]).schema_arrow
        assert [f["name"] for f in schema["fields"]] == stored.names
        for field, column in zip(schema["fields"], stored, strict=True):
            metadata = {k.decode(): v.decode() for k, v in column.metadata.items()}
            assert field["description"] == metadata["description"]
            assert field.get("unit", "") == metadata["unit"]
            assert field.get("constraints", {}).get("required", False) == (not column.nullable)


def test_the_primary_key_tells_rows_apart(package):
    for said in descriptor(package)["resources"][:-1]:
        keys = json.loads((package / said["schema"]).read_text())["primaryKey"]
        rows = pq.ParquetFile(package / said["path"]).read(columns=keys).to_pylist()
        assert keys and len({tuple(row.values()) for row in rows}) == len(rows), said["path"]


def test_many_slices_share_few_schemas(package):
    schemas = {r["schema"] for r in descriptor(package)["resources"][:-1]}
    assert schemas == {f"schemas/{p.name}" for p in (package / "schemas").iterdir()}
    assert len(schemas) == 3 * len({table for table, _ in SLICES}) < 3 * len(SLICES)
    assert (package / "datapackage.json").stat().st_size < 1000 * (3 * len(SLICES) + 2)


def test_the_same_files_give_the_same_bytes(package, copy):
    before = {p.relative_to(copy): p.read_bytes() for p in copy.rglob("*.json")}
    write_datapackage(copy, SLICES[::-1])
    assert {p.relative_to(copy): p.read_bytes() for p in copy.rglob("*.json")} == before
    assert (
        before and descriptor_text(describe(package, SLICES)[0]).encode() == (package / "datapackage.json").read_bytes()
    )


def test_nothing_is_described_that_is_missing_or_damaged(copy):
    before = (copy / "datapackage.json").read_bytes()
    (copy / STATES).write_bytes(b"no table")
    with pytest.raises(DamagedFileError, match=r"tables/pig_turn/dice=2\.parquet: damaged"):
        write_datapackage(copy, SLICES)
    (copy / STATES).unlink()
    with pytest.raises(DamagedFileError, match=r"tables/pig_turn/dice=2\.parquet: missing"):
        write_datapackage(copy, SLICES)
    assert (copy / "datapackage.json").read_bytes() == before and not list(copy.rglob(".*"))


# --- the verifier ------------------------------------------------------------------------------------------------


def problems(folder):
    return {place: problem for place, problem in verify_files(folder) if problem}


def test_an_untouched_package_holds(package, results):
    assert list(verify_files(package)) == [("datapackage.json", None)]
    assert list(verify_files(results)) == [], "there is no descriptor"


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("file", [STATES, "certificates/pig_turn/dice=2.parquet", "dicebase.duckdb"])
@pytest.mark.parametrize(
    ("damage", "said"), [(flip, "its sha256 is not"), (cut, "bytes, datapackage.json says"), ("unlink", "missing")]
)
def test_a_damaged_file_is_found_by_name(copy, file, damage, said):
    (copy / file).unlink() if damage == "unlink" else damage(copy / file)
    found = problems(copy)
    assert list(found) == [file] and said in found[file]


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("tables/pig_turn/more.parquet", "not listed in datapackage.json"),
        ("actions/x.parquet", "belongs to nothing"),
        ("certificates/x.parquet", "belongs to nothing"),
        ("schemas/x.json", "belongs to nothing"),
        ("tables/.hidden", "belongs to nothing"),
    ],
)
def test_a_file_that_is_not_listed_is_found_by_name(copy, file, problem):
    (copy / file).write_bytes(b"more")
    assert problems(copy) == {file: problem}


def test_what_lies_beside_the_data_is_no_part_of_it(copy):
    for file in ("logs/catalog.log", "report.html", "site/index.html", "schemas/.snakemake_timestamp"):
        (copy / file).parent.mkdir(exist_ok=True)
        (copy / file).write_text("words" * ("stamp" not in file))
    assert problems(copy) == {}


def test_every_problem_is_named_and_not_only_the_first(copy):
    flip(copy / STATES)
    (copy / "dicebase.duckdb").unlink()
    (copy / "tables/more").write_text("more")
    assert set(problems(copy)) == {STATES, "dicebase.duckdb", "tables/more"}


def change(key, value):
    def tamper(found):
        found["resources"][3][key] = value

    return tamper


@pytest.mark.parametrize(
    ("tamper", "match"),
    [
        (lambda found: found["resources"].pop(3), "not listed"),
        (lambda found: found["resources"].append(found["resources"][3] | {"path": "tables/none.parquet"}), "missing"),
        (lambda found: found["resources"].append(found["resources"][3] | {"path": "../../etc/passwd"}), "missing"),
        (change("hash", "sha256:" + "0" * 64), "sha256"),
        (change("hash", None), "sha256"),
        (change("bytes", 1), "1"),
        (change("title", "mine"), "the descriptor says another title than the file"),
        (change("sources", []), "another sources"),
        (change("schema", "schemas/ten_thousand_turn-states.json"), "another schema"),
        (change("rows", 7), "another rows"),
        (lambda found: found["licenses"].clear(), "another licenses"),
        (lambda found: found.update(resources=7), "no descriptor"),
        (lambda found: found.pop("resources"), "no descriptor"),
    ],
)
def test_a_descriptor_that_was_tampered_with_is_found(copy, tamper, match):
    found = descriptor(copy)
    tamper(found)
    (copy / "datapackage.json").write_text(json.dumps(found))
    found = problems(copy)
    assert len(found) == 1 and match in next(iter(found.values())), found


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_a_descriptor_that_is_no_json_is_found(copy, content):
    (copy / "datapackage.json").write_bytes(content)
    assert list(problems(copy)) == ["datapackage.json"] and "\n" not in problems(copy)["datapackage.json"]


def test_a_schema_that_was_tampered_with_is_found(copy):
    schema = copy / "schemas/pig_turn-states.json"
    schema.write_text(schema.read_text().replace('"unit": "points"', '"unit": "euros"'))
    assert problems(copy) == {"datapackage.json": "schemas/pig_turn-states.json does not say what the files say"}
    schema.unlink()
    assert problems(copy) == {"datapackage.json": "schemas/pig_turn-states.json is missing"}


def test_the_command_verifies_the_package_too(copy, capsys):
    assert main(["verify", str(copy)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "datapackage.json: holds"
    flip(copy / STATES)
    assert main(["verify", str(copy)]) == 1
    assert capsys.readouterr().err.startswith(f"{STATES}: changed")


def test_a_slice_that_is_added_is_described(tmp_path, capsys):
    assert main(["solve", "pig_turn", "sides=2", "-o", str(tmp_path)]) == 0
    assert not (tmp_path / "datapackage.json").exists()
    write_datapackage(tmp_path, [("pig_turn", "sides=2_dice=1")])
    assert main(["solve", "forbidden_multiple_turn", "multiple=3", "-o", str(tmp_path)]) == 0
    assert list(verify_files(tmp_path)) == [("datapackage.json", None)]
    assert len(descriptor(tmp_path)["resources"]) == 7


def test_the_command_behind_the_rule(copy):
    (copy / "datapackage.json").unlink()
    config = copy.parent / "mine.yaml"
    config.write_text(grids.CONFIG)
    digest = make_plan(yaml.safe_load(grids.CONFIG)).digest("datapackage")
    done = commands.job(copy.parent, "datapackage", digest, config, "--results", copy)
    assert done.returncode == 0 and "error" not in done.stdout and problems(copy) == {}
    done = commands.job(copy.parent, "datapackage", "another", config, "--results", copy)
    assert done.returncode == 2 and "changed while the workflow ran" in done.stdout


# --- a file opened alone -----------------------------------------------------------------------------------------


@pytest.fixture
def alone(package, tmp_path):
    """One file of states, where nothing else is."""
    return shutil.copy(package / STATES, tmp_path / "states.parquet")


COLUMNS = ["sides", "dice", "turn_total", "value", "action", "margin"]
KINDS = ["int32", "int32", "int32", "double", "string", "double"]


def test_pyarrow_reads_columns_units_and_provenance(alone):
    file = pq.ParquetFile(alone)
    assert file.schema_arrow.names == COLUMNS and [str(f.type) for f in file.schema_arrow] == KINDS
    assert file.schema_arrow.field("value").metadata[b"unit"] == b"points"
    assert file.schema_arrow.field("turn_total").metadata[b"description"] == b"points of this turn"
    footer = {k.decode(): v.decode() for k, v in file.metadata.metadata.items() if k.startswith(b"dicebase.")}
    assert set(footer) == {f"dicebase.{name}" for name in ("key", "title", "citation", "variants", "versions")}
    assert json.loads(footer["dicebase.key"])["table"] == "pig_turn" and "Roters" in footer["dicebase.citation"]
    assert json.loads(footer["dicebase.variants"])[0]["parameters"] == {"sides": 2, "dice": 2}


@pytest.mark.parametrize("path", ["alone", "in place"])
def test_every_library_reads_the_same(path, package, alone):
    """Also in place, where the folder `dice=2` looks like a partition of a data set."""
    import pandas as pd
    import polars as pl

    file = str(alone if path == "alone" else package / STATES)
    expected = pq.ParquetFile(file).read().to_pylist()
    assert [*expected[0]] == COLUMNS and {row["dice"] for row in expected} == {2}
    assert pl.read_parquet(file).to_dicts() == expected
    frame = pd.read_parquet(file)
    assert list(frame) == COLUMNS and str(frame["dice"].dtype) == "int32"
    assert frame.drop(columns="margin").to_dict("records") == [
        {k: v for k, v in row.items() if k != "margin"} for row in expected
    ]
    relation = duckdb.connect().sql(f"FROM read_parquet('{file}', hive_partitioning = false)")
    assert relation.columns == COLUMNS
    assert [str(t) for t in relation.types] == ["INTEGER", "INTEGER", "INTEGER", "DOUBLE", "VARCHAR", "DOUBLE"]
    assert [dict(zip(COLUMNS, row, strict=True)) for row in relation.fetchall()] == expected


def test_duckdb_and_polars_read_the_footer(alone):
    import polars as pl

    query = "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'dicebase.title'"
    (title,) = duckdb.connect().execute(query, [str(alone)]).fetchone()
    assert title.startswith("Pig: ") and pl.read_parquet_metadata(alone)["dicebase.title"] == title


@pytest.mark.parametrize("folder", ["tables/pig_turn", "actions/pig_turn", "certificates/pig_turn"])
def test_every_library_reads_a_folder_as_one_table(package, folder):
    """The names of its files, such as dice=2, are no columns."""
    import pandas as pd
    import polars as pl

    files = sorted((package / folder).iterdir())
    assert len(files) == 2 and len({str(pq.read_schema(path).remove_metadata()) for path in files}) == 1
    expected = [row for path in files for row in pq.ParquetFile(path).read().to_pylist()]
    assert pyarrow.dataset.dataset(package / folder).to_table().to_pylist() == expected
    assert pl.read_parquet(package / folder).to_dicts() == expected
    assert duckdb.sql(f"FROM '{package / folder}/*.parquet'").to_arrow_table().to_pylist() == expected
    frame = pd.read_parquet(package / folder)
    assert list(frame) == [*expected[0]] and len(frame) == len(expected) and set(frame["dice"]) == {1, 2}
