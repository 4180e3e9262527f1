"""What ranked lists of holds lose (matches/deals/hold_cards.py)."""

import numpy as np

from dicebase.matches.deals.draws import DrawReturn
from dicebase.matches.deals.hold_cards import HOLD
from dicebase.matches.deals.lines import IF, read_lines
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.policies.bench import Bench, Losses
from dicebase.solvers.draws.holds import Holds
from dicebase.solvers.draws.lists import worst_values
from dicebase.tables.names import Variant
from dicebase.vocabulary import Draw
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features
from dicebase.vocabulary.rules.draws import HELD_FEATURES


class HoldBench(Bench):
    """One variant of a draw game, with ranked lists of holds."""

    line = "list of holds"

    def __init__(self, name: str, rules: Draw, variant: Variant) -> None:
        super().__init__(name, variant, DrawReturn(rules))
        self.holds = Holds(rules)

    def named(self, name: str) -> list[str] | None:
        """The conditions of the lines; None for best play."""
        return None if name == OPTIMAL else [c for _, c, _ in read_lines(name, [HOLD], HELD_FEATURES)]

    def losses(self, decided: list[str] | None) -> Losses:
        """The losses of a list, by the line that decides."""
        lines = decided or []
        holds, classes = self.holds, self.holds.classes
        known = held_features(classes, holds.coins[holds.rank])
        values = np.stack([*(worst_values(holds, [c], known) for c in lines), holds.values[:, 0]], axis=1)
        line, best = (values >= 0).argmax(axis=1), holds.values.max(axis=1)
        taken = best if decided is None else values[np.arange(len(best)), line]
        deals = classes.deals[classes.hands].astype(float)
        lost = deals * (best - taken) / classes.common
        names = [*(f"{HOLD}{IF}{condition}" for condition in lines), "otherwise nothing"]
        frequency, loss = (np.bincount(line, x, len(names)) / deals.sum() for x in (deals, lost))
        return Losses({"line": names}, frequency, loss)
