"""The best weighted sums of features on boards: against every sum in rationals, matchups in both seats, faults."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import gcd

import pytest

from dicebase.matches.boards.preferences import preference
from dicebase.policies.boards import BoardBench
from dicebase.tables.names import find_table
from dicebase.vocabulary import ConfigurationError
from support.cards import certified
from support.contract_boards import solved as solved_board
from support.duel_turns import solved

THROWS = {total: 6 - abs(7 - total) for total in range(2, 13)}
COUNTS = (
    len,
    lambda tiles: max(tiles, default=0),
    lambda tiles: min(tiles, default=0),
    lambda t: sum(x <= 3 for x in t),
)


def left_open(choose):
    """The expected sum of the six tiles left open if `choose` decides among the tiles that may stay open."""

    @cache
    def value(tiles):
        found = Fraction(0)
        for total, weight in THROWS.items():
            ways = [set(shut) for n in range(1, 5) for shut in combinations(tiles, n) if sum(shut) == total]
            after = [tuple(tile for tile in tiles if tile not in shut) for shut in ways]
            found += Fraction(weight, 36) * (choose(after, value) if after else sum(tiles))
        return found

    return value((1, 2, 3, 4, 5, 6))


def by_sum(weights):
    return lambda after, value: value(
        max(after, key=lambda t: sum(w * c(t) for w, c in zip(weights, COUNTS, strict=True)))
    )


def test_no_sum_of_two_features_leaves_less_open(tmp_path_factory):
    best = left_open(lambda after, value: min(map(value, after)))
    assert best == Fraction(solved_board("shut_the_box_score", {"tiles": 6}).certificate.exact)
    sums = [w for w in product(range(-4, 5), repeat=4) if 1 <= sum(map(bool, w)) <= 2 and gcd(*w) == 1]
    costs = {weights: left_open(by_sum(weights)) - best for weights in sums}
    (row,) = certified("boards", tmp_path_factory)[1]
    assert row["cost"] == pytest.approx(float(min(costs.values())), abs=1e-14) and row["cost"] > 0
    named = find_table("shut_the_box_score_cards").match_class
    weights = named(find_table("shut_the_box_score").build({"tiles": 6, "one_die": "never"}, {}).rules, 2).grid
    assert {*weights.values()} == {*sums} and costs[weights[row["policy"]]] == min(costs.values())
    assert row["proved"] and row["least_cost"] == row["cost"]


def test_a_card_for_two_players_loses_what_its_policy_loses_in_both_seats(tmp_path):
    (row,) = solved("bear_off_duel_cards", {"checkers": 2, "numbers": 1}, tmp_path)[1]
    bench = BoardBench("bear_off_duel", find_table("bear_off_duel").build({"checkers": 2}, {}), {"checkers": 2})
    name, card = bench.policy(row["policy"])
    assert name == row["policy"] == "prefer - checkers"
    first, second = bench.earns(card, bench.policy("optimal")[1])
    assert row["cost"] == pytest.approx(1 - first - second, abs=1e-14) and row["cost"] > 0
    first, second = bench.earns(None, card)
    assert row["worst_case"] == pytest.approx(first + second - 1, abs=1e-14)
    assert row["worst_case"] >= row["cost"] - 1e-14


def test_a_wrong_preference_is_refused():
    rules = find_table("shut_the_box_score").build({"tiles": 4, "one_die": "never"}, {}).rules
    with pytest.raises(
        ConfigurationError, match="'pips' is not allowed; give whole-number arithmetic with tiles, highest"
    ):
        preference("prefer pips", rules)
    half = type("Half", (type(rules),), {"features": {"half": lambda afterstate: 0.5}})(4)
    with pytest.raises(ConfigurationError, match=r"features\['half'\]: 0.5 for .* is not a whole number"):
        preference("prefer half", half)(("1234", 5))
    with pytest.raises(ConfigurationError, match="these rules state no features"):
        preference("prefer tiles", find_table("risk_win").build_rules(find_table("risk_win").variant({}, {}, ""), {}))
