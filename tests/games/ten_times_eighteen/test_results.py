"""The summary of the distribution by SQL."""

import pytest
import yaml

from reference.ten_times_eighteen_scores import mean, medians, standard_deviation
from support import grids
from support.papers_bocker import FAIR, LOADED, scores
from support.scorecards import SMALL, rules, variant

DISTRIBUTION = "ten_times_eighteen_distribution"


def letters(name):
    return "".join(c for c in name if c.isalpha())


def make(folder):
    definitions = grids.DEFAULT["definitions"]["ten_times_eighteen"]
    distributions = dict(definitions["distribution"])
    entries = [{}, {"distribution": "two_loaded_d12", "slots": 5}]
    for name, card in SMALL.items():
        parameters, own = variant(*card)
        distributions[name := letters(name)] = own["distribution"]["loaded"]
        entries.append({**parameters, "distribution": name})
    definitions = {"ten_times_eighteen": definitions | {"distribution": distributions}}
    grids.build_shared(folder, yaml.safe_dump({"definitions": definitions, "tables": {DISTRIBUTION: entries}}))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "bocker", make)


def test_the_summary_has_the_means_deviations_and_lower_medians(db):
    """With few rolls a cumulated probability is often exactly one half."""
    rows = db.sql(f"FROM {DISTRIBUTION}_summary").fetchall()
    found = {(row[0], row[3]): row[4:9] for row in rows}
    cards = {FAIR.distribution.name: FAIR, LOADED.distribution.name: LOADED}
    cards |= {letters(name): rules(*card) for name, card in SMALL.items()}
    assert len(found) == 3 * len(cards)
    for name, card in cards.items():
        for strategy, chances in scores(card).items():
            average, deviation, median, least, greatest = found[name, strategy]
            assert average == pytest.approx(float(mean(chances)), rel=1e-13, abs=1e-13)
            assert deviation == pytest.approx(standard_deviation(chances), rel=1e-12, abs=1e-12)
            assert (median, least, greatest) == (medians(chances)[0], min(chances), max(chances))
