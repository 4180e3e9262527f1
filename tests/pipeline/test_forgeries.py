"""`verify` names the place of each forgery and no other, and finds nothing wrong after ordinary use.

`make test` tries a sample, DICEBASE_ALL=1 tries all."""

import os
import shutil

import pytest
import yaml

from dicebase.catalog.datapackage import write_datapackage
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import slices_in
from support import commands, grids
from support.forgeries import FORGERIES
from support.forgeries.forgery import CONFIG, make_copies
from support.ordinary_ways import WAYS, make
from support.own_games import known

pytestmark = [pytest.mark.larger, pytest.mark.usefixtures("catalogues")]
FORGED, USED = (list(tried)[:: 1 if "DICEBASE_ALL" in os.environ else n] for tried, n in ((FORGERIES, 9), (WAYS, 8)))


@pytest.fixture(scope="module", autouse=True)
def own_game():
    """Make the game `ladder` known."""
    with known(commands.ROOT / "tests/games/new_game/games"):
        yield


@pytest.fixture
def results(request, tmp_path_factory, tmp_path, monkeypatch):
    """The results folder after one of the FORGERIES or one of the WAYS to use it."""

    def build(folder):
        steps.build(folder / "results", make_plan(yaml.safe_load(CONFIG)))
        make_copies(folder / "results", slices_in(folder / "results"))

    monkeypatch.chdir(tmp_path)
    if request.param in WAYS:
        made = grids.once(tmp_path_factory, "ordinary", lambda folder: make(folder / "results"))
        shutil.copytree(made / "results", tmp_path / "made")
        return WAYS[request.param](tmp_path) or tmp_path / "made"
    results = shutil.copytree(grids.once(tmp_path_factory, "forged", build) / "results", tmp_path / "results")
    FORGERIES[request.param].alter(results)
    if FORGERIES[request.param].described:
        write_datapackage(results, slices_in(results))
    return results


def test_there_are_enough_forgeries_and_ways():
    assert len(FORGERIES) > 150 and len(FORGED) > 15 and len(WAYS) >= 40 and len(USED) >= 5


@pytest.mark.parametrize("results", [*FORGED, *USED], indirect=True)
def test_verify_names_the_places_of_a_forgery_only(verify, request, results):
    name = request.node.callspec.params["results"]
    assert set(verify()[1]) == (set(FORGERIES[name].places) if name in FORGERIES else set())
