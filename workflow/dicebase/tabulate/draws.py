"""Rows of the tables of draw games, from integers, one function per match format."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dicebase.matches.deals.draws import MOST_PLAYED, DrawDistribution, DrawReturn, DrawVariance
from dicebase.matches.deals.hold_cards import HoldCards
from dicebase.solvers.cards import Found
from dicebase.solvers.draws.holds import Holds
from dicebase.solvers.draws.lists import HoldLists, worst_values
from dicebase.tables.writer import Rows
from dicebase.tabulate.cards.rows import best_cards
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features, parts


def holds(listing: DrawReturn) -> Iterator[Rows]:
    """Yield the sum over the final hands with each set of cards; the values of holds follow."""
    solved = Holds(listing.rules)
    columns = *parts(solved.classes.sets).T[::-1], solved.paid.astype(float), solved.classes.deals
    yield Rows(listing, exact=solved.moment(1)).set_rows(*columns)


def distribution(listing: DrawDistribution) -> Iterator[Rows]:
    """Yield the probability of each rank of the final hand."""
    solved = Holds(listing.rules)
    ranks = sorted(zip(solved.names, solved.coins.tolist(), solved.ends, strict=True))
    rows = ((name, ends / solved.games, coins, ends) for name, coins, ends in ranks)
    yield Rows(listing, exact=solved.moment(1)).add_rows(rows)


def variance(listing: DrawVariance) -> Iterator[Rows]:
    """Yield the variance per hand: that of one hand, plus the covariance with each of the others."""
    solved = Holds(listing.rules)
    mean, squares = solved.moment(1), sum(n * c * c for n, c in zip(solved.ends, solved.coins.tolist(), strict=True))
    one, shared = Fraction(squares, solved.games) - mean**2, solved.moment(2) - mean**2
    hands = range(1, MOST_PLAYED + 1)
    yield Rows(listing, exact=one).set_rows(hands, [float(one + (n - 1) * shared) for n in hands])


def cards(listing: HoldCards) -> Iterator[Rows]:
    """Yield the best list of this many lines."""
    holds = Holds(listing.rules)
    names, known = [*listing.lines], held_features(holds.classes, holds.coins[holds.rank])
    lists = HoldLists(holds, np.stack([worst_values(holds, of, known) for of in listing.lines.values()], axis=1))

    def find(language: str) -> Found:
        lines, least = lists.search(listing.numbers)
        cost = int(lists.losses(lines) @ lists.deals) / holds.games
        return Found([names[i] for i in lines], cost, min(cost, least / holds.games))

    def worst(card: list[str]) -> float:
        return int(lists.losses([names.index(name) for name in card]).max()) / holds.classes.common

    yield best_cards(listing, find, worst)
