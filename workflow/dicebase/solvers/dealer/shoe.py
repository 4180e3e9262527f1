"""What is drawn from a shoe by the player and by the dealer."""

from typing import NamedTuple

import numpy as np

from dicebase.vocabulary import DealerGame, Hand, dealer_draws
from dicebase.vocabulary.kernels import kernel


class Shoe(NamedTuple):
    """What is drawn from a shoe, and the draws of the dealer by the rank of the card that shows."""

    falling: np.ndarray  # (R, removed, k), the number of ways to draw k cards of a rank in order
    falls: np.ndarray  # (removed, k), the same for any cards
    natural: np.ndarray  # (R, R), whether two ranks are a natural
    hidden: np.ndarray  # (R, R), whether the dealer who shows the first rank is known not to hide the second one
    begin: np.ndarray  # (R + 1,), the first draw after each card shown
    orders: np.ndarray  # (draws,), the number of orders
    final: np.ndarray  # (draws,), the dealer's total; 0 above the limit, limit + 1 for a natural
    size: np.ndarray  # (draws,), the number of cards
    items: np.ndarray  # (draws + 1,), the first entry of each draw in `rank` and `count`
    rank: np.ndarray
    count: np.ndarray
    fixed: np.ndarray  # (R, totals) from an infinite shoe, the value of standing on each total; otherwise empty

    @classmethod
    def of(cls, rules: DealerGame, most: int) -> "Shoe":
        """Prepare a shoe from which at most `most` cards of a rank, and of all ranks, are removed before draws."""
        ranks, drawn = len(rules.ranks), []
        one = np.eye(ranks, dtype=int)
        natural = np.array([[rules.is_natural(tuple((a + b).tolist())) for b in one] for a in one])
        hidden = natural & rules.peeks
        for up in range(ranks):
            sums: dict[Hand, int] = {}
            for first, draws in dealer_draws(rules, up).items():
                for cards, orders in draws.items() if not hidden[up, first] else ():
                    sums[cards] = sums.get(cards, 0) + orders
            drawn.append(sums)
        flat = [(up, cards, orders) for up, sums in enumerate(drawn) for cards, orders in sums.items()]
        final = []
        for up, cards, _ in flat:
            hand = tuple(n + (i == up) for i, n in enumerate(cards))
            total = rules.points(hand).total
            final.append(rules.limit + 1 if rules.is_natural(hand) else total * (total <= rules.limit))
        longest = max(sum(cards) for _, cards, _ in flat)
        counts = [sum(n > 0 for n in cards) for _, cards, _ in flat]
        item = [(i, n) for _, cards, _ in flat for i, n in enumerate(cards) if n]
        shape = (most + 1, longest + 1)
        found = cls(
            np.array([_falling(n, rules.infinite, *shape) for n in rules.shoe]),
            _falling(sum(rules.shoe), rules.infinite, *shape),
            natural,
            hidden,
            np.cumsum([0, *map(len, drawn)]),
            np.array([orders for *_, orders in flat], float),
            np.array(final),
            np.array([sum(cards) for _, cards, _ in flat]),
            np.cumsum([0, *counts]),
            *np.array(item).T,
            np.empty((0, 0)),
        )
        if not rules.infinite:
            return found
        none, totals = np.zeros(ranks, int), range(rules.limit + 1)
        return found._replace(
            fixed=np.array([[stand_value(found, none, 0, up, t) for t in totals] for up in range(ranks)])
        )


def _falling(count: int, infinite: bool, removed: int, longest: int) -> np.ndarray:
    """Return the number of ways to draw k of the cards that are left in order, by (number removed, k)."""
    left = np.maximum(0, count - (1 - infinite) * np.arange(removed)[:, None] - (1 - infinite) * np.arange(longest - 1))
    return np.hstack([np.ones((removed, 1)), np.cumprod(left.astype(float), axis=1)])


@kernel
def stand_value(s, removed, gone, up, total):
    """Return the value of standing on `total` if the cards `removed`, (R,), are gone, `gone` in all."""
    worth = possible = 0.0
    if len(s.fixed) > 0:
        return s.fixed[up, total]
    for d in range(s.begin[up], s.begin[up + 1]):
        chance = s.orders[d] / s.falls[gone, s.size[d]]
        for i in range(s.items[d], s.items[d + 1]):
            chance *= s.falling[s.rank[i], removed[s.rank[i]], s.count[i]]
        possible += chance
        worth += chance * ((total > s.final[d]) - (total < s.final[d]))
    return worth / possible


@kernel
def draw_chance(s, removed, gone, up, rank):
    """Return the probability that the player draws a card of a rank, given what the dealer's second card is not."""
    left, out = s.falls[gone, 1], 0.0
    for r in range(len(removed)):
        if s.hidden[up, r]:
            out += s.falling[r, removed[r], 1]
    one = s.falling[rank, removed[rank], 1]
    if out == 0:
        return one / left
    later = max(1.0, s.falls[gone, 2] / left)  # the cards left after this one; the same number in an infinite shoe
    out_later = out - s.hidden[up, rank] * (left - later)
    return one * (later - out_later) / ((left - out) * later)
