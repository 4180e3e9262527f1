"""Jobs that start as copies of a process end as they would by themselves."""

import os
import subprocess
import sys

import pytest

from dicebase.pipeline import forked
from support import commands

CERTIFIERS = forked.ADDRESSES[forked.CERTIFY]


def ask(folder, address):
    words = [sys.executable, "-IS", forked.__file__, "certify", "{}", "pig_turn", "all", "--results", "none"]
    environment = commands.environment() | {CERTIFIERS: address}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """What a job says that a copy does."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in forked.ADDRESSES.values():
            patch.setenv(variable, "")  # what `ready` sets is undone
        with forked.ready():
            return ask(tmp_path_factory.mktemp("copied"), os.environ[CERTIFIERS])


def test_a_copy_fails_as_a_process_of_its_own(copied, tmp_path):
    alone = ask(tmp_path, str(tmp_path / "nobody"))
    assert copied.returncode == alone.returncode == 2
    assert copied.stderr == alone.stderr and copied.stderr.startswith("error: none/tables/pig_turn/all.parquet")


def test_what_is_copied_has_neither_solver_nor_certifier(tmp_path):
    loaded = "import dicebase.pipeline.jobs, dicebase.tables.names, dicebase.tables.parquet, sys; print(*sys.modules)"
    modules = commands.python("-c", loaded, cwd=tmp_path).stdout.split()
    kinds = {name.split(".")[1] for name in modules if name.startswith("dicebase.")}
    assert "tables" in kinds and not kinds & {"solve", "tabulate", "certify"}
