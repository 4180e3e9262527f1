"""`verify` names the place of each forgery and no other. `make test` tries a sample, DICEBASE_ALL=1 tries all."""

import os
import shutil

import pytest
import yaml

from dicebase.catalog.datapackage import write_datapackage
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import slices_in
from support import grids
from support.forgeries import FORGERIES
from support.forgeries.forgery import CONFIG, make_copies

pytestmark = [pytest.mark.larger, pytest.mark.usefixtures("catalogues")]
TRIED = list(FORGERIES)[:: 1 if "DICEBASE_ALL" in os.environ else 9]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    def build(folder):
        steps.build(folder / "results", make_plan(yaml.safe_load(CONFIG)))
        make_copies(folder / "results", slices_in(folder / "results"))

    return grids.once(tmp_path_factory, "forged", build) / "results"


@pytest.fixture
def results(built, tmp_path):
    return shutil.copytree(built, tmp_path / "results")


def test_there_are_enough_forgeries():
    assert len(FORGERIES) > 150 and len(TRIED) > 15


@pytest.mark.parametrize("name", TRIED)
def test_verify_names_the_place_of_a_forgery(verify, results, name):
    forgery = FORGERIES[name]
    forgery.alter(results)
    if forgery.described:
        write_datapackage(results, slices_in(results))
    assert set(verify()) == set(forgery.places)
