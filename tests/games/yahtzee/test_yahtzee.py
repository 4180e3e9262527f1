"""Yahtzee: values that others have printed, of the same rules."""

import yaml

from support import commands
from support.contract import Contract, Published

CONFIG = yaml.safe_load((commands.ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))


class TestYahtzee(Contract):
    game = "yahtzee"
    match = "score"
    definitions = CONFIG["definitions"]["yahtzee"]
    published = (
        Published("Woodward (2003), Yahtzee: the solution", {"rules": "forced"}, "254.5877"),
        Published("Verhoeff and Scheffers (1999)", {"rules": "free"}, "254.5896"),
        Published("Glenn (2006), without Yahtzee bonuses", {"rules": "none"}, "245.870775"),
    )

    def value(self, variant):
        return self.tabulate(variant).states["value"][-1], 1e-9
