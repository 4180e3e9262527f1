"""Ordinary use never ends in a false alarm. `make test` tries a sample of the ways, DICEBASE_ALL=1 tries all."""

import os
import shutil

import pytest

from dicebase import games
from dicebase.tables.names import known_tables
from support import commands, grids
from support.ordinary_ways import WAYS, make

pytestmark = pytest.mark.usefixtures("catalogues")
TRIED = WAYS[:: 1 if "DICEBASE_ALL" in os.environ else 4]


@pytest.fixture(scope="module", autouse=True)
def own_game():
    """The game `ladder`, as DICEBASE_GAMES makes it known."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "__path__", [*games.__path__, str(commands.ROOT / "tests/games/new_game/games")])
        known_tables.cache_clear()
        yield
    known_tables.cache_clear()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return grids.once(tmp_path_factory, "ordinary", lambda folder: make(folder / "results")) / "results"


@pytest.fixture
def results(request, made, tmp_path, monkeypatch):
    """The results folder to which a way leads."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, tmp_path / "made")
    return request.param(tmp_path) or tmp_path / "made"


def test_there_are_enough():
    assert len(WAYS) >= 40 and len(TRIED) >= 10


@pytest.mark.parametrize("results", TRIED, ids=lambda way: way.__name__, indirect=True)
def test_what_is_made_in_an_ordinary_way_holds(verify):
    assert verify() == {}
