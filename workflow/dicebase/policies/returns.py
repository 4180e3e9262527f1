"""Policies of one player: what they return, and the hands, positions or kinds of decisions that cost them most."""

from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.lookup import Catalog
from dicebase.matches.deals.dealer import ByTotals
from dicebase.matches.deals.lines import read_lines
from dicebase.matches.deals.return_cards import FEATURES, DealerCards, features
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.sheets.losses import SheetLosses
from dicebase.matches.sheets.score_cards import read_pars
from dicebase.policies.hold_lists import HoldBench, Losses
from dicebase.policies.one_player.bench import OnePlayerBench
from dicebase.policies.user_policies import EXCEPT, MISSING, Given, PolicyRows, base_of, read_policy
from dicebase.solvers.dealer.cards import Totals
from dicebase.solvers.sheets.entries import entries_of
from dicebase.solvers.sheets.losses import losses as losses_of
from dicebase.solvers.sheets.pars import strategy_of
from dicebase.solvers.sheets.plays import strategies
from dicebase.tables.names import Variant, find_table
from dicebase.vocabulary import PLAYS, TIE, ConfigurationError, DealerGame, Json, Sheet

TOLD = 10  # number of mistakes in a report


class DealerBench:
    """One variant of a game against a dealer, with policies by totals."""

    def __init__(self, name: str, rules: DealerGame, variant: Variant) -> None:
        if why := DealerCards(rules).why_not_solved:
            raise ConfigurationError(f"{name}: {why}")
        self.name, self.rules, self.variant, self.listing = name, rules, variant, ByTotals(rules)
        self.totals = Totals(rules, FEATURES, partial(features, rules))

    def losses(self, base: str, table: pa.Table | None, place: str) -> Losses:
        """The losses of the lines of a policy, except in the positions of a table of plays by totals."""
        totals = self.totals
        plays = np.repeat(totals.legal.T[..., np.newaxis], len(self.rules.ranks), axis=2)
        if base and base != OPTIMAL:
            plays = totals.plays([(play, condition) for play, condition, _ in read_lines(base, PLAYS, FEATURES)], {})
        if table is not None:
            self._change(plays, table, place, partly=bool(base))
        names, number = np.unique([self.listing.key(h)[0] for h, _ in totals.hands[totals.first]], return_inverse=True)
        frequency, lost = np.zeros((2, len(names), len(self.rules.ranks)))
        np.add.at(frequency, number, totals.weight)
        np.add.at(lost, number, totals.weight * (totals.best_values() - totals.values(plays)))
        ranks = [*self.rules.ranks]
        columns = {"hand": np.repeat(names, len(ranks)).tolist(), "dealer": ranks * len(names)}
        return Losses(columns, frequency.ravel(), lost.ravel())

    def _change(self, plays: np.ndarray, table: pa.Table, place: str, partly: bool) -> None:
        """Let the rows of a table decide; they may leave out positions if `partly`."""
        rows = PolicyRows(table, place, self.variant, self.listing.columns, PLAYS)
        given = rows.as_given(rows.states)
        known = dict(zip(given, rows.action.tolist(), strict=True))
        rows.refuse("not a position", [state for state in given if state not in self.listing.rows])
        first = {hand: self.rules.actions(hand, False) for hand in self.listing.decided}
        wrong = [s for s, action in known.items() if PLAYS[action] not in first[self.listing.rows[s][0][0]]]
        rows.refuse("not a legal action there", wrong)
        rows.refuse(MISSING, [state for state in self.listing.rows if not partly and state not in known])
        for i, (hand, _) in enumerate(self.totals.hands):
            key = (self.listing.key(hand)[0], 3 if i < self.totals.first.start else 2)
            for up, name in enumerate(self.rules.ranks):
                action = known.get((*key, name))
                if action is not None and self.totals.legal[i, action]:
                    plays[:, i, up] = np.arange(len(PLAYS)) == action


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
        lost, times = losses_of(self.rules, by_name[base], by_name[OPTIMAL])
        return Losses({"decision": self.listing.decisions}, times, lost)


BENCHES: dict[str, Any] = {"dealer": DealerBench, "draws": HoldBench, "sheets": SheetBench}
"""The bench of a family of rules, for tables of decisions of these rules."""


def report_return(catalog: Catalog, table: str, policy: Given, parameters: Json) -> Json:
    """Return {table, parameters, policy, unit, value, best, cost, error_bound, mistakes}: the expected result of a
    policy, that of best play, how much worse the policy is, and the TOLD hands or positions with the greatest losses,
    each with `cost` (given the position), `frequency` (expected number of visits) and `loss`, their product. If the
    policy's value is computed from play, `error_bound` bounds the errors of value and cost. Raises MissingTableError
    for a table that is not solved, ConfigurationError for a wrong policy, LimitError for too many positions."""
    solved = catalog.solved(table)
    variant = read_variant(solved, parameters)
    found = solved.require(variant)
    family = found.game.rules.family
    bench = BENCHES[family](table, found.game.rules, variant) if family in BENCHES else OnePlayerBench(catalog, found)
    base, given = base_of(policy)
    rows, place = read_policy(given, bench.listing.columns) if given is not None else (None, "")
    try:
        losses = bench.losses(base, rows, place)
    except ValueError as error:  # an operation of a condition
        raise ConfigurationError(f"policy: {error}") from error
    worst = [i for i in np.argsort(-losses.loss, kind="stable")[:TOLD].tolist() if losses.loss[i] > TIE]
    mistakes = []
    for i in worst:
        hand = {name: column[i] for name, column in losses.hands.items()}
        frequency, loss = float(losses.frequency[i]), float(losses.loss[i])
        mistakes.append(hand | {"cost": loss / frequency, "frequency": frequency, "loss": loss})
    name = f"{base}{EXCEPT}{place}" if base and place else base or place
    best, sense = found.row["value"], bench.listing.sense
    value, cost, bound = losses.value, float(losses.loss.sum()), {}
    if value is None:
        value = best - cost
    else:
        cost, bound = sense * (best - value), {"error_bound": losses.error_bound}
        cost = cost if cost > losses.error_bound else 0.0
    said = {"table": table, "parameters": dict(variant), "policy": name, "unit": bench.listing.value.unit}
    return said | {"value": value, "best": best, "cost": cost} | bound | {"mistakes": mistakes}
