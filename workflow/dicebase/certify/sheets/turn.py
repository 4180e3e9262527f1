"""Evaluate the turn of a score sheet from the rules by backward induction: the value of a keep is the expectation over
all throws that it can become, with integer weights, and a throw has the value of its best keep.

A card is a column of a matrix with one row per throw; all cards with the same open boxes are evaluated together.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON
from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.vocabulary import Scorecard, Sheet, multisets
from dicebase.vocabulary.kernels import inner, kernel

BLOCK = 16
"""Terms are summed in blocks of this size, and then the block sums are added, which rounds less."""


class Turn(NamedTuple):
    """A sheet's rules as arrays. Throws are sorted dice; `of`, `begin` and `under` begin with 0."""

    of: np.ndarray  # (throws + 1,): start of each throw's ways to fill boxes in `ways`
    ways: np.ndarray  # (.,): row of `entries`
    entries: np.ndarray  # (entries, 7): box, points, upper, further, earns, among, opened
    begin: np.ndarray  # (keeps + 1,): start of each keep's throws in `to` and `weight`; the first keep is empty
    to: np.ndarray  # (.,): a throw that the keep can become
    weight: np.ndarray  # (.,): its weight, out of sides**dice
    under: np.ndarray  # (throws + 1,): start of each throw's keeps in `kept`
    kept: np.ndarray  # (.,): a keep of the throw
    total: int  # sides**dice
    rolls: int
    upper_at: int
    upper_bonus: int


def turn_of(rules: Sheet) -> Turn:
    """Return the arrays of a sheet's rules."""
    throws = dict(multisets(rules.sides, rules.dice))
    keeps = [kept for count in range(rules.dice + 1) for kept, _ in multisets(rules.sides, count)]
    orders = {kept: ways for count in range(rules.dice + 1) for kept, ways in multisets(rules.sides, count)}
    numbers: dict[tuple, int] = {}
    ways = [[numbers.setdefault(tuple(e), len(numbers)) for e in rules.entries(throw)] for throw in throws]
    # Keeps with more dice come first and win ties.
    kept_of = [[k for n in range(rules.dice, -1, -1) for k in sorted({*combinations(throw, n)})] for throw in throws]
    becomes: dict[tuple, list[tuple[int, int]]] = {kept: [] for kept in keeps}
    for i, (throw, of_throw) in enumerate(zip(throws, kept_of, strict=True)):
        for kept in of_throw:
            thrown = tuple(sorted((Counter(throw) - Counter(kept)).elements()))
            becomes[kept].append((i, orders[thrown] * rules.sides ** len(kept)))
    number = {kept: k for k, kept in enumerate(keeps)}
    pairs = [pair for kept in keeps for pair in becomes[kept]]
    return Turn(
        _places(ways),
        np.array([w for of_throw in ways for w in of_throw]),
        np.array(list(numbers), np.int64),
        _places([becomes[kept] for kept in keeps]),
        np.array([i for i, _ in pairs]),
        np.array([weight for _, weight in pairs], float),
        _places(kept_of),
        np.array([number[kept] for of_throw in kept_of for kept in of_throw]),
        rules.sides**rules.dice,
        rules.rolls,
        rules.upper_at,
        rules.upper_bonus,
    )


def turn_of_roll(rules: Scorecard) -> Turn:
    """Return the arrays of a scorecard: a throw is a roll, which may fill any slot, and no dice are kept."""
    gains, rolls = np.array(rules.gains), np.arange(len(rules.odds) + 1)
    entries = np.zeros((gains.size, 7), np.int64)
    entries[:, 0], entries[:, 1] = np.tile(np.arange(rules.slots), len(rules.odds)), gains.T.ravel()
    chances = np.array([weight / sum(rules.odds) for weight in rules.odds])
    of, kept = rolls * rules.slots, np.zeros(0, np.int64)
    return Turn(of, np.arange(gains.size), entries, rolls[[0, -1]], rolls[:-1], chances, 0 * of, kept, 1, 1, 0, 0)


class Cards(NamedTuple):
    """A sheet and its turn; by (open boxes, upper total, bonus), whether play reaches a card, and its value if points
    are maximised; by open boxes, the largest value of a throw."""

    rules: Sheet | Scorecard
    turn: Turn
    there: np.ndarray
    values: np.ndarray
    largest: np.ndarray
    alone: Alone | None  # of a scorecard, whose best slots are found in integers

    @property
    def fresh(self) -> tuple[int, int, int]:
        """The card of a new game."""
        return len(self.there) - 1, 0, 0

    def each(self) -> Iterator[tuple[int, int, int]]:
        """Yield the cards with an open box, in ascending order of their open boxes."""
        yield from (tuple(card) for card in np.argwhere(self.there).tolist() if card[0])


@lru_cache(maxsize=1)
def cards_of(rules: Sheet | Scorecard) -> Cards:
    """Return the cards of a sheet; variants of a slice with the same rules share them."""
    turn = turn_of(rules) if isinstance(rules, Sheet) else turn_of_roll(rules)
    there = np.zeros((2 << turn.entries[:, 0].max(), turn.upper_at + 1, 1 + bool(turn.entries[:, 4].any())), bool)
    reach(turn, there)
    values, largest = np.zeros(there.shape), np.zeros(len(there))
    starts(turn, there, values, largest)
    return Cards(rules, turn, there, values, largest, None if isinstance(rules, Sheet) else Alone(rules))


