"""The best cards for Blackjack: against every card of a small grid, rationals, a printed card, faults."""

import random
import re
from functools import partial
from itertools import product

import numpy as np
import pytest

from dicebase.audit.record import read
from dicebase.catalog.lookup import Catalog
from dicebase.certify.dealer import cards as certifier
from dicebase.games.blackjack import Rules
from dicebase.matches.deals.lines import read_lines
from dicebase.matches.deals.return_cards import FEATURES, DealerCards, features
from dicebase.policies import report
from dicebase.policies.returns import DealerBench
from dicebase.solvers.cards import range_of
from dicebase.solvers.dealer.cards import Totals
from dicebase.vocabulary import PLAYS, ConfigurationError, formula
from support import grids
from support.cards import certified
from support.duel_turns import solved

LIBERAL = {"surrender": "yes", "resplit_aces": "yes"}
WIZARD = (
    "split if pair == 11 or pair == 8; split if dealer <= 6 and (2 <= pair <= 3 or 6 <= pair <= 7 or pair == 9); "
    "surrender if hard == 16 and dealer == 10; double if hard == 9 and dealer <= 6; "
    "double if 10 <= hard <= 11 and dealer < hard; double if 16 <= soft <= 18 and dealer <= 6; "
    "stand if soft == 18 and dealer <= 6; hit if 0 < soft < 19; stand if total >= 12 and dealer <= 6; "
    "stand if total >= 17"
)


def totals(**given):
    rules = Rules(**given)
    return Totals(rules, FEATURES, partial(features, rules))


def plays(own, policy):
    return own.plays([(play, condition) for play, condition, _ in read_lines(policy, PLAYS, FEATURES)], {})


def cost(own, played):
    return float((own.weight * (own.best_values() - own.values(played))).sum())


def test_no_card_of_two_numbers_is_cheaper(tmp_path_factory):
    (row,) = certified("dealer", tmp_path_factory)[1]
    own, found = totals(), []
    for language in DealerCards(Rules(), 2).languages["lines"]:
        grid = [range(low, high + 1) for low, high, _ in language.numbers.values()]
        for numbers in random.Random(2).sample([*product(*grid)], 25):
            policy = language.filled(dict(zip(language.numbers, numbers, strict=True)))
            found.append(cost(own, plays(own, policy)))
    assert len(found) >= 200 and row["proved"] and row["least_cost"] == row["cost"] <= min(found)
    every = [f"hit if 0 < soft < {s}; stand if total >= {h}" for s, h in product(range(16, 20), range(13, 18))]
    assert row["cost"] == min(cost(own, plays(own, policy)) for policy in every)
    assert row["policy"] == "hit if 0 < soft < 18; stand if total >= 15"
    assert row["card"] == "Hit soft hands below 18. Stand at 15 or more. Otherwise hit."


HOUSES = [
    {},
    LIBERAL | {"soft_17": "hit", "double": "9_to_11"},
    {"hit_split_aces": "yes", "double_after_split": "no", "resplit": "2", "peek": "no"},
]


@pytest.mark.slow
@pytest.mark.parametrize("variant", HOUSES, ids=str)
def test_a_policy_costs_what_the_certifier_finds_in_rationals(variant):
    own, exact = totals(**variant), certifier._Totals(DealerCards(Rules(**variant)), None)
    for policy in (
        WIZARD,
        "split if cards == 2 and pair <= 4; double if soft >= 13 or total == 10; stand if total > 14",
    ):
        lost = sum(chance * loss for chance, loss in exact.losses(policy))
        assert cost(own, plays(own, policy)) == pytest.approx(float(lost), abs=1e-13)


def test_the_wizards_simple_strategy_loses_what_is_printed_with_the_first_two_cards():
    """The printed number leaves out mistakes with more cards."""
    (printed,) = (row for row in read("statements") if row["source"] == "Shackleford, appendix 21")
    whole, first = re.findall(r"0[.]\d+ %", printed["is"])
    own = totals(**LIBERAL)
    played, best = plays(own, WIZARD), np.repeat(own.legal.T[..., np.newaxis], len(own.ranks), axis=2)
    assert f"{100 * cost(own, played):.4f} %" == whole
    best[:, own.first] = played[:, own.first]
    assert f"{100 * cost(own, best):.4f} %" == first and f"{100 * cost(own, best):.2f} %" in printed["says"]


@pytest.mark.slow
def test_four_lines_lose_less_than_one_percent(tmp_path):
    (row,) = solved("blackjack_return_cards", {"numbers": 6}, tmp_path)[1]
    double, stand = "double if 9 <= hard <= 11 and dealer < hard", "stand if total >= 13 and dealer <= 6"
    assert row["policy"] == f"{double}; hit if 0 < soft < 18; {stand}; stand if total >= 17"
    assert row["proved"] and f"{100 * row['cost']:.4f}" == "0.7836"


def test_the_range_of_a_condition_contains_its_values():
    draw = random.Random(1)
    for text in ("1 <= x < y", "x == y and y >= 3", "x < 2 or y > 4 or x == y", "min(x, 3) == y", "x - y <= 1"):
        value = formula(text, ("x", "y"), "")
        for _ in range(60):
            box = {name: sorted(draw.randint(0, 6) for _ in "12") for name in "xy"}
            here = [value(x, y) for x, y in product(*(range(low, high + 1) for low, high in box.values()))]
            low, high = range_of(text, {name: np.array(ends) for name, ends in box.items()})
            assert low <= min(here) and high >= max(here)
            if all(a == b for a, b in box.values()):
                assert low == high == here[0]


@pytest.mark.slow
def test_a_policy_is_reported_with_the_hands_that_cost_most(tmp_path_factory, tmp_path):
    config = "tables: {blackjack_totals: [{}]}"
    folder = grids.once(tmp_path_factory, "dealer", lambda folder: grids.build(folder / "results", config)) / "results"
    own = totals()
    with Catalog(folder) as catalog:
        answer = report(catalog, "blackjack_totals", WIZARD)
        assert answer["cost"] == pytest.approx(cost(own, plays(own, WIZARD)), abs=1e-15)
        assert answer["best"] - answer["value"] == pytest.approx(answer["cost"], abs=1e-15)
        assert f"{answer['best']:.8f}" == "-0.00511734"
        assert {k: answer["mistakes"][0][k] for k in ("hand", "dealer")} == {"hand": "hard 12", "dealer": "2"}
        q = {a["action"]: a["q_value"] for a in _actions(catalog)}
        (tmp_path / "own.csv").write_text("hand,cards,dealer,action\nhard 12,2,2,stand\n")
        answer = report(catalog, "blackjack_totals", f"optimal except {tmp_path / 'own.csv'}")
        (mistake,) = [m for m in answer["mistakes"] if m["hand"] == "hard 12"]
        assert mistake["cost"] == pytest.approx(q["hit"] - q["stand"], abs=1e-14)
        for policy, message in (
            ("hold if total >= 17", "'hold if total >= 17' is not PLAY if CONDITION"),
            ("stand if points > 1", "'points > 1' is not allowed"),
            (str(tmp_path / "own.csv"), "states are missing"),
        ):
            with pytest.raises(ConfigurationError, match=message):
                report(catalog, "blackjack_totals", policy)
        with pytest.raises(ConfigurationError, match="give an infinite deck"):
            DealerBench("blackjack_totals", Rules(decks="1"), {})


def _actions(catalog):
    rows = catalog.rows(
        "SELECT action, q_value FROM blackjack_totals_actions WHERE hand = 'hard 12' AND cards = 2 AND dealer = '2'"
    )
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1]]
