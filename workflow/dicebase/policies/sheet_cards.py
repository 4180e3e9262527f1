"""Cards of pars for score sheets: what each kind of decision of a card loses."""

import numpy as np
import pyarrow as pa

from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.sheets.losses import SheetLosses
from dicebase.matches.sheets.score_cards import read_pars
from dicebase.policies.hold_lists import Losses
from dicebase.solvers.sheets.entries import entries_of
from dicebase.solvers.sheets.losses import losses as losses_of
from dicebase.solvers.sheets.pars import strategy_of
from dicebase.solvers.sheets.plays import strategies
from dicebase.tables.names import Variant, find_table
from dicebase.vocabulary import ConfigurationError, Sheet


class SheetBench:
    """One variant of a score sheet for one player, with cards of pars."""

    def __init__(self, name: str, rules: Sheet, variant: Variant) -> None:
        if find_table(name).match != "score":
            raise ConfigurationError(f"{name}: policies of score sheets are evaluated for tables that end with _score")
        self.name, self.rules, self.variant, self.listing = name, rules, variant, SheetLosses(rules)

    def losses(self, base: str, table: pa.Table | None, place: str) -> Losses:
        """The losses of a card by kind of decision, and how often each is made in a game."""
        if table is not None:
            raise ConfigurationError(f"{place}: {self.name}: give a card of pars as one line of text")
        by_name, entries = strategies(self.rules, self.listing.reached), entries_of(self.rules)
        if base not in by_name:
            card = read_pars(base, self.rules.boxes)
            by_name[base] = strategy_of(self.rules, entries, card.weight, np.array(card.pars))
        lost, times = losses_of(self.rules, by_name[base], by_name[OPTIMAL], self.listing.reached)
        return Losses({"decision": self.listing.decisions}, times, lost)
