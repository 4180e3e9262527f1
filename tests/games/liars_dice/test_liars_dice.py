"""Liar's dice: the values that T. D. Ahle published, and the rules of calls and wild faces."""

from fractions import Fraction
from typing import ClassVar

import pytest

from support.contract import HiddenRulesContract, Published
from support.contract_boards import build, solved
from support.printed import read

README = "T. D. Ahle, README.md of github.com/thomasahle/snyd"


def variant(faces, first, second, wild):
    return {"faces": faces, "first": first, "second": second, "wild": wild}


PRINTED = [
    Published(README, {n: int(x) if x.isdigit() else x for n, x in parameters}, Fraction(row["printed"]))
    for row in read("hidden")
    if row["table"] == "liars_dice_duel" and (parameters := [part.split("=") for part in row["parameters"].split()])
]
LARGE = {(1, 1): 4, (2, 1): 3, (1, 2): 3}  # faces from which a variant takes long


def large(known):
    return known.variant["faces"] >= LARGE[known.variant["first"], known.variant["second"]]


class TestLiarsDice(HiddenRulesContract):
    game = "liars_dice"
    small: ClassVar = [variant(3, 1, 1, "none"), variant(2, 1, 1, "top"), variant(2, 2, 1, "none")]
    published = (
        Published("with one face the first bid is the highest that player 2 can call", variant(1, 1, 1, "none"), 1),
        *(p for p in PRINTED if not large(p)),
    )

    @pytest.mark.slow
    @pytest.mark.parametrize("known", [p for p in PRINTED if large(p) and p.variant["faces"] in (3, 4)][::3], ids=str)
    def test_larger_variants_have_the_printed_values(self, known):
        certificate = solved("liars_dice_duel", known.variant).certificate
        assert abs(known.value - Fraction(certificate.value)) <= Fraction(certificate.error_bound)
        assert certificate.error_bound < 1e-12


@pytest.mark.parametrize(
    ("wild", "bid", "holds"),
    [
        ("none", "2x3", False),
        ("ones", "2x3", True),
        ("top", "2x2", False),
        ("top", "1x2", True),
        ("ones", "2x1", False),
    ],
)
def test_the_caller_loses_if_enough_dice_show_the_face_or_a_wild_one(wild, bid, holds):
    """Player 1 has a one, player 2 a three, and player 2 calls."""
    rules = build("liars_dice_duel", variant(3, 1, 1, wild)).rules
    ((_, state, reward, _),) = rules.outcomes(("1", "3", (bid, "call")))
    assert state is None and reward == (1 if holds else -1)


def test_a_bid_is_followed_by_higher_counts_or_higher_faces():
    rules = build("liars_dice_duel", variant(3, 1, 1, "none")).rules
    assert rules.actions(("1", "3", ())) == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    assert rules.actions(("1", "3", ("1x3",))) == ["call", "2x1", "2x2", "2x3"]
    assert rules.actions(("1", "3", ("1x3", "2x3"))) == ["call"]


def test_two_dice_have_the_weights_of_their_orders():
    rules = build("liars_dice_duel", variant(2, 2, 1, "none")).rules
    dealt = {(mine, theirs): weight for weight, (mine, theirs, _), *_ in rules.outcomes(rules.start())}
    assert dealt == {(mine, die): 1 + (mine == "12") for mine in ("11", "12", "22") for die in "12"}
