"""SheetLosses: strategies played forward, card by card, and each decision held against the best one there.

The losses of a strategy must add up to what the best one earns more, by the distributions of both (distribution.py).
"""

import numpy as np

from dicebase.certify.finding import Fail, Finding, unplayed
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.sheets.distribution import TIE, played, rated
from dicebase.certify.sheets.turn import Cards, cards_of, most_points, one_turn, rated_keeps, throw_again, used
from dicebase.matches.losses import SheetLosses
from dicebase.vocabulary.kernels import inner, kernel

simulated = unplayed


def check(listing: SheetLosses, published: Published, fail: Fail) -> Finding:
    """Play both strategies and add their losses up again."""
    rules, cards = listing.rules, cards_of(listing.rules)
    turn, names = cards.turn, listing.decisions
    check_keys(published, [(strategy, name) for strategy in listing.strategies for name in names], fail)
    most = float(most_points(turn))
    # A loss is a difference of two values, and there are so many in a game.
    bound = 4 * rules.rolls * len(rules.boxes) ** 2 * one_turn(turn, most)
    worst = value = 0.0
    for strategy in listing.strategies:
        lost, times = np.zeros(len(names)), np.zeros(len(names))
        _play(cards, strategy, lost, times)
        chances = played(cards, strategy)
        less = float(cards.values[cards.fresh] - np.arange(len(chances)) @ chances)
        if not abs(lost.sum() - less) <= bound:
            fail(None, f"the losses of {strategy} add up to {lost.sum()!r}, it earns {less!r} less")
        rows = published.keys[0] == strategy
        place = [names.index(name) for name in published.keys[1][rows].tolist()]
        (counted,) = published.more
        keys = [key[rows] for key in published.keys]
        for said, theirs, ours in (("value", published.values, lost), ("times", counted, times)):
            differ = np.abs(theirs[rows] - ours[place])
            what = f"{said} is {{!r}}, played again it is {{!r}}"
            refuse(keys, fail, ~(differ <= bound), what, theirs[rows], ours[place])
            worst = max(worst, float(differ.max()))
        value = less if strategy == listing.strategies[0] else value
    return Finding(value, bound, bound + worst, worst, "played forward in doubles; the losses add up")


def _play(cards: Cards, strategy: str, lost: np.ndarray, times: np.ndarray) -> None:
    """Add up the losses of a strategy, and how often it decides, by decision."""
    chances, nothing = np.zeros((2, *cards.there.shape))
    chances[cards.fresh] = 1
    for opened in range(len(chances) - 1, 0, -1):
        upper, bonus = np.array(np.nonzero(chances[opened]))
        if len(upper):
            truth = rated(cards, "optimal", cards.values, opened, upper, bonus)
            worth = rated(cards, strategy, nothing, opened, upper, bonus)
            _turn(cards.turn, opened, upper, bonus, chances, worth, truth, lost, times)


@kernel(_nrt=True)
def _turn(turn, opened, upper, bonus, chances, worth, truth, lost, times):
    """The turns of all cards with these boxes open, side by side."""
    size, many = len(upper), len(turn.of) - 1
    boxes = len(lost) - turn.rolls + 1
    rated, best = rated_keeps(turn, worth), rated_keeps(turn, truth)
    chance = np.zeros((many, size))
    for p in range(turn.begin[0], turn.begin[1]):
        for c in range(size):
            chance[turn.to[p], c] = turn.weight[p] / turn.total * chances[opened, upper[c], bonus[c]]
    for left in range(turn.rolls - 1, 0, -1):
        kept = np.zeros((len(turn.begin) - 1, size))
        for throw in range(many):
            actions = turn.kept[turn.under[throw] : turn.under[throw + 1]]
            for c in range(size):
                action, given = _first(actions, rated[left], best[left], c)
                kept[action, c] += chance[throw, c]
                lost[boxes + left - 1] += chance[throw, c] * given
                times[boxes + left - 1] += chance[throw, c]
        throw_again(turn, kept, chance)
    for throw in range(many):
        actions = turn.ways[turn.of[throw] : turn.of[throw + 1]]
        for c in range(size):
            entry, given = _first(actions, worth, truth, c)
            box = turn.entries[entry, 0]
            lost[box] += chance[throw, c] * given
            times[box] += chance[throw, c]
            chances[used(turn, entry, opened, upper[c], bonus[c])[1]] += chance[throw, c]


@inner
def _first(actions, worth, truth, c):
    """(the first of the actions that are best by `worth`, what it loses by `truth`)."""
    best = most = -np.inf
    for action in actions:
        best, most = max(best, worth[action, c]), max(most, truth[action, c])
    for action in actions:
        if worth[action, c] >= best - TIE:
            return action, most - truth[action, c]
    return actions[0], 0.0
