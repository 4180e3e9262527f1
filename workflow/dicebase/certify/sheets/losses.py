"""Check SheetLosses: play strategies forward, card by card, and compare each decision with the best one.

The losses of a strategy must add up to the difference between the best strategy's score and its own (distribution.py).
"""

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.sheets.distribution import ends, played, rated
from dicebase.certify.sheets.turn import Cards, cards_of, most_points, one_turn, used
from dicebase.matches.sheets.losses import SheetLosses


def check(listing: SheetLosses, published: Published, fail: Fail) -> Finding:
    """Play both strategies and add up their losses again."""
    rules, cards = listing.rules, cards_of(listing.rules)
    turn, names = cards.turn, listing.decisions
    check_keys(published, [(strategy, name) for strategy in listing.strategies for name in names], fail)
    most = float(most_points(turn))
    # Each decision of a game adds the error of two values.
    bound = 4 * rules.rolls * len(rules.boxes) ** 2 * one_turn(turn, most)
    worst = value = 0.0
    for strategy in listing.strategies:
        lost, times = np.zeros(len(names)), np.zeros(len(names))
        _play(cards, strategy, lost, times)
        chances, _ = played(cards, strategy)
        less = float(cards.values[cards.fresh] - np.arange(len(chances)) @ chances)
        if not abs(lost.sum() - less) <= bound:
            fail(None, f"the losses of {strategy} add up to {lost.sum()!r}, but it earns {less!r} less than the best")
        rows = published.keys[0] == strategy
        place = [names.index(name) for name in published.keys[1][rows].tolist()]
        (counted,) = published.more
        keys = [key[rows] for key in published.keys]
        for said, theirs, ours in (("value", published.values, lost), ("times", counted, times)):
            differ = np.abs(theirs[rows] - ours[place])
            what = f"{said} is {{!r}}, recomputed it is {{!r}}"
            refuse(keys, fail, ~(differ <= bound), what, theirs[rows], ours[place])
            worst = max(worst, float(differ.max()))
        value = less if strategy == listing.strategies[0] else value
    return Finding(value, bound, bound + worst, worst, "played forward in doubles; the losses add up")


def _play(cards: Cards, strategy: str, lost: np.ndarray, times: np.ndarray) -> None:
    """Add up the losses of a strategy, `lost`, and how often it decides, `times`, by decision."""
    turn, (chances, nothing) = cards.turn, np.zeros((2, *cards.there.shape))
    chances[cards.fresh] = 1
    for opened in range(len(chances) - 1, 0, -1):
        upper, bonus = np.nonzero(chances[opened])
        if not len(upper):
            continue
        start = chances[opened, upper, bonus]
        truth = rated(cards, "optimal", cards.values, opened, upper, bonus)
        worth = rated(cards, strategy, nothing, opened, upper, bonus)
        chosen = np.zeros(worth.shape)
        of_keeps, of_entries = ends(turn, worth, chosen, start, truth)
        boxes = turn.entries[:, 0]
        np.add.at(lost, boxes, of_entries)
        np.add.at(times, boxes, chosen.sum(axis=1))
        lost[len(cards.rules.boxes) :] += of_keeps[1:]
        times[len(cards.rules.boxes) :] += start.sum()
        for e, c in np.argwhere(chosen).tolist():
            chances[used(turn, e, opened, upper[c], bonus[c])[1]] += chosen[e, c]
