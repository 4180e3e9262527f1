"""Distributions of the final score of a sheet: played forward from the fresh card, turn by turn, in doubles.

What a strategy does in a turn depends on the card and not on the score. So a turn is played once a card: how likely it
is to end with each way to fill a box; and the scores with which play comes to the card move on by what that earns. All
terms are positive: a probability is wrong by no more than a few roundings a turn, relatively.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published
from dicebase.certify.sheets.one_roll.distribution import check_scores
from dicebase.certify.sheets.score import one_turn
from dicebase.certify.sheets.turn import (
    Turn,
    empty,
    entry_worths,
    most_points,
    rated_keeps,
    reach,
    starts,
    throw_again,
    turn_of,
    used,
)
from dicebase.matches import LEAST
from dicebase.matches.distribution import SheetDistribution
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.kernels import inner, kernel

simulated = unplayed

TIE = 1e-9
"""Actions worth as much as that are equally good, and the first is taken."""
ABOVE = 10_000
"""More than any box scores: while one of the upper section is open, `upper_first` fills it."""


def check(listing: SheetDistribution, published: Published, fail: Fail) -> Finding:
    """Play the strategies forward again and compare every probability."""
    rules, turn = listing.rules, turn_of(listing.rules)
    cards = empty(rules, turn)
    reach(turn, cards)
    values, largest = np.zeros(cards.shape), np.zeros(len(cards))
    starts(turn, cards, values, values, largest)
    # Each turn: of a keep and of a throw all that lead there are summed, and of a score all ways to earn it.
    rounding = EPSILON * len(rules.boxes) * (len(turn.begin) + 2 * len(turn.of) + len(turn.ways))
    chances = {strategy: played(rules, turn, strategy, values, cards) for strategy in listing.strategies}
    again = {name: {s: p for s, p in enumerate(found.tolist()) if p >= LEAST} for name, found in chances.items()}
    worst = check_scores(published, again, 4 * rounding, fail)
    mean = float(np.arange(len(chances["optimal"])) @ chances["optimal"])
    value, bound = float(values[rules.fresh.open, 0, 0]), 4 * rounding * most_points(turn)
    turns = sum(one_turn(turn, float(most)) for most in np.sort(largest)[-len(rules.boxes) :])
    if not abs(mean - value) <= bound + turns + len(rules.boxes) * TIE * turn.rolls:
        fail(None, f"the best strategy earns {mean!r} in the mean, its cards are worth {value!r}")
    proof = "played forward in doubles: no probability differs by more"
    return Finding(mean, bound, worst + rounding, worst, proof)


def played(rules: Sheet, turn: Turn, strategy: str, values: np.ndarray, cards: np.ndarray) -> np.ndarray:
    """The probability of each final score, from 0 on.

    values : of cards, by (open boxes, upper total, bonus), for who maximises them.
    cards : those that play comes to, in the same shape.
    """
    most = np.zeros(len(rules.boxes), np.int64)
    for box, points, _, further, *_ in turn.entries.tolist():
        most[box] = max(most[box], points + further)
    widths = turn.upper_bonus + 1 + np.cumsum([0, *sorted(most.tolist(), reverse=True)])
    nothing, pars = np.zeros(cards.shape), pars_of(rules, turn)
    place = np.cumsum(cards.reshape(len(cards), -1), axis=1).reshape(cards.shape) - 1
    full = rules.fresh.open
    reached = {full: np.eye(1, widths[0])}
    for filled in range(len(rules.boxes)):
        after: dict[int, np.ndarray] = {}
        for free in sorted(reached, reverse=True):
            chances = reached.pop(free)
            live = chances.any(axis=1)
            upper, bonus = (at[live] for at in np.nonzero(cards[free]))
            worth = entry_worths(turn, free, upper, bonus, values if strategy == "optimal" else nothing)
            if strategy == "upper_first":
                prefer_upper(turn, pars, worth)
            chosen = np.zeros(worth.shape)
            ends(turn, worth, chosen)
            for box in (b for b in range(len(rules.boxes)) if free >> b & 1):
                left = free & ~(1 << box)
                if left not in after:
                    after[left] = np.zeros((int(cards[left].sum()), widths[filled + 1]))
                _move(turn, box, upper, bonus, chosen, place[left], chances[live], after[left])
        reached = after
    return reached[0].sum(axis=0)


def pars_of(rules: Sheet, turn: Turn) -> np.ndarray:
    """The part of each box in what earns the upper bonus; less than 0 where it is no box of the upper section."""
    most = np.zeros(len(rules.boxes))
    for box, _, upper, *_ in turn.entries.tolist():
        most[box] = max(most[box], upper)
    return np.where(most > 0, rules.upper_at * most / max(1, most.sum()), -1.0)


def prefer_upper(turn: Turn, pars: np.ndarray, worth: np.ndarray) -> None:
    """Rate entries as `upper_first` does: those of the upper section above all others, by points above their part."""
    for e, (box, points, *_) in enumerate(turn.entries.tolist()):
        allowed = worth[e] > -np.inf
        worth[e, allowed] = points if pars[box] < 0 else ABOVE + points - pars[box]


@kernel(_nrt=True)
def ends(turn, of_entries, chosen):
    """Into `chosen`, (entries, cards): how likely a turn ends with each entry, where these are worth that."""
    cards, rated = of_entries.shape[1], rated_keeps(turn, of_entries)
    chance = np.zeros((len(turn.of) - 1, cards))
    for p in range(turn.begin[0], turn.begin[1]):
        chance[turn.to[p]] = turn.weight[p] / turn.total
    for left in range(turn.rolls - 1, 0, -1):
        kept = np.zeros((len(turn.begin) - 1, cards))
        for throw in range(len(chance)):
            _choose(rated[left], turn.kept[turn.under[throw] : turn.under[throw + 1]], chance[throw], kept)
        throw_again(turn, kept, chance)
    for throw in range(len(chance)):
        _choose(of_entries, turn.ways[turn.of[throw] : turn.of[throw + 1]], chance[throw], chosen)


@inner
def _choose(worth, actions, chance, chosen):
    """Give the chance of each card to the first of the best actions."""
    for c in range(len(chance)):
        best = -np.inf
        for action in actions:
            best = max(best, worth[action, c])
        for action in actions:
            if worth[action, c] >= best - TIE:
                chosen[action, c] += chance[c]
                break


@kernel
def _move(turn, box, upper, bonus, chosen, place, chances, after):
    """Move scores on by what the entries of a box earn, to the cards that they lead to."""
    for c in range(len(upper)):
        low, high = 0, chances.shape[1]
        while chances[c, low] == 0.0:
            low += 1
        while chances[c, high - 1] == 0.0:
            high -= 1
        for e in range(len(turn.entries)):
            if turn.entries[e, 0] == box and chosen[e, c] > 0.0:
                earned, then = used(turn, e, 0, upper[c], bonus[c])
                share, row = chosen[e, c], place[then[1:]]
                for score in range(low, high):
                    after[row, score + earned] += share * chances[c, score]
