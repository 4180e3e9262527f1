"""The paper's tables as people ask for them: SQL over the margins, the summary of the scores, lookups, commands."""

import math
from fractions import Fraction

import pytest
import yaml

import dicebase
from dicebase.pipeline.solve_one import solve_one
from dicebase.tables.names import find_table
from dicebase.vocabulary import MissingStateError, MissingTableError
from reference.ten_times_eighteen_scores import mean, medians, standard_deviation
from support import grids
from support.commands import error_of
from support.papers_bocker import ALL, FAIR, LOADED, production, ranks, scores, sets
from support.printed import read
from support.scorecards import SMALL, variant

SCORE, RANK, DISTRIBUTION = (f"ten_times_eighteen_{match}" for match in ("score", "rank", "distribution"))


def make(folder):
    definitions = grids.DEFAULT["definitions"]["ten_times_eighteen"]
    config = {
        "definitions": {"ten_times_eighteen": definitions | {"distribution": dict(definitions["distribution"])}},
        "tables": {
            SCORE: [{}, {"distribution": "two_loaded_d12", "slots": 5}],
            RANK: [{"distribution": "3d6", "slots": 20}, {"distribution": "two_loaded_d12", "slots": 5}],
            DISTRIBUTION: [{}, {"distribution": "two_loaded_d12", "slots": 5}],
        },
    }
    for name, card in SMALL.items():
        parameters, own = variant(*card)
        name = "".join(c for c in name if c.isalpha())
        config["definitions"]["ten_times_eighteen"]["distribution"][name] = own["distribution"]["loaded"]
        config["tables"][DISTRIBUTION].append({**parameters, "distribution": name})
    grids.build_shared(folder, yaml.safe_dump(config))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "bocker", make)


# --- closest calls -----------------------------------------------------------------------------------------------

OF_THE_PAPER = f"FROM {SCORE} WHERE distribution = '3d6' AND slots = 10"


def test_the_view_is_the_solver_and_has_no_ties(db):
    rows = db.sql(f"SELECT free, roll_total, value, action, margin {OF_THE_PAPER}").fetchall()
    assert {row[:2] for row in rows} == production().keys() and len(rows) == 1023 * 16
    for free, roll, value, action, margin in rows:
        slots, ranked, _ = production()[free, roll]
        assert (value, action, margin) == (ranked.value, slots[ranked.best], ranked.margin)
    assert min(row[4] for row in rows if row[4] is not None) > 0


# --- scores ------------------------------------------------------------------------------------------------------


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
    for strategy in ("random", "optimal", "clairvoyant"):
        cell = next(row["printed"] for row in read("bocker_table5") if row["name"] == f"median_{strategy}")
        assert found["3d6", strategy][2] == int(cell)


def test_the_summary_of_small_games_meets_a_half_that_is_exact(db):
    for card in SMALL.values():
        parameters, _ = variant(*card)
        rows = db.sql(
            f"SELECT distribution, strategy, median, least, greatest FROM {DISTRIBUTION}_summary "
            f"WHERE multipliers = '{parameters['multipliers']}'"
        ).fetchall()
        assert rows
        for name, strategy, *found in rows:
            chances = db.sql(
                f"SELECT score, probability FROM {DISTRIBUTION} WHERE distribution = '{name}' "
                f"AND strategy = '{strategy}' AND multipliers = '{parameters['multipliers']}'"
            ).fetchall()
            up_to = [math.fsum(p for s, p in chances if s <= score) for score, _ in chances]
            median = next(s for (s, _), total in zip(chances, up_to, strict=True) if total >= 0.5 - 1e-12)
            assert found == [median, min(chances)[0], max(chances)[0]]


def test_all_probabilities_of_a_distribution_sum_to_one(db):
    sums = db.sql(f"SELECT sum(probability) FROM {DISTRIBUTION} GROUP BY distribution, slots, multipliers, strategy")
    found = [total for (total,) in sums.fetchall()]
    assert len(found) == 3 * (2 + len(SMALL)) and all(abs(total - 1) < 1e-13 for total in found)


# --- lookups -----------------------------------------------------------------------------------------------------


def test_an_expected_roll_is_looked_up_by_row_and_rank(db):
    for (j, i), e in ranks(FAIR).items():
        assert db.lookup(RANK, slots=20, free_slots=j, rank=i)["value"] == float(e)


