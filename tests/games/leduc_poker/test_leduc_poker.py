"""Leduc poker: the value in the tests of OpenSpiel."""

from typing import ClassVar

from support.contract import HiddenRulesContract, Published


class TestLeducPoker(HiddenRulesContract):
    game = "leduc_poker"
    small: ClassVar = [{}]
    published = (Published("Lanctot et al. (2017), in OpenSpiel's sequence_form_lp_test.py", {}, "-0.085606424078"),)

    # It takes minutes here.
    test_the_certified_value_is_that_of_the_double_oracle = None
