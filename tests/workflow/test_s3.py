"""The results in object storage: built with the profile into a bucket of a local server, and read as
docs/scale/storage.md shows. The last test changes the bucket, so the order matters."""

import contextlib
import io
import os
import re

import pytest

import dicebase
from support import commands, grids

NEEDED = "needs what requirements/s3.lock has, see docs/scale/storage.md"
pytest.importorskip("snakemake_storage_plugin_s3", reason=NEEDED)
server = pytest.importorskip("moto.server", reason=NEEDED)
fs = pytest.importorskip("pyarrow.fs")

PIG = "tables:\n  pig_turn:\n    - {sides: [2, 6], slice_by: []}\n"
CONFIG = PIG + "  forbidden_multiple_turn:\n    - {multiple: 3, sides: 5, slice_by: []}\n"
CHANGED = PIG + "    - {sides: 8}\n"
PREFIX = "s3://my-bucket/dicebase"
PROFILES = commands.ROOT / "workflow" / "profiles"
NOBODY = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="module")
def storage():
    """A server of object storage, at the address in the environment variables."""
    moto = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    with pytest.MonkeyPatch.context() as patch:
        keys = {"AWS_ACCESS_KEY_ID": "mine", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ALLOW_HTTP": "true"}
        where = {"AWS_ENDPOINT_URL": "http://{}:{}".format(*moto.get_host_and_port()), "NO_PROXY": "127.0.0.1"}
        for name, value in (NOBODY | keys | where).items():
            patch.setenv(name, value)
        patch.delenv("AWS_PROFILE", raising=False)
        yield
    moto.stop()


@pytest.fixture(scope="module")
def built(storage, tmp_path_factory):
    """The working directory of a build of CONFIG into the bucket."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "mine.yaml").write_text(CONFIG)
    assert commands.jobs(run(folder)) == {"solve": 2, "certify": 2} | commands.AFTER
    return folder


def run(folder):
    profiles = ["--workflow-profile", PROFILES / "default", "--profile", PROFILES / "s3"]
    words = [*profiles, "--default-storage-prefix", PREFIX, "--configfile", folder / "mine.yaml"]
    return commands.snakemake(folder, *words)


def objects():
    """{name below the results: time of storage} of every object."""
    bucket, place = fs.FileSystem.from_uri(f"{PREFIX}/results")
    found = bucket.get_file_info(fs.FileSelector(place, recursive=True))
    return {info.path.removeprefix(f"{place}/"): info.mtime for info in found if info.is_file}


def undated(names):
    """The names without digests that depend on the time of solving."""
    return {re.sub(r"/table-\w+\.json$", "/table.json", name) for name in names}


def copied(folder):
    """Copy the results from the bucket into a folder."""
    bucket, place = fs.FileSystem.from_uri(f"{PREFIX}/results")
    fs.copy_files(place, str(folder), source_filesystem=bucket)
    return folder


def test_the_bucket_has_the_files_of_a_local_run(built, tmp_path):
    (tmp_path / "mine.yaml").write_text(CONFIG)
    commands.jobs(commands.snakemake(tmp_path, "--configfile", tmp_path / "mine.yaml"))
    local, copy = tmp_path / "results", copied(tmp_path / "copy")
    files = {str(path.relative_to(local)) for path in local.rglob("*") if path.is_file()}
    assert undated(objects()) - {"mapped/.snakemake_timestamp"} == undated(files)
    assert grids.rows(copy) == grids.rows(local)
    done = commands.dicebase("verify", copy, "--plan", "--config", "mine.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with dicebase.open(copy) as db:
        assert db.lookup("pig_turn", turn_total=20)["value"] == 20.0
        assert db.sql("SELECT count(*) FROM tables").fetchall() == [(3,)]


def test_no_table_stays_on_this_machine(built):
    place = built / ".snakemake/storage/s3/my-bucket/dicebase/results"
    assert {path.relative_to(place).parts[0] for path in place.rglob("*") if path.is_file()} == {"logs"}
    assert not (built / "results").exists()


def test_a_second_run_does_nothing(built):
    before = objects()
    done = run(built)
    assert commands.jobs(done) == {} and "Nothing to be done" in done.stdout
    assert objects() == before


def test_the_page_on_storage_shows_the_output_of_its_examples(built, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (commands.ROOT / "docs/scale/storage.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    assert len(blocks) == 4
    names = {}
    for block in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(block, names)
        assert printed.getvalue().splitlines() == re.findall(r"^ *print\(.*\)  # (.*)$", block, re.M)


def test_a_changed_grid_repeats_only_changed_jobs(built):
    before = objects()
    (built / "mine.yaml").write_text(CHANGED)
    assert commands.jobs(run(built)) == {"solve": 1, "certify": 1} | commands.AFTER
    after = objects()
    kept = {name for name, at in after.items() if before.get(name) == at}
    assert {name.split("/")[0] for name in kept} == {"tables", "actions", "certificates", "logs"}
    assert kept > {name for name in before if name.startswith(("tables/", "actions/", "certificates/"))}
    # A removed table is missing from every file made of all tables.
    assert not {name for name in after if name.startswith(("mapped/forbidden", "explorer/data/f", "schemas/f"))}
    assert {name for name in after if name.startswith("mapped/pig_turn/")}
    assert commands.jobs(run(built)) == {}
