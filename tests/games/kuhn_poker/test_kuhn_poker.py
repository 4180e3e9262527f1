"""Kuhn poker: the value and the family of equilibria that Kuhn published."""

from fractions import Fraction

import pytest

from reference.hidden import best_response
from support.contract import HiddenRulesContract, Published


class TestKuhnPoker(HiddenRulesContract):
    game = "kuhn_poker"
    published = (Published("Kuhn (1950)", {}, Fraction(-1, 18)),)

    @pytest.mark.parametrize("alpha", [0, Fraction(1, 7), Fraction(1, 3)])
    def test_each_strategy_of_kuhns_family_concedes_the_value(self, alpha):
        """Player 1 bets a jack with probability alpha from 0 to 1/3, a king with 3 alpha, and calls a queen with
        alpha + 1/3."""
        family = {("J", "-"): {"bet": alpha, "check": 1 - alpha}, ("Q", "-"): {"check": 1}}
        family |= {("K", "-"): {"bet": 3 * alpha, "check": 1 - 3 * alpha}, ("J", "check,bet"): {"fold": 1}}
        family |= {("Q", "check,bet"): {"call": alpha + Fraction(1, 3), "fold": Fraction(2, 3) - alpha}}
        family |= {("K", "check,bet"): {"call": 1}}
        assert best_response(self.build({}).rules, 2, [(Fraction(1), family)])[0] == Fraction(1, 18)
