"""Solve a game against a dealer by the cards of each hand, or by its total; see vocabulary/rules/dealer.py.

Hands are first solved without splits. A split is then evaluated for fixed play of its hands: the best play of the same
cards without a split if the other card of the pair is gone, or the play by totals.
"""

from collections.abc import Sequence
from functools import cache
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np

from dicebase.solvers.dealer.shoe import Shoe, draw_chance, stand_value
from dicebase.vocabulary import DOUBLE, PLAYS, SPLIT, TIE, DealerGame, Hand
from dicebase.vocabulary.kernels import inner, kernel


class Hands(NamedTuple):
    """Hands as arrays, in groups: the hands of each group lead only to hands of earlier groups."""

    cards: np.ndarray  # (H, R), the number of cards of each rank
    size: np.ndarray  # (H,), the number of cards
    total: np.ndarray  # (H,)
    ahead: np.ndarray  # (H, R), the hand with one more card; -1 above the limit
    orders: np.ndarray  # (H,), the number of orders of the cards
    first: np.ndarray  # (groups + 1,), the first hand of each group

    @classmethod
    def of(cls, groups: Sequence[Sequence[Hand]], rules: DealerGame) -> "Hands":
        hands = [hand for group in groups for hand in group]
        number = {hand: i for i, hand in enumerate(hands)}
        cards = np.array(hands)
        steps = np.eye(cards.shape[1], dtype=int)
        ahead = [[number.get(tuple(more), -1) for more in (hand + steps).tolist()] for hand in cards]
        orders = np.array([factorial(sum(hand)) / prod(map(factorial, hand)) for hand in hands])
        total = np.array([rules.points(hand).total for hand in hands])
        first = np.cumsum([0, *map(len, groups)])
        return cls(cards, cards.sum(axis=1), total, np.array(ahead), orders, first)


@inner
def hand_value(s, h, i, removed, up, play, worth):
    """Return the value of a play (an index in PLAYS) with hand i; `removed`, (R,), has the cards that are gone.

    worth : (H,), the values of the hands ahead.
    """
    gone = removed.sum()
    if play == 0:
        return stand_value(s, removed, gone, up, h.total[i])
    value = 0.0
    if play == 4:
        for r in range(len(removed)):
            value -= (s.natural[up, r] and not s.hidden[up, r]) * s.falling[r, removed[r], 1] / s.falls[gone, 1]
        return (value - 1) / 2
    for r in range(len(removed)):
        chance, to = draw_chance(s, removed, gone, up, r), h.ahead[i, r]
        if chance > 0 and to < 0:
            value -= chance
        elif chance > 0 and play == 1:
            value += chance * worth[to]
        elif chance > 0:
            removed[r] += 1
            value += chance * stand_value(s, removed, gone + 1, up, h.total[to])
            removed[r] -= 1
    return value * (2 if play == 2 else 1)


@inner
def dealt(s, h, i, up, removed):
    """Return the probabilities that the dealer shows `up`, the player gets the cards of hand i, and the dealer has no
    natural, or has one; with `removed`, (R,), set to the cards that are gone."""
    removed[:] = 0
    removed[up] = 1
    chance, gone, out = h.orders[i] * s.falling[up, 0, 1] / s.falls[0, 1], 1, 0.0
    for r in range(len(removed)):
        for _ in range(h.cards[i, r]):
            chance *= s.falling[r, removed[r], 1] / s.falls[gone, 1]
            removed[r] += 1
            gone += 1
    for r in range(len(removed)):
        out += s.natural[up, r] * s.falling[r, removed[r], 1] / s.falls[gone, 1]
    return chance * (1 - out), chance * out


@kernel(_nrt=True)
def first_plays(s, h, up, averaged, extra, may_double, q, means, plays):
    """Find the values of plays against one card shown, without splits.

    averaged : whether all hands of a group take the play that is best on average, rather than their own best play.
    extra : -1, or a rank of which one more card is gone; only hands with a card of this rank are then solved.
    may_double : (H,), whether a hand may be doubled after a split. plays : (H,), set to the best play after a split.
    q, means : (H, 5), set to the values of PLAYS, and to those by which plays are chosen; NaN if the shoe lacks cards.
    """
    removed, worth = np.zeros(h.cards.shape[1], np.int64), np.zeros(len(h.size))
    q[:], means[:] = np.nan, np.nan
    for g in range(len(h.first) - 1):
        sums, weights = np.zeros(q.shape[1]), 0.0
        for i in range(h.first[g], h.first[g + 1]):
            weight, natural = dealt(s, h, i, up, removed)
            weight += 0 if s.hidden[up].any() else natural
            if extra >= 0:
                weight *= h.cards[i, extra] * s.falling[extra, removed[extra], 1]
                removed[extra] += 1
            if weight > 0:
                for play in range(5):
                    if play < 2 or (play != 3 and h.size[i] == 2):  # splits come later
                        q[i, play] = hand_value(s, h, i, removed, up, play, worth)
                sums += weight * q[i]
                weights += weight
        for i in range(h.first[g], h.first[g + 1]):
            if not np.isnan(q[i, 0]):
                means[i] = sums / weights if averaged else q[i]
                plays[i] = 0
                for play in range(1, 3 if may_double[i] else 2):
                    if means[i, play] > means[i, plays[i]] + TIE:
                        plays[i] = play
                worth[i] = q[i, min(plays[i], 1)]


