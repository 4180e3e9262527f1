"""Kuhn poker: the value and the family of equilibria that Kuhn published."""

from fractions import Fraction

import pytest

from reference.hidden import best_response
from support.contract import HiddenRulesContract, Published
from support.contract_boards import solved


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

    def test_the_published_strategies_belong_to_the_family(self):
        played = {
            (*state, action): row["probability"]
            for state, actions in solved("kuhn_poker_duel", {}).actions.items()
            for action, row in actions.items()
        }
        alpha = played[1, "J", "-", "bet"]
        assert 0 <= alpha <= 1 / 3 + 1e-12
        expected = {
            (1, "K", "-", "bet"): 3 * alpha,
            (1, "Q", "-", "bet"): 0,
            (1, "Q", "check,bet", "call"): alpha + 1 / 3,
        }
        expected |= {(2, "J", "check", "bet"): 1 / 3, (2, "Q", "bet", "call"): 1 / 3, (2, "K", "check", "bet"): 1}
        expected |= {(2, "Q", "check", "bet"): 0, (2, "J", "bet", "call"): 0, (2, "K", "bet", "call"): 1}
        assert {place: played[place] for place in expected} == pytest.approx(expected, abs=1e-12)
