"""Check the distribution of a sheet's final score: play each strategy forward from the fresh card, in doubles.

Decisions depend on the card but not on the score. So each card's turn is played once to find the probability of each
entry, and the entry's points are added to all scores of the card. All terms are positive, so the relative error of a
probability is a few roundings per turn.
"""

from collections.abc import Mapping

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.sheets.by_score import Scores, of_play
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
ANY = "any"
"""A strategy that may use every entry, to find the scores that play can reach."""


PROOF = "played forward in doubles: no probability differs by more"


def check(listing: SheetDistribution, published: Published, fail: Fail) -> Finding:
    """Play all strategies forward and compare every probability."""
    cards, boxes = cards_of(listing.rules), len(listing.rules.boxes)
    chances, errors = zip(*(played(cards, strategy) for strategy in listing.strategies), strict=True)
    by_name, error, most = dict(zip(listing.strategies, chances, strict=True)), max(errors), most_points(cards.turn)
    worst = check_scores(published, by_name, 0, 4 * error, fail)
    mean = float(np.arange(len(by_name["optimal"])) @ by_name["optimal"])
    value, bound = float(cards.values[cards.fresh]), 4 * error * most
    if not abs(mean - value) <= bound + boxes * (one_turn(cards.turn, float(most)) + TIE * cards.turn.rolls):
        fail(None, f"the best strategy earns {mean!r} on average, but its cards have the value {value!r}")
    return Finding(mean, bound, worst + error, worst, PROOF)


def check_scores(
    published: Published, by_name: Mapping[str, np.ndarray], least: int, tolerance: float, fail: Fail
) -> float:
    """Compare the published probabilities with those of each strategy, by final score from `least` on; return the
    largest difference. Fail if a relative difference exceeds `tolerance`, or if the scores differ."""
    again = {name: {s: p for s, p in enumerate(of.tolist(), least) if p >= LEAST} for name, of in by_name.items()}
    (names, scores), worst = published.keys, 0.0
    if other := set(names) - again.keys():
        fail(None, f"also has the strategies {sorted(other)}")
    for strategy, chances in again.items():
        rows = names == strategy
        said = dict(zip(scores[rows].tolist(), published.values[rows].tolist(), strict=True))
        if odd := said.keys() ^ chances.keys():
            fail((strategy, min(odd)), "is missing" if min(odd) in chances else "no game ends with this score")
        for score, chance in sorted(chances.items()):
            if not (difference := abs(said[score] - chance)) <= tolerance * chance:
                fail((strategy, score), f"probability is {said[score]!r}, played forward it is {chance!r}")
            worst = max(worst, difference)
    return worst


def rounding(turn: Turn) -> float:
    """Return the relative rounding error of an expectation over one turn."""
    # A sum has one term for each throw that leads to a keep or an entry, for each keep that leads to a throw, and for
    # each chosen entry. A term is rounded by half an EPSILON.
    throws, keeps = len(turn.of), len(turn.begin)
    return EPSILON / 2 * (turn.rolls * (throws + keeps + 2) + throws)


def played(cards: Cards, strategy: str) -> tuple[np.ndarray, float]:
    """Return the probability of each final score under a strategy, from the least on, at most 0, and the relative error
    of these probabilities."""
    scores = of_play(cards.turn, cards.there)
    chances, error = forward(cards, scores, strategy)
    return scores.final(chances), error


def forward(cards: Cards, scores: Scores, strategy: str) -> tuple[np.ndarray, float]:
    """Return the probability of each score of each card under a strategy, in the order of `scores`, and its relative
    error."""
    chances, terms = scores.start(cards), np.zeros(cards.there.shape, np.int64)
    terms[cards.fresh] = 1  # in the sum of each probability
    values = cards.values * (strategy == "optimal")
    for opened in range(len(terms) - 1, 0, -1):
        upper, bonus = np.nonzero(terms[opened])
        if len(upper):
            chosen = chosen_by(cards, strategy, values, opened, upper, bonus)
            _move(cards.turn, opened, upper, bonus, chosen, scores, chances, terms)
    sizes = np.bitwise_count(np.arange(len(terms)))
    most = [terms[sizes == size].max() for size in range(sizes[-1] + 1)]
    return chances, sizes[-1] * rounding(cards.turn) + EPSILON / 2 * sum(most)


def chosen_by(
    cards: Cards, strategy: str, values: np.ndarray, opened: int, upper: np.ndarray, bonus: np.ndarray
) -> np.ndarray:
    """Return the probability that a turn ends with each entry, (entries, cards), on the cards with these boxes open;
    `values` as for `rated`."""
    turn, chosen = cards.turn, np.zeros((len(cards.turn.entries), len(upper)))
    if strategy == "optimal" and cards.alone:  # doubles may not tell a good slot from a better one
        chosen[turn.of[:-1] + cards.alone.best[opened]] = turn.weight[:, np.newaxis]
        return chosen
    worth = rated(cards, strategy, values, opened, upper, bonus)
    if strategy == ANY:
        return np.isfinite(worth) / len(worth)
    ends(turn, worth, chosen, np.ones(len(upper)), None)
    return chosen


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
def _move(turn, opened, upper, bonus, chosen, scores, chances, terms):
    """Move the scores of cards on by the points of the chosen entries; count the entries that lead to each card."""
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
                terms[then] += 1
                ahead = scores.first[then] + scores.low[card] + earned - scores.low[then] - scores.first[card]
                for place in range(low, high):
                    chances[place + ahead] += chosen[e, c] * chances[place]
