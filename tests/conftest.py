"""Fixtures for the tests of what people touch."""

import shutil

import pytest

import dicebase
import papers
import tiny


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """The results of tiny.CONFIG, to be read only."""
    return tiny.once(tmp_path_factory, "tiny", lambda folder: tiny.build(folder / "results")) / "results"


@pytest.fixture
def results_copy(results, tmp_path):
    """The same results, to be damaged."""
    return shutil.copytree(results, tmp_path / "results")


@pytest.fixture(scope="session")
def papers_results(tmp_path_factory):
    """The tables that printed cells are about, to be read only."""
    return tiny.once(tmp_path_factory, "papers", lambda folder: papers.build(folder / "results")) / "results"


@pytest.fixture(scope="session")
def audited(papers_results):
    """The rows of the audit by (source, place, cell)."""
    return {(row["source"], row["place"], row["cell"]): row for row in papers.audit(papers_results)}


@pytest.fixture(scope="module")
def db(results):
    """The catalogue of `results`, whatever those are in a module."""
    with dicebase.open(results) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def app(results):
    """The server over the same."""
    from dicebase.show.http.app import make_app

    app = make_app(results)
    with app.state.catalog:
        yield app
