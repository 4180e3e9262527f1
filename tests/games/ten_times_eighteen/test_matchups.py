"""Policy against policy: every number against games that are all played, faults, and cycles."""

from itertools import pairwise

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

import dicebase
from dicebase.certify.sheets.one_roll.policies import PRIMES
from dicebase.matches.sheets import versus_matchups
from dicebase.matches.sheets.versus_matchups import ScorecardMatchups
from dicebase.solvers.sheets.one_roll.policies import Card
from dicebase.solvers.sheets.one_roll.same_rolls import ONE, Policy, SameRolls
from reference.ten_times_eighteen_scores import score_distribution
from reference.ten_times_eighteen_versus import Policies, matchup
from support import grids
from support.scorecards import SMALL, rules, variant

MATCHUPS = "ten_times_eighteen_versus_matchups"
TINY = ["one slot", "one roll", "coins", "loaded", "gaps", "equal multipliers", "nought and below", "all nought"]
TINY += ["ties between equal multipliers", "a rare high roll"]


def read(folder):
    rows = pq.read_table(folder.rows).to_pylist()
    return {(r["rolls"], r["row_policy"], r["column_policy"]): (r["probability"], r["tie"]) for r in rows}


@pytest.mark.parametrize("name", TINY)
def test_every_matchup_equals_the_enumeration_of_all_games(tmp_path, name):
    weights, multipliers = SMALL[name]
    parameters, definitions = variant(weights, multipliers)
    folder, (certificate,) = grids.certified(MATCHUPS, parameters, tmp_path, definitions)
    found, names = read(folder), ScorecardMatchups(rules(weights, multipliers)).policies
    assert sorted(found) == sorted((rolls, a, b) for rolls in names for a in names[rolls] for b in names[rolls])
    play = Policies(weights, multipliers)
    games = {policy: play.alone(policy) for policy in names["alone"]}
    for row in names["alone"]:
        for column in names["alone"]:
            win, tie = matchup(games[row], games[column])
            assert found["alone", row, column] == (float(win + tie / 2), float(tie)), (row, column)
    for row in names["same"]:
        for column in names["same"]:
            if "random" in (row, column) and row != column and row == "random":
                continue  # its mirror image is compared
            win, tie = play.play_same_against_random(row) if column == "random" else play.play_same(row, column)
            probability, ties = found["same", row, column]
            assert abs(probability - (win + tie / 2)) <= certificate.error_bound < 1e-10, (row, column)
            assert abs(ties - tie) <= certificate.error_bound
            assert found["same", column, row] == (pytest.approx(1 - probability), ties)


@pytest.mark.parametrize("name", SMALL)
def test_counted_scores_equal_the_distribution(name):
    weights, multipliers = SMALL[name]
    card = Card(rules(weights, multipliers))
    for strategy, games in (("optimal", card.play_optimal()), ("random", card.play_at_random())):
        counted = {card.rules.least + s: n for s, n in enumerate(games) if n}
        expected = score_distribution(weights, multipliers, strategy)
        assert counted == {score: p * card.rules.games for score, p in expected.items() if p}


def test_both_methods_find_the_same_response():
    card = Card(rules({1: 1, 2: 2, 5: 1}, (1, 2, 2, 5)))
    two = SameRolls(card, 2)
    values = two.response(Policy().assumed)
    # The placements of `optimal` are computed on the way, or passed for every position.
    assert np.array_equal(values, two.response(two.placements(Policy())))
    _, _, start, _ = two.windows
    win, tie = two.play(Policy(values), Policy())
    value = values[start[-1, -1]] / ONE
    assert value <= win + tie / 2 + 1e-12 and win + tie / 2 <= value + 4 / ONE


def test_cards_too_large_for_all_pairs_have_fewer_policies_and_say_so(tmp_path, monkeypatch):
    for limit, names in (("MAX_ALL_PAIRS", ("optimal", "ahead_1", "ahead_2", "response")), ("MAX_PAIRS", ())):
        monkeypatch.setattr(versus_matchups, limit, 0)
        folder, (certificate,) = grids.certified(MATCHUPS, {"distribution": "1d6", "slots": 3}, tmp_path / limit, {})
        assert {row for rolls, row, _ in read(folder) if rolls == "same"} == set(names)
        assert "too many positions" in certificate.note


def test_the_primes_are_primes():
    for p in PRIMES:
        assert p < 2**31 and all(p % d for d in range(2, 46341))


# The page of the game solves the same variant; equal definitions let both share the slice.
CONFIG = yaml.safe_dump(
    {"definitions": grids.DEFAULT["definitions"], "tables": {MATCHUPS: [{"distribution": "3d6", "slots": 5}]}}
)
CYCLES = (
    f"SELECT one.rolls, one.row_policy, two.row_policy, three.row_policy, "
    "least(one.probability, two.probability, three.probability) - 0.5 AS margin "
    f"FROM {MATCHUPS} AS one JOIN {MATCHUPS} AS two USING (distribution, slots, multipliers, rolls) "
    f"JOIN {MATCHUPS} AS three USING (distribution, slots, multipliers, rolls) "
    "WHERE one.column_policy = two.row_policy AND two.column_policy = three.row_policy "
    "AND three.column_policy = one.row_policy AND one.row_policy < least(two.row_policy, three.row_policy) "
    "AND margin > 1e-9 ORDER BY margin DESC"
)


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with dicebase.open(grids.once(tmp_path_factory, "matchups", lambda at: grids.build_shared(at, CONFIG))) as catalog:
        yield catalog


def test_cycles_are_found_by_sql(db):
    names = [row[1:4] for row in db.sql(CYCLES).fetchall() if row[0] == "same"]
    assert ("response", "response_3", "response_2") in names and ("optimal", "response_2", "response") in names


def test_a_response_beats_its_rival_and_equal_policies_draw(db):
    rows = db.sql(f"SELECT rolls, row_policy, column_policy, probability, tie FROM {MATCHUPS}").fetchall()
    found = {row[:3]: row[3:] for row in rows}
    for (rolls, row, column), (probability, tie) in found.items():
        assert probability + found[rolls, column, row][0] == pytest.approx(1, abs=1e-12)
        assert tie == found[rolls, column, row][1]
        if row == column:
            assert probability == pytest.approx(0.5, abs=1e-12)
    for rolls in ("alone", "same"):
        chain = ["optimal", "response", "response_2", "response_3", "response_4"]
        for rival, response in pairwise(chain):
            others = [p for (r, _, column), (p, _) in found.items() if (r, column) == (rolls, rival)]
            # A response is computed in multiples of 2^-30, rounded down in each of five rounds.
            assert found[rolls, response, rival][0] >= max(others) - 5 * 2**-30
