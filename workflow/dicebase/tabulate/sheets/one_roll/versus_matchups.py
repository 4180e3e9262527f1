"""The matchups of a scorecard: every policy against every other, alone and with the same rolls."""

from collections.abc import Iterator
from itertools import accumulate

from dicebase.matches.versus_matchups import AHEAD, ScorecardMatchups
from dicebase.solve.sheets.one_roll.policies import Card
from dicebase.solve.sheets.one_roll.same_rolls import Policy, SameRolls
from dicebase.tables.writer import Rows

Matchup = tuple[str, str, str, float, float]  # the row, the probability and the tie


def tabulate(listing: ScorecardMatchups) -> Iterator[Rows]:
    """All pairs of policies."""
    card = Card(listing.rules)
    rows = Rows(listing)
    for row in sorted([*_alone(listing, card), *_same(listing, card)]):
        rows.add_row(*row)
    yield rows


def _alone(listing: ScorecardMatchups, card: Card) -> Iterator[Matchup]:
    """From the exact distributions of the scores, each number rounded once."""
    games = _scores(listing, card)
    below = {name: [0, *accumulate(counted)] for name, counted in games.items()}
    pairs = card.rules.games**2
    for row, ours in games.items():
        for column, theirs in games.items():
            win = sum(n * less for n, less in zip(ours, below[column], strict=False))
            tie = sum(n * equal for n, equal in zip(ours, theirs, strict=True))
            yield "alone", row, column, (2 * win + tie) / (2 * pairs), tie / pairs


def _scores(listing: ScorecardMatchups, card: Card) -> dict[str, list[int]]:
    """How many games end with each score, by policy."""
    games = {"optimal": card.play(card.optimal), "random": card.play_at_random()}
    for name, goal in listing.goals["alone"].items():
        games[name] = card.play(card.maximise(listing.payoff(goal, games)))
    return games


def _same(listing: ScorecardMatchups, card: Card) -> Iterator[Matchup]:
    names = listing.policies["same"]
    if not names:
        return
    two = SameRolls(card, max(AHEAD))
    values = two.response_to_optimal()
    policies = {"optimal": Policy(), "random": Policy(random=True)}
    for name, goal in listing.goals["same"].items():
        if goal.rival == "optimal":
            policies[name] = Policy(values, handicap=goal.ahead)
        else:
            placements = two.placements(policies[goal.rival])
            policies[name] = Policy(two.response(placements), placements)
    for i, row in enumerate(names):
        for column in names[i:]:
            win, tie = two.play(policies[row], policies[column])
            # Sums of doubles may come out a rounding above 1, and equal players are equal.
            probability, tie = 0.5 if row == column else min(1.0, win + tie / 2), min(1.0, tie)
            yield "same", row, column, probability, tie
            if row != column:
                yield "same", column, row, 1 - probability, tie