@kernel(_nrt=True)
def split_hand(s, h, start, rank, up, others, plays, one_card):
    """Return (value of a hand that begins with one card of a split pair, part of it with a second card of other rank).

    start : the number of the hand with this card alone. others : how many more cards of its rank are gone.
    plays : (H,), the index in PLAYS of the play with each hand. one_card : whether the hand gets exactly one more card.
    """
    removed, base = np.zeros(h.cards.shape[1], np.int64), np.zeros(h.cards.shape[1], np.int64)
    met, worth = np.zeros(start + 1, np.bool_), np.zeros(start + 1)
    base[up] += 1
    base[rank] += others
    met[start] = True
    for i in range(start, -1, -1):
        if met[i] and (i == start or (plays[i] == 1 and not one_card)):
            for r in range(len(base)):
                if h.ahead[i, r] >= 0 and s.falling[r, h.cards[i, r] + base[r], 1] > 0:
                    met[h.ahead[i, r]] = True
    for i in range(start + 1):
        if met[i]:
            removed[:] = h.cards[i] + base
            play = 1 if i == start else 0 if one_card else plays[i]
            worth[i] = hand_value(s, h, i, removed, up, play, worth)
    pair = h.ahead[start, rank]
    same = draw_chance(s, removed, removed.sum(), up, rank)
    return worth[start], worth[start] - (same * worth[pair] if same > 0 else 0.0)


@cache
def deals(most: int) -> dict[tuple[int, int, int], int]:
    """Count the ways to deal second cards to a split pair until all hands have one, or until there are `most` hands.

    Returns {(pairs split again, hands whose second card is of other rank, hands still without a second card): ways}.
    """
    found: dict[tuple[int, int, int], int] = {}

    def deal(again: int, other: int, waiting: int) -> None:
        if waiting == 0 or again + 2 == most:
            found[again, other, waiting] = found.get((again, other, waiting), 0) + 1
        else:
            deal(again + 1, other, waiting + 1)
            deal(again, other + 1, waiting - 1)

    deal(0, 0, 2)
    return found


def split_value(
    s: Shoe, h: Hands, start: int, rank: int, up: int, plays: np.ndarray, most: int, one_card: bool
) -> float:
    """Return the value of a pair that is split, and split again whenever possible until there are `most` hands.

    Values are linear, so a condition that k hands have a second card of another rank is one of removed cards of the
    pair's rank, by inclusion and exclusion.
    """
    gone = np.zeros(h.cards.shape[1], np.int64)
    gone[rank], gone[up] = 2, gone[up] + 1 + 2 * (rank == up)
    chance, value = [1.0], []  # of m more cards of the rank; of a hand if these are gone
    for m in range(2 * most - 3):
        value.append(split_hand(s, h, start, rank, up, 1 + m, plays, one_card))
        chance.append(chance[m] * draw_chance(s, gone, gone.sum(), up, rank))
        if chance[-1] == 0:
            break
        gone[rank] += 1

    def mean(again: int, others: int, part: int) -> float:
        """The value of a hand if `others` others have second cards of other ranks, times the probability of that."""
        terms = range(min(others, len(value) - 1 - again) + 1)
        return sum((-1) ** i * comb(others, i) * chance[again + i] * value[again + i][part] for i in terms)

    return sum(
        ways * ((other and other * mean(again, other - 1, 1)) + (waiting and waiting * mean(again, other, 0)))
        for (again, other, waiting), ways in deals(most).items()
        if again < len(value)
    )


def solve(groups: Sequence[Sequence[Hand]], rules: DealerGame, averaged: bool) -> np.ndarray:
    """Return the values in bets by which plays are chosen, (R, H, 5), by (card shown, hand, PLAYS).

    groups : see Hands. averaged : whether values are averages over each group. Values are NaN for plays that are not
    allowed, and for hands that the shoe does not have.
    """
    h = Hands.of(groups, rules)
    s = Shoe.of(rules, int(h.size.max()) + 8)
    hands, ranks = [hand for group in groups for hand in group], len(rules.ranks)
    number = {hand: i for i, hand in enumerate(hands)}
    q, again, other = np.empty((3, len(hands), len(PLAYS)))
    means, plays = np.empty((ranks, *q.shape)), np.zeros(len(hands), np.int64)
    at = np.flatnonzero(h.size == 2)
    may = np.array([[play in rules.actions(hands[i], False) for play in PLAYS] for i in at])
    may_double = np.array([DOUBLE in rules.actions(hand, True) and not rules.is_natural(hand) for hand in hands])
    for up in range(ranks):
        first_plays(s, h, up, averaged, -1, may_double, q, means[up], plays)
        for i, allowed in zip(at, may, strict=True):
            if allowed[PLAYS.index(SPLIT)] and not np.isnan(means[up, i, 0]):
                rank = hands[i].index(2)
                if not averaged and not rules.infinite:
                    first_plays(s, h, up, False, rank, may_double, again, other, plays)
                start, one_card = number[tuple(int(r == rank) for r in range(ranks))], rules.one_card(rank)
                ways = (split_value(s, h, start, rank, up, plays, m, one_card) for m in {2, rules.most_hands(rank)})
                means[up, i, PLAYS.index(SPLIT)] = max(ways)
        means[up, at] = np.where(may, means[up, at], np.nan)
    return means
