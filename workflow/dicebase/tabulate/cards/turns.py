"""The tables of the best cards for turns: the search of each language, and the costs of the cards that it finds."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.turns.cards import Cards
from dicebase.matches.turns.hold_at import WORD
from dicebase.matches.turns.race_cards import RaceCards
from dicebase.matches.turns.turn_cards import TurnCards
from dicebase.solvers.cards import MOST_BOXES, SAME, AgainstFixed, Found, search
from dicebase.solvers.plays import Play
from dicebase.solvers.turns.boxes import Against, Box
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.exact_turn import far_worth, solve_exactly
from dicebase.solvers.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.cards.boxes import Shape, box_of
from dicebase.tabulate.cards.large_matches import LargeMatch
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary.progress import reporter

MOST_POSITIONS = 10**9  # positions in all boxes of a search
FEWEST_BOXES = 10_000  # a match that allows fewer is left to local search, because they would prove nothing

Find = Callable[[str], Found]
"""Maps a language to its best card."""

Cost = Callable[[Box], float]
"""Maps a box to a lower bound on the cost of its cards, and to the cost itself if it has one card."""


def turn(listing: TurnCards) -> Iterator[Rows]:
    """Yield the best card of each language, and the points that it loses in a turn."""
    turn = compile_turn(listing.rules)
    totals = listing.count + turn.max_gain
    alone = Play(np.zeros((1, 1, 2)), np.zeros((1, 1)), np.zeros((1, 1)))
    points = turn.unit * np.arange(totals + 1)[:, np.newaxis]
    against = Against(turn, np.array([turn.least_stop]), np.inf, points, np.zeros((1, 1)), alone)
    best = most_points(listing, turn)
    shape = 1, 1, totals
    yield _best_cards(listing, _bounded(listing, shape, lambda box: best - against.solve(box)[0]))


def most_points(listing: TurnCards, turn: CompiledTurn) -> float:
    """Return the expected points of the best turn."""
    continuation, T = FarTotals(listing.rules).continuation, listing.count
    tail = [far_worth(continuation, turn, t) for t in range(T, T + turn.max_gain)]
    return float(Fraction(*solve_exactly(turn, T, tail)[0][0]) * turn.unit)


def race(listing: RaceCards) -> Iterator[Rows]:
    """Yield the best card of each language, and the turns that it loses in a race."""
    turn, T = compile_turn(listing.rules), listing.count
    alone = Play(np.zeros((1, T, 2)), np.ones((1, T)), np.zeros((1, T)))
    against = Against(turn, _least(turn, T), -1.0, np.zeros((T + 1, 1)), np.full((T, 1), -1.0), alone)
    fewest = float(solve_race(turn, listing.target)[0])
    shape = T, 1, T
    yield _best_cards(listing, _bounded(listing, shape, lambda box: -against.solve(box)[0] - fewest))


def duel(listing: DuelCards) -> Iterator[Rows]:
    """Yield the best card of each language, with its cost and the cost against the best response to it."""
    shape = (listing.count,) * 3
    if _boxes(listing, shape) < FEWEST_BOXES:
        match = LargeMatch(listing)
        players, found = match.players[-1], match.search
    else:
        players = TurnPlayers(listing.optimal)
        optimal = players.play_of(players.policy(OPTIMAL))
        found = _bounded(listing, shape, _cost_in_duel(listing, players, optimal))

    def worst(policy: str) -> float:
        _, best, card = players.respond(players.play_of(players.policy_of(listing.policy(policy))))
        return float(best[0, 0] - card[0, 0])

    yield _best_cards(listing, found, worst)


def _cost_in_duel(listing: DuelCards, players: TurnPlayers, optimal: Play) -> Cost:
    turn, T = players.turn, players.T
    if len(turn.modes) > 1:
        # The player wins if a roll of the opponent loses the match.
        outs = 1.0 - optimal.busts - optimal.ends.sum(axis=2) if listing.duel.throws_out else np.zeros((T, T))
        against = Against(turn, _least(turn, T), 1.0, np.zeros((T + 1, T)), np.ascontiguousarray(outs.T), optimal)
        return lambda box: 1.0 - sum(against.solve(box))
    # A card has one number in each position, so the turns of every number are followed only once.
    every = listing.policy("0")._replace(stops=[[[turn.unit * n] for n in range(1, T + 1)]])
    fixed = AgainstFixed(players.play_of(players.policy_of(every)), optimal)

    def cost(box: Box) -> float:
        low, high = np.ascontiguousarray(np.clip(box.stops[..., 0], 1, T) - 1)
        return fixed.cost(low, np.where(box.stops[0, ..., 0] > box.stops[1, ..., 0], -1, high))

    return cost


def _least(turn: CompiledTurn, T: int) -> np.ndarray:
    """Return the least turn total with which a player may stop, in units, by the player's total."""
    return np.where(np.arange(T) == 0, turn.opening, turn.least_stop)


def _boxes(listing: Cards, shape: Shape) -> int:
    """Return the most boxes of a search by branch and bound."""
    modes = len(listing.rules.modes)
    return min(MOST_BOXES, MOST_POSITIONS // int(np.prod(shape if modes > 1 else shape[:2]) * modes))


def _bounded(listing: Cards, shape: Shape, cost: Cost) -> Find:
    """Return the function that finds the best card of a language by branch and bound."""

    def found(name: str) -> Found:
        language = listing.languages[name]
        return search(language.numbers, lambda box: cost(box_of(listing, shape, language, box)), _boxes(listing, shape))

    return found


def _best_cards(listing: Cards, find: Find, *worst: Callable[[str], float]) -> Rows:
    """Return the rows of the best cards. worst : the cost of a policy against the best response to it, in a duel."""
    rows, report = Rows(listing), reporter("language")
    for done, (name, language) in enumerate(sorted(listing.languages.items())):
        report(done, len(listing.languages))
        found = find(name)
        policy, words = language.filled(found.numbers), listing.in_words(name, found.numbers)
        # Rounding can make the cost of the best play negative.
        costs = [max(x, 0.0) for x in (found.cost, *(of(policy) for of in worst))]
        proved = found.least >= found.cost - SAME
        rows.add_row(name, *costs, min(found.least, costs[0]), proved, words, f"{WORD} {policy}")
    return rows
