"""Policies of one player: what they return, and the hands, positions or kinds of decisions that cost them most."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow as pa

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.lookup import Catalog
from dicebase.matches.deals.dealer import ByTotals
from dicebase.matches.deals.draws import DrawReturn
from dicebase.matches.deals.hold_cards import HOLD
from dicebase.matches.deals.lines import IF, read_lines
from dicebase.matches.deals.return_cards import FEATURES, DealerCards, features
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.sheets.losses import SheetLosses
from dicebase.matches.sheets.score_cards import read_pars
from dicebase.policies.bench import Bench, Losses
from dicebase.policies.one_player.bench import OnePlayerBench
from dicebase.policies.user_policies import MISSING, Given, PolicyRows
from dicebase.solvers.dealer.cards import Totals
from dicebase.solvers.draws.holds import Holds
from dicebase.solvers.draws.lists import worst_values
from dicebase.solvers.sheets.entries import entries_of
from dicebase.solvers.sheets.losses import losses as losses_of
from dicebase.solvers.sheets.pars import strategy_of
from dicebase.solvers.sheets.plays import Strategy, strategies
from dicebase.tables.names import Variant, find_table
from dicebase.vocabulary import PLAYS, TIE, ConfigurationError, DealerGame, Draw, Json, Sheet
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features
from dicebase.vocabulary.rules.draws import HELD_FEATURES

TOLD = 10  # number of mistakes in a report


class DealerBench(Bench):
    """One variant of a game against a dealer, with policies by totals."""

    def __init__(self, name: str, rules: DealerGame, variant: Variant) -> None:
        if why := DealerCards(rules).why_not_solved:
            raise ConfigurationError(f"{name}: {why}")
        super().__init__(name, variant, ByTotals(rules))
        self.rules, self.totals = rules, Totals(rules, FEATURES, partial(features, rules))

    def named(self, name: str) -> np.ndarray:
        """The plays that a policy allows by hand and dealer's card, as in Totals.plays; the best of them is taken."""
        if name == OPTIMAL:
            return np.repeat(self.totals.legal.T[..., np.newaxis], len(self.rules.ranks), axis=2)
        lines = [(play, condition) for play, condition, _ in read_lines(name, PLAYS, FEATURES)]
        return self.totals.plays(lines, {})

    def losses(self, decided: np.ndarray) -> Losses:
        """The losses of a policy, by hand and dealer's card."""
        totals = self.totals
        names, number = np.unique([self.listing.key(h)[0] for h, _ in totals.hands[totals.first]], return_inverse=True)
        frequency, lost = np.zeros((2, len(names), len(self.rules.ranks)))
        np.add.at(frequency, number, totals.weight)
        np.add.at(lost, number, totals.weight * (totals.best_values() - totals.values(decided)))
        ranks = [*self.rules.ranks]
        columns = {"hand": np.repeat(names, len(ranks)).tolist(), "dealer": ranks * len(names)}
        return Losses(columns, frequency.ravel(), lost.ravel())

    def filed(self, table: pa.Table, place: str, base: np.ndarray | None) -> np.ndarray:
        plays = self.named(OPTIMAL) if base is None else base
        rows = PolicyRows(table, place, self.variant, self.listing.columns, PLAYS)
        given = rows.as_given(rows.states)
        known = dict(zip(given, rows.action.tolist(), strict=True))
        rows.refuse("not a position", [state for state in given if state not in self.listing.rows])
        first = {hand: self.rules.actions(hand, False) for hand in self.listing.decided}
        wrong = [s for s, action in known.items() if PLAYS[action] not in first[self.listing.rows[s][0][0]]]
        rows.refuse("not a legal action there", wrong)
        rows.refuse(MISSING, [state for state in self.listing.rows if base is None and state not in known])
        for i, (hand, _) in enumerate(self.totals.hands):
            key = (self.listing.key(hand)[0], 3 if i < self.totals.first.start else 2)
            for up, name in enumerate(self.rules.ranks):
                action = known.get((*key, name))
                if action is not None and self.totals.legal[i, action]:
                    plays[:, i, up] = np.arange(len(PLAYS)) == action
        return plays


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


class SheetBench(Bench):
    """One variant of a score sheet for one player, with cards of pars."""

    line = "card of pars"

    def __init__(self, name: str, rules: Sheet, variant: Variant) -> None:
        if find_table(name).match != "score":
            raise ConfigurationError(f"{name}: policies of score sheets are evaluated for tables that end with _score")
        super().__init__(name, variant, SheetLosses(rules))
        self.rules, self.by_name = rules, strategies(rules, self.listing.reached)

    def named(self, name: str) -> Strategy:
        if name in self.by_name:
            return self.by_name[name]
        card = read_pars(name, self.rules.boxes)
        return strategy_of(self.rules, entries_of(self.rules), card.weight, np.array(card.pars))

    def losses(self, decided: Strategy) -> Losses:
        """The losses of a card by kind of decision, and how often each is made in a game."""
        lost, times = losses_of(self.rules, decided, self.by_name[OPTIMAL])
        return Losses({"decision": self.listing.decisions}, times, lost)


BENCHES: dict[str, Callable[..., Bench]] = {"dealer": DealerBench, "draws": HoldBench, "sheets": SheetBench}
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
    try:
        name, decided = bench.policy(policy)
        losses = bench.losses(decided)
    except ValueError as error:  # an operation of a condition
        raise ConfigurationError(f"policy: {error}") from error
    worst = [i for i in np.argsort(-losses.loss, kind="stable")[:TOLD].tolist() if losses.loss[i] > TIE]
    mistakes = []
    for i in worst:
        hand = {name: column[i] for name, column in losses.hands.items()}
        frequency, loss = float(losses.frequency[i]), float(losses.loss[i])
        mistakes.append(hand | {"cost": loss / frequency, "frequency": frequency, "loss": loss})
    best, sense = found.row["value"], bench.listing.sense
    value, cost, bound = losses.value, float(losses.loss.sum()), {}
    if value is None:
        value = best - cost
    else:
        cost, bound = sense * (best - value), {"error_bound": losses.error_bound}
        cost = cost if cost > losses.error_bound else 0.0
    said = {"table": table, "parameters": dict(variant), "policy": name, "unit": bench.unit}
    return said | {"value": value, "best": best, "cost": cost} | bound | {"mistakes": mistakes}
