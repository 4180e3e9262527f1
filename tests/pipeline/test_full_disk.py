"""A full disk gives one line that names the file, and no half-written file."""

import errno

import duckdb
import pytest

from dicebase.catalog.rows import row_arrays_writer
from dicebase.catalog.sql.build import build_catalog
from dicebase.pipeline import jobs
from dicebase.tables.layout import replacing, replacing_folder, slices_in
from dicebase.vocabulary import DicebaseError
from support import commands

LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"


def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("most", "file"),
    [(1000, "results/tables/pig_turn/sides=6_dice=1.parquet"), (100_000, "{}/results/dicebase.duckdb")],
)
def test_a_command_that_cannot_write_names_the_file(tmp_path, most, file):
    """A limit on the size of files makes writes fail as a full disk does."""
    words = "solve", "pig_turn", "sides=6"
    done = commands.ended(commands.COMMAND, tmp_path, *words, first=LIMIT.format(most))
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == f"error: {file.format(tmp_path)}: the file is too large"
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "results/a.parquet"), "results/a.parquet: the disk is full"),
        (OSError(errno.EDQUOT, "Quota", "results/a"), "results/a: the quota of the disk is used up"),
        (OSError(errno.EACCES, "Permission denied", "results/a"), "results/a: Permission denied"),
        (OSError(errno.ENOSPC, "No space left on device"), "mine: the disk is full"),
        (MemoryError("no more"), "audit: MemoryError: no more"),
    ],
)
def test_a_failed_job_says_so_in_one_line(capsys, monkeypatch, error, said):
    def fail(_):
        raise error

    monkeypatch.setitem(jobs.JOBS, "audit", jobs.Job(fail, ""))
    assert jobs.main(["audit", "--results", "mine"]) == 2
    assert capsys.readouterr() == ("", f"error: {said}\n")


@pytest.mark.parametrize("kind", [replacing, replacing_folder])
def test_an_error_while_writing_a_file_has_its_name(tmp_path, kind):
    with pytest.raises(OSError, match="No space left on device") as raised, kind(tmp_path / "name"):
        full()
    assert raised.value.filename == str(tmp_path / "name")
    with pytest.raises(OSError, match="No such file") as raised, kind(tmp_path / "name") as temporary:
        (temporary / "below" / "it").write_text("")
    assert raised.value.filename == str(tmp_path / "name")
    with pytest.raises(OSError, match="No such file") as raised, kind(tmp_path / "name"):
        (tmp_path / "another").read_text()
    assert raised.value.filename == str(tmp_path / "another")


def test_an_error_of_duckdb_while_writing_names_the_file(results_copy):
    def fail(_):
        raise duckdb.IOException('Could not write file "a": No space left on device')

    with pytest.raises(DicebaseError, match=f"^{results_copy}/dicebase.duckdb: the disk is full$"):
        build_catalog(results_copy, slices_in(results_copy), fail)


def test_mapped_rows_that_cannot_be_written_leave_nothing(results_copy, monkeypatch):
    before = sorted((results_copy / "mapped").rglob("*"))
    monkeypatch.setattr(row_arrays_writer, "pack", full)
    with pytest.raises(OSError, match="No space left on device") as raised:
        row_arrays_writer.write_mapped(results_copy, slices_in(results_copy))
    assert raised.value.filename == str(results_copy / "mapped/forbidden_multiple_turn")
    assert sorted((results_copy / "mapped").rglob("*")) == before
