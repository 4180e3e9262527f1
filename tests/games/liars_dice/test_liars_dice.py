"""Liar's dice: the values that T. D. Ahle published, and the order of bids."""

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


def test_a_bid_is_followed_by_higher_counts_or_higher_faces():
    rules = build("liars_dice_duel", variant(3, 1, 1, "none")).rules
    assert rules.actions(("1", "3", ())) == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    assert rules.actions(("1", "3", ("1x3",))) == ["call", "2x1", "2x2", "2x3"]
    assert rules.actions(("1", "3", ("1x3", "2x3"))) == ["call"]
