"""What ranked lists of holds lose (matches/deals/hold_cards.py), and cards of pars (matches/sheets/score_cards.py)."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dicebase.matches.deals.draws import DrawReturn
from dicebase.matches.deals.hold_cards import HOLD
from dicebase.matches.deals.lines import IF, read_lines
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.sheets.losses import SheetLosses
from dicebase.matches.sheets.score_cards import read_pars
from dicebase.solvers.draws.holds import Holds
from dicebase.solvers.draws.lists import worst_values
from dicebase.solvers.sheets.entries import entries_of
from dicebase.solvers.sheets.losses import losses as losses_of
from dicebase.solvers.sheets.pars import strategy_of
from dicebase.solvers.sheets.plays import strategies
from dicebase.tables.names import Variant, find_table
from dicebase.vocabulary import ConfigurationError, Draw, Sheet
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features
from dicebase.vocabulary.rules.draws import HELD_FEATURES


class Losses(NamedTuple):
    """What a policy loses: columns that name hands or positions, with their frequency and their part of the loss; the
    policy's value and a bound on its error, if they were computed."""

    hands: dict[str, list]
    frequency: np.ndarray
    loss: np.ndarray
    value: float | None = None
    error_bound: float = 0.0


class HoldBench:
    """One variant of a draw game, with ranked lists of holds."""

    def __init__(self, name: str, rules: Draw, variant: Variant) -> None:
        self.name, self.variant, self.listing = name, variant, DrawReturn(rules)
        self.holds = Holds(rules)

    def losses(self, base: str, table: pa.Table | None, place: str) -> Losses:
        """The losses of a list, by the line that decides."""
        if table is not None:
            raise ConfigurationError(f"{place}: {self.name}: give a list of holds as one line of text")
        lines = [] if base == OPTIMAL else [c for _, c, _ in read_lines(base, [HOLD], HELD_FEATURES)]
        holds, classes = self.holds, self.holds.classes
        known = held_features(classes, holds.coins[holds.rank])
        values = np.stack([*(worst_values(holds, [c], known) for c in lines), holds.values[:, 0]], axis=1)
        line, best = (values >= 0).argmax(axis=1), holds.values.max(axis=1)
        taken = best if base == OPTIMAL else values[np.arange(len(best)), line]
        deals = classes.deals[classes.hands].astype(float)
        lost = deals * (best - taken) / classes.common
        names = [*(f"{HOLD}{IF}{condition}" for condition in lines), "otherwise nothing"]
        frequency, loss = (np.bincount(line, x, len(names)) / deals.sum() for x in (deals, lost))
        return Losses({"line": names}, frequency, loss)


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
