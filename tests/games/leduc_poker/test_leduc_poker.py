"""Leduc poker: the value in the tests of OpenSpiel."""

from support.contract import HiddenRulesContract, Published


class TestLeducPoker(HiddenRulesContract):
    game = "leduc_poker"
    published = (Published("Lanctot et al. (2017), in OpenSpiel's sequence_form_lp_test.py", {}, "-0.085606424078"),)
