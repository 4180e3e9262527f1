"""Fixtures for the tests of everything that users see."""

import gc
import os
import shutil
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import dicebase
from dicebase.cli import main
from dicebase.pipeline import solve_one
from dicebase.tables.rules_files import OURS
from dicebase.vocabulary.contracts import contract
from support import audited_grid, commands, grids, shared_slices
from support.own_games import known

# Let pytest explain failed assertions of the contract as in test modules.
pytest.register_assert_rewrite(*(f"support.contract{of}" for of in ("", "_boards", "_throws", "_turns")))


# By default garbage collection would take an eighth of the time of compiling.
gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests that read the default results, for `make check`. Skip the tests marked `slow` in `make test`;
    `.ci/run` runs them with DICEBASE_ALL=1."""
    for item in items:
        if "default_results" in item.fixturenames:
            item.add_marker("results")
    if "DICEBASE_ALL" not in os.environ:
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="takes long: set DICEBASE_ALL=1"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One process more than processors, because tests spend a seventh of their time waiting for jobs, a browser or a
    lock."""
    return os.cpu_count() + 1


@pytest.fixture(scope="session", autouse=True)
def slices(tmp_path_factory):
    os.environ[shared_slices.STORE] = str(grids.run_folder(tmp_path_factory) / "slices")


@pytest.fixture(scope="session", autouse=True)
def certifiers_are_forks():
    """Let `dicebase solve` certify in a fork if it runs in the process of a test."""
    real, solve_one.certify_in_new_process = solve_one.certify_in_new_process, commands.certify
    yield
    solve_one.certify_in_new_process = real


@pytest.fixture(scope="session", autouse=True)
def rules_are_read_once():
    """Check the same rules of dicebase only once in a process."""
    real, kept = contract._check, set()

    def check(rules, copy):
        path = getattr(sys.modules.get(type(rules).__module__), "__file__", "")
        of = (path, *(repr(getattr(rules, field.name)) for field in fields(rules)))
        if of not in kept or not path.startswith(OURS):
            real(rules, copy)
            kept.add(of)

    contract._check = check
    yield
    contract._check = real


@pytest.fixture(scope="module")
def results(request, tmp_path_factory):
    """The results that the module names as GRID, or those of grids.CONFIG, to be read only."""
    return getattr(request.module, "GRID", grids.of("tiny", grids.CONFIG))(tmp_path_factory)


@pytest.fixture(scope="session")
def default_results():
    """The default results of `make`, to be read only; `make check` names the folder."""
    if "DICEBASE_RESULTS" not in os.environ:
        pytest.skip("of `make check`: needs DICEBASE_RESULTS, a folder that `make` has filled")
    return Path(os.environ["DICEBASE_RESULTS"]).resolve()


@pytest.fixture
def results_copy(results, tmp_path):
    """A copy of `results`, which a test may damage."""
    return shutil.copytree(results, tmp_path / "results")


@pytest.fixture(scope="session")
def papers_results(default_results, tmp_path_factory):
    """The results of audited_grid.yaml, to be read only."""
    return grids.once(tmp_path_factory, "papers", lambda folder: audited_grid.build(folder / "results")) / "results"


@pytest.fixture(scope="session")
def audited(papers_results):
    """The rows of the audit by (source, place, cell)."""
    return {(row["source"], row["place"], row["cell"]): row for row in audited_grid.audit(papers_results)}


@pytest.fixture(scope="module")
def board_results(tmp_path_factory):
    """The results of a box of tiles for one player and of a lane for two with cycles, to be read only; the games are
    known to the tests of the module."""
    config = "tables: {box_left: [{tiles: [4, 5], slice_by: []}], box_win: [{}], lane_duel: [{}]}"
    with known(Path(grids.__file__).with_name("boards")):
        yield grids.of("boards", config)(tmp_path_factory)


@pytest.fixture(scope="module")
def db(results):
    """The catalogue of the `results` of a module."""
    with dicebase.open(results) as catalog:
        yield catalog


@pytest.fixture
def say(results, capsys):
    """A function that runs a command over the `results` of a module and returns its output."""

    def say(*words):
        capsys.readouterr()
        assert main(["--results", str(results), *map(str, words)]) == 0
        return capsys.readouterr().out

    return say


@pytest.fixture(scope="module")
def app(results):
    """The server over the `results` of a module."""
    from dicebase.show.http.app import make_app

    app = make_app(results)
    with app.state.service:
        yield app
