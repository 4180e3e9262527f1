"""Rows of the tables of score sheets with one roll a turn, one function per match format.

Probabilities of scores come from exact counts of games, and each is rounded once.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np

from dicebase.matches import LEAST
from dicebase.matches.distribution import ScoreDistribution
from dicebase.matches.sheets.exceed import ChanceToExceed
from dicebase.matches.sheets.rank import ExpectedRolls
from dicebase.matches.sheets.score import BestScore, ScoreBySets
from dicebase.matches.sheets.scorecards import FollowedPlacements
from dicebase.matches.sheets.versus import BestResponse
from dicebase.matches.sheets.versus_matchups import AHEAD, ScorecardMatchups
from dicebase.solvers.sheets.one_roll.payoffs import maximise
from dicebase.solvers.sheets.one_roll.policies import Card
from dicebase.solvers.sheets.one_roll.rank import exact_expected_rolls, expected_rolls
from dicebase.solvers.sheets.one_roll.same_rolls import Policy, SameRolls
from dicebase.solvers.sheets.one_roll.subsets import solve_subsets, subset_values
from dicebase.tables.writer import Rows
from dicebase.vocabulary import rank as ranked


def score(game: BestScore) -> Iterator[Rows]:
    """Yield every placement of every roll, in rationals; with many slots, only the value of each set, in doubles.

    If slots multiply, expected rolls give the value of the game as a rational in both cases.
    """
    stored = game.stored
    yield _followed(stored) if isinstance(stored, ScoreBySets) else _decisions(stored)


def _decisions(game: BestScore) -> Rows:
    rules = game.rules
    total = sum(rules.weights.values())
    values = solve_subsets(rules.weights, rules.slots, rules.gain)
    rows = Rows(game, exact=Fraction(values[-1], total**rules.slots))
    for free in range(1, 1 << rules.slots):
        scale = total ** (free.bit_count() - 1)
        for roll in rules.weights:
            state = (free, roll)
            actions = game.actions(state)
            afterstates = (game.afterstate(state, action) for action in actions)
            rows.add(state, actions, ranked([g * scale + values[rest] for rest, g in afterstates], scale))
    return rows


def _followed(listing: ScoreBySets) -> Rows:
    rules = listing.rules
    values = subset_values(Card(rules).chances, np.array(rules.gains, float))
    exact = None
    if rules.multiplies:
        exact = sum(
            f * e for f, e in zip(rules.factors, exact_expected_rolls(rules.weights, rules.slots)[-1], strict=True)
        )
    return Rows(listing, exact).set_rows(np.arange(1, len(values)), values[1:])


# The number of digits of the rationals grows with the number of slots, and time with its cube.
EXACT_SLOTS = 60


def rank(listing: ExpectedRolls) -> Iterator[Rows]:
    """Yield E_j[i] for every j up to the number of slots, in rationals if there are at most EXACT_SLOTS slots."""
    weights, slots = listing.rules.weights, listing.rules.slots
    exact = slots <= EXACT_SLOTS
    table = exact_expected_rolls(weights, slots) if exact else expected_rolls(weights, slots)
    rows = ((j, i, float(e)) for j, row in enumerate(table, start=1) for i, e in enumerate(row, start=1))
    total = sum(i * e for i, e in enumerate(table[-1], start=1)) if exact else None
    yield Rows(listing, total).add_rows(rows)


def distribution(listing: ScoreDistribution) -> Iterator[Rows]:
    """Yield all final scores with their probabilities, by strategy."""
    card, least = Card(listing.rules), listing.rules.least
    optimal = card.play_optimal()
    counted = {"clairvoyant": card.play_clairvoyant(), "optimal": optimal, "random": card.play_at_random()}
    rows = Rows(listing, exact=Fraction(sum(s * n for s, n in enumerate(optimal, start=least)), card.rules.games))
    for name in listing.strategies:
        for score, games in enumerate(counted[name], start=least):
            # Leave out probabilities whose terms, as doubles, might underflow near 1e-308.
            if (probability := games / card.rules.games) >= LEAST:
                rows.add_row(name, score, probability)
    yield rows


def exceed(listing: ChanceToExceed) -> Iterator[Rows]:
    """Yield the best and the score-optimal strategy's probability of enough points, before the roll, for every set of
    free slots and every number of points."""
    card = Card(listing.rules)
    # The greatest score can be the only goal, because a player who needs n points can be put n points below it.
    greatest = (np.arange(card.size) == card.size - 1) * 1.0
    needed = [np.arange(1, most + 1) for most in listing.most]
    yield _rows_of_payoff(listing, card, (greatest, greatest), needed, lambda points: listing.most[-1] - points)


def versus(listing: BestResponse) -> Iterator[Rows]:
    """Yield the best response to the score-optimal strategy, for every set of free slots and all reachable points."""
    card = Card(listing.rules)
    yield _rows_of_payoff(listing, card, _against(card), listing.reached, lambda points: points)


def _against(card: Card) -> tuple[np.ndarray, np.ndarray]:
    """Return P(the opponent scores less) + P(equal) / 2, and P(equal), by own final score from the least; each number
    is rounded once."""
    games = card.play_optimal()
    below = [0, *accumulate(games)]
    payoff = [(2 * less + equal) / (2 * card.rules.games) for less, equal in zip(below, games, strict=False)]
    return np.array(payoff), np.array([equal / card.rules.games for equal in games])


Matchup = tuple[str, str, str, float, float]  # the row's three keys, the win probability (tie = half), P(tie)


def versus_matchups(listing: ScorecardMatchups) -> Iterator[Rows]:
    """Yield the result of every policy against every other, with separate rolls and with the same rolls."""
    card = Card(listing.rules)
    yield Rows(listing).add_rows(sorted([*_alone(listing, card), *_same(listing, card)]))


def _alone(listing: ScorecardMatchups, card: Card) -> Iterator[Matchup]:
    """Yield matchups with separate rolls, from the exact distributions of scores; each number is rounded once."""
    games = _scores(listing, card)
    below = {name: [0, *accumulate(counted)] for name, counted in games.items()}
    pairs = card.rules.games**2
    for row, ours in games.items():
        for column, theirs in games.items():
            win = sum(n * less for n, less in zip(ours, below[column], strict=False))
            tie = sum(n * equal for n, equal in zip(ours, theirs, strict=True))
            yield "alone", row, column, (2 * win + tie) / (2 * pairs), tie / pairs


def _scores(listing: ScorecardMatchups, card: Card) -> dict[str, list[int]]:
    """Return the number of games that end with each score, by policy."""
    games = {"optimal": card.play_optimal(), "random": card.play_at_random()}
    for name, goal in listing.goals["alone"].items():
        games[name] = card.play(card.maximise(listing.payoff(goal, games)))
    return games


def _same(listing: ScorecardMatchups, card: Card) -> Iterator[Matchup]:
    names = listing.policies["same"]
    if not names:
        return
    two = SameRolls(card, max(AHEAD))
    policies = {"optimal": Policy(), "random": Policy(random=True)}
    values = two.response(policies["optimal"].assumed)
    for name, goal in listing.goals["same"].items():
        if goal.rival == "optimal":
            policies[name] = Policy(values, handicap=goal.ahead)
        else:
            placements = two.placements(policies[goal.rival])
            policies[name] = Policy(two.response(placements), placements)
    for i, row in enumerate(names):
        for column in names[i:]:
            win, tie = two.play(policies[row], policies[column])
            # Sums of doubles may exceed 1 by a rounding error, and a policy against itself wins exactly half.
            probability, tie = 0.5 if row == column else min(1.0, win + tie / 2), min(1.0, tie)
            yield "same", row, column, probability, tie
            if row != column:
                yield "same", column, row, 1 - probability, tie


def _rows_of_payoff(
    listing: FollowedPlacements,
    card: Card,
    payoffs: tuple[np.ndarray, np.ndarray],
    points: Sequence[Sequence[int]],
    scored: Callable[[np.ndarray], np.ndarray],
) -> Rows:
    """Return rows by set of free slots and points, with the values of optimal play and of the score-optimal strategy.

    payoffs : the payoff and the tie, by final score from the least, as for `maximise`. points : the listing's column
    of points, by set. scored : maps this column to the points of the filled slots.
    """
    arrays = maximise(card.chances, card.shifts, card.order[:, :, 0].astype(np.int64), *payoffs)
    free, column = np.repeat(np.arange(len(points)), [*map(len, points)]), np.concatenate(points).astype(np.int64)
    least = sum((~free >> i & 1) * least for i, least in enumerate(card.gains.min(axis=1)))
    above = np.minimum(scored(column) - least, card.size - 1)
    return Rows(listing).set_rows(free, column, *(array[free, above] for array in arrays[: 1 + len(listing.more)]))
