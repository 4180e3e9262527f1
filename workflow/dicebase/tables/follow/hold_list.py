"""A ranked list of holds of a draw game: keep the first kind of hold on the list that you were dealt.

Two sets of cards are of one kind if as many of the final hands that contain them pay each amount. A kind therefore
depends only on the cards held, not on the discards.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicebase.matches.deals.draws import DrawReturn
from dicebase.tables.follow.ranking import StoredRows
from dicebase.vocabulary import HAND, NOTHING, RANKS, SUITS, write_cards
from dicebase.vocabulary.dice_and_cards.hand_classes import HandClasses, parts

EXAMPLES = 3


class Kind(NamedTuple):
    """A kind of hold: the best rank that its final hands reach, examples of its cards, and the mean coins of all final
    hands that contain them."""

    best: str
    examples: list[str]
    coins: float


def ranked_holds(
    listing: DrawReturn, stored: StoredRows, variant: Mapping[str, int | str]
) -> tuple[list[Kind], Fraction]:
    """Return kinds of holds in the order of the list, and what the list costs per coin bet compared with best play.

    If a hand has several holds of the first kind, the cost is that of the worst one. The list has the kinds that best
    play holds; each is put where it costs least against the others by pairs, so the order need not be the best.
    """
    rules = listing.rules
    names, classes = [*rules.payouts], HandClasses(rules.ranks)
    key = [np.full(len(classes.sets), number) for number in stored.key(variant)]
    paid = stored.rows("value", stored.numbers([*key, *parts(classes.sets).T[::-1]])).astype(np.int64)
    values, deals = classes.values(paid), classes.deals[classes.hands]
    rank = classes.ranked(rules.rank, names)
    coins = np.array([*rules.payouts.values()])
    amounts, best = np.unique(coins), np.full(len(classes.sets), len(names))
    for kept in classes.kept.T:
        np.minimum.at(best, kept, rank)
    counts = np.stack([classes.sizes, *(classes.sums(coins[rank] == amount) for amount in amounts)], axis=-1)
    kinds, kind = np.unique(counts, axis=0, return_inverse=True)
    mean = kinds[:, 1:] @ amounts / kinds[:, 1:].sum(axis=1)
    of = kind.ravel()[classes.kept]  # (hands, 32)
    used = np.unique(np.take_along_axis(of, values.argmax(axis=1)[:, np.newaxis], 1))
    used = used[np.argsort(-mean[used])]
    place = np.full(len(kinds), -1)
    place[used] = range(len(used))
    order = used[_ordered(_gains(place[of], values, deals, len(used)))]
    place[:] = len(kinds)  # kinds that are not on the list come last
    place[order] = range(len(order))
    first = place[of] == place[of].min(axis=1, keepdims=True)
    taken = np.where(first, values, np.iinfo(np.int64).max).min(axis=1)
    cost = Fraction(int(deals @ (values.max(axis=1) - taken)), int(deals.sum()) * classes.common)
    sets = [np.flatnonzero(kind.ravel() == k) for k in order]
    return [
        Kind(names[best[s].min()], _examples(classes, s), float(mean[k])) for k, s in zip(order, sets, strict=True)
    ], cost


def _gains(place: np.ndarray, values: np.ndarray, deals: np.ndarray, count: int) -> np.ndarray:
    """Return what it gains to hold kind i rather than j, (count, count), summed over the hands in which one of both
    holds is best. place : (hands, 32), the kinds, -1 for those that are left out."""
    gains, best = np.zeros((count, count)), values.max(axis=1)
    for i in range(values.shape[1]):
        for j in range(values.shape[1]):
            both = (place[:, i] >= 0) & (place[:, j] >= 0) & (np.maximum(values[:, i], values[:, j]) == best)
            gain = deals[both] * (values[both, i] - values[both, j])
            gains += np.bincount(place[both, i] * count + place[both, j], gain, count * count).reshape(gains.shape)
    return gains


def _ordered(gains: np.ndarray) -> list[int]:
    """Return an order of the kinds in which no single one gains from another place, by pairs."""
    order, moved = [*range(len(gains))], True
    while moved:
        moved = False
        for kind in [*order]:
            at = order.index(kind)
            others = order[:at] + order[at + 1 :]
            ahead = np.append(0, np.cumsum(gains[others, kind] - gains[kind, others]))
            if ahead.max() > ahead[at]:
                order, moved = [*others[: ahead.argmax()], kind, *others[ahead.argmax() :]], True
    return order


def _examples(classes: HandClasses, sets: np.ndarray) -> list[str]:
    """Return a few of some sets of cards whose ranks differ; one example is enough for five cards."""
    shown = {}
    for cards in classes.sets[sets[::-1]].tolist():
        held = [(RANKS[n % 13], SUITS[n // 13]) for n in range(52) if cards >> n & 1]
        held.sort(key=lambda card: -RANKS.index(card[0]))
        shown.setdefault("".join(rank for rank, _ in held), write_cards(held) or NOTHING)
        if len(shown) == EXAMPLES or len(held) == HAND:
            break
    return [*shown.values()]
