"""Check the distribution of a sheet's final score: play each strategy forward from the fresh card, in doubles.

Decisions depend on the card but not on the score. So each card's turn is played once to find the probability of each
entry, and the entry's points are added to all scores of the card. All terms are positive, so the relative error of a
probability is a few roundings per turn.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.sheets.by_score import of_play
from dicebase.certify.sheets.one_roll.distribution import check_scores
from dicebase.certify.sheets.turn import (
    Cards,
    Turn,
    cards_of,
    entry_worths,
    most_points,
    one_turn,
    rated_keeps,
    throw_again,
    used,
)
from dicebase.matches import LEAST
from dicebase.matches.distribution import SheetDistribution
from dicebase.vocabulary.kernels import inner, kernel

TIE = 1e-9
"""Actions whose values differ by at most this are equally good; the strategy takes the first."""
ABOVE = 10_000
"""More points than any box can score, so that `upper_first` fills an upper box while one is open."""


def check(listing: SheetDistribution, published: Published, fail: Fail) -> Finding:
    """Play all strategies forward and compare every probability."""
    cards, boxes = cards_of(listing.rules), len(listing.rules.boxes)
    error, most = boxes * rounding(cards.turn), most_points(cards.turn)
    chances = {strategy: played(cards, strategy) for strategy in listing.strategies}
    again = {name: {s: p for s, p in enumerate(found.tolist()) if p >= LEAST} for name, found in chances.items()}
    worst = check_scores(published, again, 4 * error, fail)
    mean = float(np.arange(len(chances["optimal"])) @ chances["optimal"])
    value, bound = float(cards.values[cards.fresh]), 4 * error * most
    if not abs(mean - value) <= bound + boxes * (one_turn(cards.turn, float(most)) + TIE * cards.turn.rolls):
        fail(None, f"the best strategy earns {mean!r} on average, but its cards have the value {value!r}")
    proof = "played forward in doubles: no probability differs by more"
    return Finding(mean, bound, worst + error, worst, proof)


def rounding(turn: Turn) -> float:
    """Return the relative rounding error of playing one turn forward."""
    # A sum has one term for each throw that leads to a keep, each keep that leads to a throw, or each way to score.
    return EPSILON * (len(turn.begin) + 2 * len(turn.of) + len(turn.ways))


def played(cards: Cards, strategy: str) -> np.ndarray:
    """Return the probability of each final score under a strategy, from 0 on."""
    scores, there = of_play(cards.turn, cards.there), np.zeros_like(cards.there)
    chances, values = scores.start(cards), cards.values * (strategy == "optimal")
    there[cards.fresh] = True
    for opened in range(len(there) - 1, 0, -1):
        upper, bonus = np.nonzero(there[opened])
        if len(upper):
            worth = rated(cards, strategy, values, opened, upper, bonus)
            chosen = np.zeros(worth.shape)
            ends(cards.turn, worth, chosen, np.ones(len(upper)), None)
            _move(cards.turn, opened, upper, bonus, chosen, scores, chances, there)
    return scores.final(chances)


def rated(
    cards: Cards, strategy: str, values: np.ndarray, opened: int, upper: np.ndarray, bonus: np.ndarray
) -> np.ndarray:
    """Return how a strategy rates each entry, (entries, cards), on the cards with these boxes open.
    values : (open boxes, upper total, bonus), the values that it gives to cards: zero except for `optimal`."""
    worth = entry_worths(cards.turn, opened, upper, bonus, values)
    if strategy == "upper_first":  # upper boxes before others, by points above their share of the bonus
        parts = cards.rules.shares
        for e, (box, points, *_) in enumerate(cards.turn.entries.tolist()):
            worth[e, worth[e] > -np.inf] = ABOVE + points - parts[box] if parts[box] else points
    return worth


@kernel(_nrt=True)
def ends(turn, of_entries, chosen, start, truth):
    """Add to `chosen` (entries, cards) the probability that each card's turn ends with each entry. start : (cards,),
    the probability of each card; of_entries : (entries, cards), the values to the player. Return the expected losses of
    keeps, by rerolls left, and of entries; `truth`, if given, holds the entries' true values that measure losses."""
    rated = rated_keeps(turn, of_entries)
    best = rated if truth is None else rated_keeps(turn, truth)
    lost_by_keep, lost = np.zeros((turn.rolls, len(turn.begin) - 1)), np.zeros(len(turn.entries))
    chance = np.zeros((len(turn.of) - 1, len(start)))
    for p in range(turn.begin[0], turn.begin[1]):
        chance[turn.to[p]] = turn.weight[p] / turn.total * start
    for left in range(turn.rolls - 1, 0, -1):
        kept = np.zeros((len(turn.begin) - 1, len(start)))
        for throw in range(len(chance)):
            actions = turn.kept[turn.under[throw] : turn.under[throw + 1]]
            _choose(rated[left], best[left], actions, chance[throw], kept, lost_by_keep[left])
        throw_again(turn, kept, chance)
    true = of_entries if truth is None else truth
    for throw in range(len(chance)):
        _choose(of_entries, true, turn.ways[turn.of[throw] : turn.of[throw + 1]], chance[throw], chosen, lost)
    return lost_by_keep.sum(axis=1), lost


@inner
def _choose(worth, truth, actions, chance, chosen, lost):
    """Give the probability of each card to the first of the best actions by `worth`; add its loss by `truth`."""
    for c in range(len(chance)):
        best = most = -np.inf
        for action in actions:
            best, most = max(best, worth[action, c]), max(most, truth[action, c])
        for action in actions:
            if worth[action, c] >= best - TIE:
                chosen[action, c] += chance[c]
                lost[action] += chance[c] * (most - truth[action, c])
                break


@kernel
def _move(turn, opened, upper, bonus, chosen, scores, chances, there):
    """Move the scores of cards on by the points of the chosen entries; mark the next cards in `there`."""
    for c in range(len(upper)):
        card = (opened, upper[c], bonus[c])
        low, high = scores.first[card], scores.first[card] + scores.many[card]
        while low < high and chances[low] == 0.0:
            low += 1
        while low < high and chances[high - 1] == 0.0:
            high -= 1
        for e in range(len(turn.entries)):
            if chosen[e, c] > 0.0:
                earned, then = used(turn, e, opened, upper[c], bonus[c])
                there[then] = True
                ahead = scores.first[then] + scores.low[card] + earned - scores.low[then] - scores.first[card]
                for place in range(low, high):
                    chances[place + ahead] += chosen[e, c] * chances[place]
