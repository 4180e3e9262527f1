"""Yahtzee: values that others have printed for the same rules."""

from support.contract import Contract, Published
from support.grids import DEFAULT


class TestYahtzee(Contract):
    game = "yahtzee"
    match = "score"
    definitions = DEFAULT["definitions"]["yahtzee"]
    # The audit holds the values of other joker rules.
    published = (Published("Woodward (2003), Yahtzee: the solution", {"rules": "forced"}, "254.5877"),)

    def value(self, variant):
        return self.tabulate(variant).states["value"][-1], 1e-9
