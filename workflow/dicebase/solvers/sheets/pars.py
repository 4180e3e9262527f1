"""The best card of pars for a score sheet: the points that a card earns, and a search for the card that earns most.

A card rates entries by their points, the pars of boxes and a weight of upper points, but not by the upper total. One
turn therefore serves all upper totals of the same open boxes.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np

from dicebase.solvers.local_search import Point, improved, moves
from dicebase.solvers.sheets.entries import Entries, entries_of
from dicebase.solvers.sheets.plays import Strategy, turn
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.kernels import kernel

WEIGHT = 2  # of upper points, with which the search begins
STEPS = (2, 1)  # the search changes numbers first by 2, then by 1

Earned = Callable[[int, np.ndarray], float]
"""Maps the weight of upper points and the pars, (boxes,), of a card to its expected points."""


def strategy_of(rules: Sheet, entries: Entries, weight: int, pars: np.ndarray) -> Strategy:
    """Return the strategy of a card. pars : (boxes,)."""
    above = weight * (entries.upper - np.array(rules.shares)[entries.box])
    nothing = np.zeros((1 << len(rules.boxes), 2, rules.upper_at + 1))
    return Strategy(entries.points + above - np.asarray(pars)[entries.box], True, 0, nothing)


def earned_by_cards(rules: Sheet) -> Earned:
    """Return the function that evaluates cards of a sheet."""
    entries = entries_of(rules)

    def earned(weight: int, pars: np.ndarray) -> float:
        strategy = strategy_of(rules, entries, weight, pars)
        chances = np.zeros_like(strategy.values)
        chances[rules.fresh.open, 0, 0] = 1
        return _earned(chances, entries, strategy)

    return earned


@kernel(_nrt=True, error_model="numpy")
def _earned(chances, entries, strategy):
    """Return the expected points of a strategy that rates entries in the same way at all upper totals. chances :
    (2**boxes, 2, upper totals), 1 for the fresh card and otherwise 0; becomes the probability of each card."""
    mean, at = 0.0, entries.upper_at
    for card in range(len(chances) - 1, 0, -1):
        for bonus in range(2):
            here = chances[card, bonus]
            reached = here.sum()
            if not reached:
                continue
            made = turn(card, bonus, 0, entries, strategy)
            for c in range(len(made)):
                if made[c]:
                    box, points, more, further, earns = entries.changes[c]
                    after = chances[card ^ 1 << box, bonus | earns]
                    mean += made[c] * reached * (points + bonus * further)
                    for upper in range(at - more):
                        after[upper + more] += made[c] * here[upper]
                    for upper in range(max(0, at - more), at + 1):
                        after[at] += made[c] * here[upper]
    return mean + entries.upper_bonus * chances[0, :, at].sum() * (at > 0)


def first_pars(rules: Sheet, values: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Return how much the value of a card falls when a box is filled with its share of the upper total, (boxes,): the
    mean over all sets of open boxes, with the upper total that is nearest to the shares of the other boxes.

    values, there : (2**boxes, 2, upper totals), the values of optimal play and whether play reaches the card.
    """
    cards, boxes = np.arange(len(values)), np.arange(len(rules.boxes))
    due = (cards[:, np.newaxis] >> boxes & 1 ^ 1) @ np.array(rules.shares)
    apart = np.abs(np.arange(values.shape[2]) - due[:, np.newaxis])
    upper = np.where(there[:, 0], apart, np.inf).argmin(axis=1)
    level = np.where(there[:, 0].any(axis=1), values[cards, 0, upper], np.nan)
    return np.array([np.nanmean(level[cards >> box & 1 == 1] - level[cards >> box & 1 == 0]) for box in boxes])


def search(rules: Sheet, first: np.ndarray, numbers: int, earned: Earned) -> tuple[int, np.ndarray, float]:
    """Return (weight, pars, expected points) of the best card found that has this many numbers.

    Boxes are ordered by `first`, (boxes,), and divided into groups with the same par, which is 0 for the first group.
    From the division with the least differences inside groups, the search changes one number or moves one end of a
    group at a time, numbers first by 2 and then by 1, until no such change earns more.
    """
    order, weighs = np.argsort(first, kind="stable"), int(rules.upper_bonus > 0)
    many = numbers - weighs
    starts, pars = _divided(first[order], many + 1)

    def card(x: Point) -> tuple[int, np.ndarray]:
        found, levels = np.zeros(len(order), int), (0, *x[weighs + many :])
        for start, level in zip((0, *x[weighs : weighs + many]), levels, strict=True):
            found[order[start:]] = level
        return (x[0] if weighs else 0), found

    @cache
    def loss(x: Point) -> float:
        rising = (0, *x[weighs : weighs + many], len(order)), (0, *x[weighs + many :])
        if not all(a < b for of in rising for a, b in pairwise(of)) or (weighs and x[0] < 1):
            return np.inf
        return -earned(*card(x))

    first_card = (WEIGHT,) * weighs + starts + pars
    ends = range(weighs, weighs + many)
    rounds = [moves([1 if at in ends else step for at in range(len(first_card))]) for step in STEPS]
    best = improved(first_card, loss, rounds)
    return *card(best), -loss(best)


def _divided(rising: np.ndarray, many: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Divide rising numbers into groups, merging the two neighbours that differ least. Return where each group
    except the first starts, and how far its mean, in whole numbers, is above that of the first."""
    groups = [[x] for x in rising.tolist()]
    while len(groups) > many:
        sizes, means = np.array([len(g) for g in groups]), np.array([np.mean(g) for g in groups])
        spread = sizes[1:] * sizes[:-1] / (sizes[1:] + sizes[:-1]) * np.diff(means) ** 2
        at = int(spread.argmin())
        groups[at : at + 2] = [groups[at] + groups[at + 1]]
    levels = [0]
    for group in groups[1:]:
        levels.append(max(levels[-1] + 1, round(np.mean(group) - np.mean(groups[0]))))
    return tuple(np.cumsum([len(g) for g in groups])[:-1].tolist()), tuple(levels[1:])
