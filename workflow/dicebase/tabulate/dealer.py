"""Rows of the tables of games against a dealer."""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import pyarrow as pa

from dicebase.matches.card_listing import Card, Language
from dicebase.matches.deals.dealer import ByCards
from dicebase.matches.deals.lines import IF, THEN
from dicebase.matches.deals.return_cards import FEATURES, DealerCards, features
from dicebase.solvers.dealer.cards import Totals
from dicebase.solvers.dealer.plays import solve
from dicebase.tables.follow.ranking import Choices, rank_choices
from dicebase.tables.writer import Rows
from dicebase.tabulate.cards.rows import best_cards, bounded
from dicebase.vocabulary import PLAYS, tie_of


def hands(listing: ByCards) -> Iterator[Rows]:
    """Yield every hand against every card of the dealer, with all actions."""
    values = solve(listing.groups, listing.rules, listing.averaged)
    number = {hand: i for i, hand in enumerate(hand for group in listing.groups for hand in group)}
    keys, members = zip(*listing.rows.items(), strict=True)
    q = values[[up for (_, up), *_ in members], [number[hand] for (hand, _), *_ in members]]
    there = ~np.isnan(q)
    ranked = rank_choices(Choices([], q, there.any(axis=1), np.arange(len(PLAYS))), 1, tie_of(float(np.nanmax(abs(q)))))
    best, margins, names = ranked.best, ranked.margins, pa.array(PLAYS)
    rows = Rows(listing)
    columns = [pa.array(column) for column in zip(*keys, strict=True)]
    rows.set_rows(*columns, ranked.values, names.take(pa.array(best)), pa.array(margins, mask=np.isnan(margins)))
    rows.counts = there.sum(axis=1)
    played = (np.arange(len(PLAYS)) == best[:, np.newaxis]).astype(float)
    said = (q, ranked.regrets, played, ranked.optimal, ranked.undecided)
    actions = names.take(pa.array(np.broadcast_to(np.arange(len(PLAYS)), there.shape)[there]))
    rows.set_beside(actions, *(pa.array(column[there]) for column in said))
    yield rows


def cards(listing: DealerCards) -> Iterator[Rows]:
    """Yield the best of all cards that have this many numbers."""
    totals = Totals(listing.rules, FEATURES, partial(features, listing.rules))
    best = totals.best_values()

    def losses(language: Language, box: Mapping[str, tuple[int, int]]) -> np.ndarray:
        lines = [tuple(line.split(IF)) for line in language.formula.split(THEN)]
        return best - totals.values(totals.plays(lines, box))

    def cost(language: Language, box: Mapping[str, tuple[int, int]]) -> float:
        return float((totals.weight * losses(language, box)).sum())

    def worst(card: Card) -> float:
        return float(losses(card.language, {name: (x, x) for name, x in card.numbers.items()}).max())

    yield best_cards(listing, lambda language: bounded(listing, language, cost), worst)