def one_turn(turn: Turn, largest: float) -> float:
    """Bound the rounding error of a card's value, if no throw has a larger value than `largest`."""
    # Per roll: rounded products, block sums and a division; once more for adding the points of the box.
    return EPSILON * (turn.rolls * (min(BLOCK, len(turn.of)) + len(turn.of) // BLOCK + 3) + 1) * largest


def most_points(turn: Turn) -> int:
    """Return an upper bound on the final score."""
    most: dict[int, int] = {}
    for box, points, _, further, *_ in turn.entries.tolist():
        most[box] = max(most.get(box, 0), points + further)
    return sum(most.values()) + turn.upper_bonus


def _places(lists: list[list]) -> np.ndarray:
    return np.cumsum([0, *map(len, lists)])


@inner
def fits(turn, e, opened):
    """Return whether entry e may be used if these boxes are open."""
    box, _, _, _, _, among, needed = turn.entries[e]
    return opened >> box & 1 and opened & among == needed


@kernel
def used(turn, e, opened, upper, bonus):
    """Return the points scored and the next card if an entry that fits is used."""
    box, points, more, further, earns, _, _ = turn.entries[e]
    crosses = upper < turn.upper_at <= upper + more
    then = opened & ~(1 << box), min(turn.upper_at, upper + more), bonus | earns
    return points + further * bonus + turn.upper_bonus * crosses, then


@kernel
def reach(turn, reached):
    """Mark the cards that play reaches from a fresh one in `reached` (open boxes, upper total, bonus)."""
    reached[len(reached) - 1, 0, 0] = True
    for opened in range(len(reached) - 1, 0, -1):
        for e in range(len(turn.entries)):
            if fits(turn, e, opened):
                for upper in range(reached.shape[1]):
                    for bonus in range(reached.shape[2]):
                        if reached[opened, upper, bonus]:
                            reached[used(turn, e, opened, upper, bonus)[1]] = True


@kernel(_nrt=True)
def entry_worths(turn, free, upper, bonus, values):
    """Return the value of each entry on each card with these open boxes, (entries, cards); -inf if it does not fit.

    upper, bonus : (cards,); values : (open boxes, upper total, bonus).
    """
    worth = np.full((len(turn.entries), len(upper)), -np.inf)
    for e in range(len(turn.entries)):
        if fits(turn, e, free):
            for c in range(len(upper)):
                gained, then = used(turn, e, free, upper[c], bonus[c])
                worth[e, c] = gained + values[then]
    return worth


@inner
def best_actions(begins, actions, of_actions, worth):
    """Set `worth` (throws, cards) to the largest value of each throw's actions; of_actions : (actions, cards)."""
    worth[:] = -np.inf
    for throw in range(len(worth)):
        best = worth[throw]
        for p in range(begins[throw], begins[throw + 1]):
            other = of_actions[actions[p]]
            for c in range(len(best)):
                if other[c] > best[c]:
                    best[c] = other[c]


@kernel(_nrt=True)
def keeps(turn, worth, means):
    """Set `means` (keeps, cards) to the expectation of `worth` (throws, cards) after each keep."""
    part = np.empty(worth.shape[1])
    for k in range(len(means)):
        mean, end = means[k], turn.begin[k + 1]
        mean[:] = 0.0
        for block in range(turn.begin[k], end, BLOCK):
            part[:] = 0.0
            for p in range(block, min(block + BLOCK, end)):
                weight, x = turn.weight[p], worth[turn.to[p]]
                for c in range(len(part)):
                    part[c] += weight * x[c]
            for c in range(len(part)):
                mean[c] += part[c]
        for c in range(len(part)):
            mean[c] /= turn.total


@inner(_nrt=True)
def before_the_throw(turn, of_entries, worth, means):
    """Return the value of a turn before the first throw, (cards,); of_entries : (entries, cards). Overwrites `worth`
    (throws, cards) and `means` (keeps, cards)."""
    best_actions(turn.of, turn.ways, of_entries, worth)
    for _ in range(turn.rolls - 1):
        keeps(turn, worth, means)
        best_actions(turn.under, turn.kept, means, worth)
    keeps(turn, worth, means[:1])
    return means[0]


@inner(_nrt=True)
def rated_keeps(turn, of_entries):
    """Return the value of each keep by rolls left, (rolls, keeps, cards), index 0 unused; of_entries : (entries,
    cards)."""
    cards = of_entries.shape[1]
    worth, rated = np.empty((len(turn.of) - 1, cards)), np.empty((turn.rolls, len(turn.begin) - 1, cards))
    best_actions(turn.of, turn.ways, of_entries, worth)
    for left in range(1, turn.rolls):
        keeps(turn, worth, rated[left])
        best_actions(turn.under, turn.kept, rated[left], worth)
    return rated


@inner
def throw_again(turn, kept, chance):
    """Set `chance` (throws, cards), the probability of each throw, from that of each keep, `kept` (keeps, cards)."""
    chance[:] = 0.0
    for k in range(len(kept)):
        for p in range(turn.begin[k], turn.begin[k + 1]):
            share, there = turn.weight[p] / turn.total, chance[turn.to[p]]
            for c in range(kept.shape[1]):
                there[c] += share * kept[k, c]


@kernel(_nrt=True)
def starts(turn, reached, values, largest):
    """Set `values` to the value of every reached card, by (open boxes, upper total, bonus), and `largest` (open boxes,)
    to the largest value of a throw on the way."""
    for free in range(1, len(reached)):
        upper, bonus = np.nonzero(reached[free])
        if not len(upper):
            continue
        worth = np.empty((len(turn.of) - 1, len(upper)))
        means = np.empty((len(turn.begin) - 1, len(upper)))
        of_entries = entry_worths(turn, free, upper, bonus, values)
        best_actions(turn.of, turn.ways, of_entries, worth)
        largest[free] = np.abs(worth).max()
        mean = before_the_throw(turn, of_entries, worth, means)
        for c in range(len(upper)):
            values[free, upper[c], bonus[c]] = mean[c]
