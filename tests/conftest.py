"""Fixtures for the tests of what people touch."""

import shutil

import pytest

import tiny


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """The results of tiny.CONFIG, to be read only."""
    return tiny.once(tmp_path_factory, "tiny", lambda folder: tiny.build(folder / "results")) / "results"


@pytest.fixture
def results_copy(results, tmp_path):
    """The same results, to be damaged."""
    return shutil.copytree(results, tmp_path / "results")
