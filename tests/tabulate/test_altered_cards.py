"""Altered tables of cards of every kind are refused, even if a card has its own costs."""

import pytest

from support import grids
from support.cards import TABLES, certified, claims
from support.faults import refused, rewrite

OTHERS = {
    "boards": "prefer tiles + lowest + low",
    "dealer": "stand if total >= 15",
    "draws": "hold if pays >= 4",
    "duel": "hold_at 6",
    "sheets": "par upper*1 chance=3 ones=4",
    "turn": "hold_at 50 if dice <= 1 else 225",
}
"""Policies that are no cards of their tables."""


@pytest.fixture(params=TABLES)
def altered(request, tmp_path_factory, tmp_path):
    """(name of a table of cards, its row that is altered, a function that alters it and checks the refusal)."""
    files, rows = certified(request.param, tmp_path_factory)
    copied = grids.copied(files, tmp_path / "results")

    def refuse(change, message):
        rewrite(copied.rows, lambda rows: [rows[0] | change, *rows[1:]])
        refused(copied, message)

    return request.param, rows[0], refuse


def test_a_policy_that_is_no_card_of_the_table_is_refused(altered):
    name, _, refuse = altered
    refuse({"policy": OTHERS[name]}, r"' is not a (card|list|sum) .*, or its words differ")


def test_a_card_in_other_words_is_refused(altered):
    _, row, refuse = altered
    refuse({"card": row["card"].replace("a", "the")}, "or its words differ")


def test_a_card_that_is_not_the_best_is_refused_with_its_own_costs(altered):
    name, row, refuse = altered
    if name == "sheets":
        pytest.skip("its search proves nothing")
    found = claims(name)
    listing = found.listing
    near = listing.near(listing.read(row["language"], row["policy"], row["card"]))
    card = next(card for card in near if found.cost(listing.policy_of(card))[0] > row["cost"] + 1e-6)
    policy = listing.policy_of(card)
    change = {"policy": policy, "card": listing.in_words(card)}
    change |= dict.fromkeys(("cost", "least_cost"), found.cost(policy)[0])
    change |= {"worst_case": found.worst(policy)[0]} if "worst_case" in row else {}
    refuse(change, r"the (card|list) is not the best: '.*' costs \d")


@pytest.mark.parametrize("altered", ["draws"], indirect=True)
def test_costs_that_are_quotients_of_integers_are_equal_or_differ(altered):
    _, row, refuse = altered
    refuse({"least_cost": row["cost"] - 5e-13}, "proved is True, but no card costs less than")


@pytest.mark.parametrize("altered", ["sheets"], indirect=True)
def test_a_policy_that_cannot_be_read_is_refused_at_its_row(altered):
    *_, refuse = altered
    refuse({"policy": "par ones=3 cellar=4"}, r"language=par: policy: 'cellar' is not a part of a card")