def test_a_card_too_large_for_sets_is_answered_by_ranks(db):
    """Twelve slots are not tabulated by sets here; the q-values follow from the rows of twenty."""
    answer = db.lookup(SCORE, slots=12, free=2**12 - 1, roll_total=9)
    rules = find_table(SCORE).build({"distribution": "3d6", "slots": 12, "multipliers": "1..n"}, {}).rules
    M = sets(rules)
    exact = {str(i): i * 9 + M[2**12 - 1 & ~(1 << i - 1)] for i in range(1, 13)}
    assert [a["action"] for a in answer["actions"]] == sorted(exact, key=exact.get, reverse=True)
    for a in answer["actions"]:
        assert abs(Fraction(a["value"]) - exact[a["action"]]) < Fraction(1, 10**10)
        assert abs(Fraction(a["regret"]) - (max(exact.values()) - exact[a["action"]])) < Fraction(1, 10**10)
    assert [a["optimal"] for a in answer["actions"]] == [a["probability"] == 1 for a in answer["actions"]]
    assert answer["value"] == answer["actions"][0]["value"]


@pytest.mark.parametrize(
    ("table", "position", "why"),
    [
        (SCORE, {"free": ALL, "roll_total": 19}, "a roll of 19 cannot occur: rolls are 3, 4, 5"),
        (SCORE, {"free": 0, "roll_total": 9}, "free is from 1 to 1023 with 10 slots"),
        (SCORE, {"free": 1024, "roll_total": 9}, "free is from 1 to 1023 with 10 slots"),
        (SCORE, {"slots": 12, "free": 1, "roll_total": 2}, "a roll of 2 cannot occur"),
        (SCORE, {"slots": 12, "free": -1, "roll_total": 9}, "free is from 1 to 4095 with 12 slots"),
        (RANK, {"slots": 20, "free_slots": 4, "rank": 5}, "free_slots is from 1 to 20 and rank from 1 to free_slots"),
        (RANK, {"slots": 20, "free_slots": 0, "rank": 0}, "free_slots is from 1 to 20"),
        (DISTRIBUTION, {"strategy": "best", "score": 642}, "strategy is one of clairvoyant, optimal, random"),
        (DISTRIBUTION, {"strategy": "optimal", "score": 164}, "no game ends with this score"),
        (DISTRIBUTION, {"strategy": "clairvoyant", "score": 166}, "no game ends with this score"),
    ],
)
def test_a_position_that_is_none_says_why(db, table, position, why):
    with pytest.raises(MissingStateError) as error:
        db.lookup(table, **position)
    assert str(error.value).startswith(f"{table}: no ") and why in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_distribution_is_named_beside_those_that_are_solved(db, results, capsys):
    for table, position in ((DISTRIBUTION, {"strategy": "random", "score": 5}), (SCORE, {"free": 1, "roll_total": 5})):
        with pytest.raises(MissingTableError, match=r"not solved for distribution=no_such slots=10.*3d6") as error:
            db.lookup(table, distribution="no_such", **position)
        assert "\n" not in str(error.value)
    words = ["lookup", SCORE, "distribution=no_such", "free=1", "roll_total=5", "--results", results]
    assert "not solved for distribution=no_such" in error_of(capsys, *words)


def test_one_variant_is_solved_without_the_pipeline(tmp_path):
    solve_one(SCORE, {"distribution": "2d4", "slots": "3", "multipliers": "1,1,4"}, tmp_path)
    with dicebase.open(tmp_path) as catalog:
        assert (
            catalog.lookup(SCORE, distribution="2d4", slots=3, multipliers="1,1,4", free=7, roll_total=8)["actions"][0][
                "action"
            ]
            == "3"
        )
        tie = catalog.lookup(SCORE, distribution="2d4", slots=3, multipliers="1,1,4", free=3, roll_total=8)["actions"]
        assert [(a["action"], a["regret"], a["optimal"]) for a in tie] == [("1", 0.0, True), ("2", 0.0, True)]


def test_without_the_rank_table_a_card_that_is_not_solved_is_named(tmp_path):
    solve_one(SCORE, {"distribution": "1d4", "slots": "2"}, tmp_path)
    with dicebase.open(tmp_path) as catalog, pytest.raises(MissingTableError, match="not solved for distribution=3d6"):
        catalog.lookup(SCORE, free=1, roll_total=5)
