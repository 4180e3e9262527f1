"""Rows of the tables of score sheets, in doubles, one function per match format."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches import LEAST
from dicebase.matches.distribution import SheetDistribution
from dicebase.matches.sheets.exceed import SheetChance
from dicebase.matches.sheets.losses import SheetLosses
from dicebase.matches.sheets.score import SheetScore
from dicebase.matches.sheets.score_cards import Pars, ScoreCards
from dicebase.matches.sheets.sheets import SheetListing
from dicebase.matches.sheets.versus import SheetResponse
from dicebase.matches.sheets.versus_matchups import SheetMatchups
from dicebase.solvers.cards import Found
from dicebase.solvers.sheets.entries import entries_of
from dicebase.solvers.sheets.losses import losses as losses_of
from dicebase.solvers.sheets.pars import earned_by_cards, first_pars, search
from dicebase.solvers.sheets.payoffs import earned_by, maximise, scores_for
from dicebase.solvers.sheets.plays import final_scores, strategies
from dicebase.solvers.sheets.scores import scored, scores_of_play, scores_to_reach, where_play_comes
from dicebase.solvers.sheets.values import solve_sheet
from dicebase.tables.writer import Rows
from dicebase.tabulate.cards.rows import best_cards


def score(listing: SheetScore) -> Iterator[Rows]:
    """Yield the value at the start of every turn; lookups derive decisions from these values."""
    values = solve_sheet(listing.rules, listing.reached)
    cards = _cards(listing)
    cards = cards[cards[:, 0] > 0]
    yield Rows(listing).set_rows(*cards.T, values[cards[:, 0], cards[:, 2], cards[:, 1]])


def score_cards(listing: ScoreCards) -> Iterator[Rows]:
    """Yield the best card that the search finds; only a card as good as optimal play is proved."""
    rules, reached = listing.rules, listing.sheet.reached
    values = solve_sheet(rules, reached)
    first = first_pars(rules, values, where_play_comes(reached, rules.upper_at))

    def find(language: str) -> Found:
        weight, pars, points = search(rules, first, listing.numbers, earned_by_cards(rules))
        return Found(Pars(weight, tuple(pars.tolist())), float(values[rules.fresh.open, 0, 0]) - points, 0.0)

    yield best_cards(listing, find)


def _cards(listing: SheetListing) -> np.ndarray:
    """Return the cards that play reaches, including full ones, as sorted rows (open, upper, bonus)."""
    return np.argwhere(where_play_comes(listing.reached, listing.rules.upper_at).transpose(0, 2, 1))


def exceed(listing: SheetChance) -> Iterator[Rows]:
    """Yield the best probability and the score-optimal strategy's probability of scoring at least each number of
    further points that a listed card can score."""
    rules, reached, entries = listing.rules, listing.reached, entries_of(listing.rules)
    optimal, scores = strategies(rules, reached)["optimal"], scores_to_reach(rules, reached)
    last = int(scores.many[rules.fresh.open, 0, 0])
    # The greatest score can be the only goal, because a player who needs n points can be put n points below it.
    payoff = (np.arange(last + 1) == last) * 1.0
    best = maximise(payoff, scores, entries)
    *card, above, place = scores.rows(_cards(listing) if listing.every else np.array([rules.fresh]))
    needed, place = above + 1, place + scores.many[card[0], card[2], card[1]] - 2 * above - 1
    if listing.every:
        own = earned_by(optimal, payoff, scores, entries)[place]
    else:
        own = final_scores(optimal, scores_of_play(rules, reached), entries)[last::-1].cumsum()[::-1][needed]
    yield Rows(listing).set_rows(*card, needed, best[place], own)


def versus(listing: SheetResponse) -> Iterator[Rows]:
    """Yield the best response to the score-optimal strategy, for every listed card and all reachable points."""
    rules, reached, entries = listing.rules, listing.reached, entries_of(listing.rules)
    optimal, scores = strategies(rules, reached)["optimal"], scores_of_play(rules, reached)
    chances = final_scores(optimal, scores, entries)
    payoff = beats(chances)
    best = maximise(payoff, scores, entries)
    rows = np.array(scores.rows(_cards(listing) if listing.every else np.array([rules.fresh])))
    if listing.every:
        rows = rows[:, scored(scores, entries)[rows[-1]]]
    *card, above, place = rows
    own = earned_by(optimal, payoff, scores, entries)[place] if listing.every else np.array([chances @ payoff])
    yield Rows(listing).set_rows(*card, scores.low[card[0], card[2], card[1]] + above, best[place], own)


def beats(chances: np.ndarray) -> np.ndarray:
    """Return P(less) + P(equal) / 2 of each score against a score with the distribution `chances`."""
    return np.cumsum(chances) - chances / 2


def distribution(listing: SheetDistribution) -> Iterator[Rows]:
    """Yield all final scores with their probabilities, by strategy."""
    rules, reached, entries = listing.rules, listing.reached, entries_of(listing.rules)
    by_name, scores = strategies(rules, reached), scores_of_play(rules, reached)
    chances = ((name, enumerate(final_scores(by_name[name], scores, entries))) for name in listing.strategies)
    yield Rows(listing).add_rows((name, score, p) for name, of in chances for score, p in of if p >= LEAST)


def losses(listing: SheetLosses) -> Iterator[Rows]:
    """Yield the points that each kind of decision of each strategy loses per game."""
    by_name, rows = strategies(listing.rules, listing.reached), Rows(listing)
    for name in listing.strategies:
        found = losses_of(listing.rules, by_name[name], by_name["optimal"])
        rows.add_rows((name, *row) for row in sorted(zip(listing.decisions, *found, strict=True)))
    yield rows


def versus_matchups(listing: SheetMatchups) -> Iterator[Rows]:
    """Yield the result of every policy against every other, from the distributions of their scores."""
    rules, reached, entries = listing.rules, listing.reached, entries_of(listing.rules)
    scores = scores_of_play(rules, reached)
    chances = {name: final_scores(of, scores, entries) for name, of in strategies(rules, reached).items()}
    for name, against in {"response": "optimal", "response_2": "response"}.items():
        best = maximise(beats(chances[against]), scores, entries)
        chances[name] = scores_for(best, scores, entries)
    pairs = ((row, column, chances[row], chances[column]) for row in listing.policies for column in listing.policies)
    yield Rows(listing).add_rows((row, column, p @ beats(q), p @ q) for row, column, p, q in pairs)
