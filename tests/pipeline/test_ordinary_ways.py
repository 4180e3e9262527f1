"""Ordinary use never makes `verify` fail. `make test` tries a sample of the ways, DICEBASE_ALL=1 tries all."""

import os
import shutil

import pytest

from support import commands, grids
from support.ordinary_ways import WAYS, make
from support.own_games import known

pytestmark = [pytest.mark.larger, pytest.mark.usefixtures("catalogues")]
TRIED = list(WAYS)[:: 1 if "DICEBASE_ALL" in os.environ else 8]


@pytest.fixture(scope="module", autouse=True)
def own_game():
    """Make the game `ladder` known."""
    with known(commands.ROOT / "tests/games/new_game/games"):
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return grids.once(tmp_path_factory, "ordinary", lambda folder: make(folder / "results")) / "results"


@pytest.fixture
def results(request, made, tmp_path, monkeypatch):
    """The results folder after one of the WAYS to use it."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, tmp_path / "made")
    return WAYS[request.param](tmp_path) or tmp_path / "made"


def test_there_are_enough_ways():
    assert len(WAYS) >= 40 and len(TRIED) >= 5


@pytest.mark.parametrize("results", TRIED, indirect=True)
def test_verify_finds_nothing_wrong_after_ordinary_use(verify):
    assert verify() == {}
