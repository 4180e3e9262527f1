"""Leduc poker: the value in the tests of OpenSpiel, and that of linear programs over plays from other rules."""

from typing import ClassVar

from reference import leduc_poker
from support.contract import HiddenRulesContract, Published


class TestLeducPoker(HiddenRulesContract):
    game = "leduc_poker"
    small: ClassVar = [{}]
    published = (Published("Lanctot et al. (2017), in OpenSpiel's sequence_form_lp_test.py", {}, "-0.085606424078"),)

    plays = staticmethod(leduc_poker.plays)

    # It takes minutes here.
    test_the_certified_value_is_that_of_the_double_oracle = None
