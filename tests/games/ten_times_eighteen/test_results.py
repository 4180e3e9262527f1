"""The summary of the distribution by SQL."""

import math

import pytest
import yaml

from reference.ten_times_eighteen_scores import mean, medians, standard_deviation
from support import grids
from support.papers_bocker import FAIR, LOADED, scores
from support.scorecards import SMALL, variant

DISTRIBUTION = "ten_times_eighteen_distribution"


def make(folder):
    definitions = grids.DEFAULT["definitions"]["ten_times_eighteen"]
    distributions = dict(definitions["distribution"])
    entries = [{}, {"distribution": "two_loaded_d12", "slots": 5}]
    for name, card in SMALL.items():
        parameters, own = variant(*card)
        name = "".join(c for c in name if c.isalpha())
        distributions[name] = own["distribution"]["loaded"]
        entries.append({**parameters, "distribution": name})
    definitions = {"ten_times_eighteen": definitions | {"distribution": distributions}}
    grids.build_shared(folder, yaml.safe_dump({"definitions": definitions, "tables": {DISTRIBUTION: entries}}))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "bocker", make)


def test_the_summary_has_the_means_deviations_and_lower_medians(db):
    rows = db.sql(f"FROM {DISTRIBUTION}_summary WHERE distribution IN ('3d6', 'two_loaded_d12')").fetchall()
    found = {(row[0], row[3]): row[4:9] for row in rows}
    assert len(found) == 6
    for rules in (FAIR, LOADED):
        for strategy, chances in scores(rules).items():
            average, deviation, median, least, greatest = found[rules.distribution.name, strategy]
            assert average == pytest.approx(float(mean(chances)), rel=1e-13)
            assert deviation == pytest.approx(standard_deviation(chances), rel=1e-12)
            assert (median, least, greatest) == (medians(chances)[0], min(chances), max(chances))


def test_the_median_is_right_if_a_cumulated_probability_is_exactly_one_half(db):
    for card in SMALL.values():
        where = f"WHERE multipliers = '{variant(*card)[0]['multipliers']}'"
        query = f"SELECT distribution, strategy, median, least, greatest FROM {DISTRIBUTION}_summary {where}"
        rows = db.sql(query).fetchall()
        assert rows
        for name, strategy, *found in rows:
            here = f"{where} AND distribution = '{name}' AND strategy = '{strategy}'"
            chances = db.sql(f"SELECT score, probability FROM {DISTRIBUTION} {here}").fetchall()
            up_to = [math.fsum(p for s, p in chances if s <= score) for score, _ in chances]
            median = next(s for (s, _), total in zip(chances, up_to, strict=True) if total >= 0.5 - 1e-12)
            assert found == [median, min(chances)[0], max(chances)[0]]
