"""The tables of the best cards for turns: the search of each language, and the costs of the cards that it finds."""

from collections.abc import Callable, Iterator

import numpy as np

from dicebase.matches.card_listing import Card
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.turns.cards import Cards
from dicebase.matches.turns.race_cards import RaceCards
from dicebase.matches.turns.turn_cards import TurnCards
from dicebase.solvers.cards import MOST_BOXES, AgainstFixed, Found
from dicebase.solvers.plays import Play
from dicebase.solvers.turns.boxes import Against, Box
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.cards.boxes import Shape, box_of
from dicebase.tabulate.cards.large_matches import LargeMatch
from dicebase.tabulate.cards.rows import best_cards, bounded
from dicebase.tabulate.turn_players import TurnPlayers, exact_rolls

MOST_POSITIONS = 10**9  # positions in all boxes of a search
FEWEST_BOXES = 10_000  # a match that allows fewer is left to local search, because they would prove nothing

Cost = Callable[[Box], float]
"""Maps a box to a lower bound on the cost of its cards, and to the cost itself if it has one card."""


def turn(listing: TurnCards) -> Iterator[Rows]:
    """Yield the best card of each language, and the points that it loses in a turn."""
    turn = compile_turn(listing.rules)
    totals = listing.count + turn.max_gain
    alone = Play(np.zeros((1, 1, 2)), np.zeros((1, 1)), np.zeros((1, 1)))
    points = turn.unit * np.arange(totals + 1)[:, np.newaxis]
    against = Against(turn, np.array([turn.least_stop]), np.inf, points, np.zeros((1, 1)), alone)
    best, shape = float(exact_rolls(listing.rules, turn, 1)[0][0] * turn.unit), (1, 1, totals)
    yield best_cards(listing, _bounded(listing, shape, lambda box: best - against.solve(box)[0]))


def race(listing: RaceCards) -> Iterator[Rows]:
    """Yield the best card of each language, and the turns that it loses in a race."""
    turn, T = compile_turn(listing.rules), listing.count
    alone = Play(np.zeros((1, T, 2)), np.ones((1, T)), np.zeros((1, T)))
    against = Against(turn, _least(turn, T), -1.0, np.zeros((T + 1, 1)), np.full((T, 1), -1.0), alone)
    fewest = float(solve_race(turn, listing.target)[0])
    shape = T, 1, T
    yield best_cards(listing, _bounded(listing, shape, lambda box: -against.solve(box)[0] - fewest))


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

    def worst(card: Card) -> float:
        policy = listing.policy(card.language.filled(card.numbers))
        _, best, theirs = players.respond(players.play_of(players.policy_of(policy)))
        return float(best[0, 0] - theirs[0, 0])

    yield best_cards(listing, found, worst)


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


def _bounded(listing: Cards, shape: Shape, cost: Cost) -> Callable[[str], Found]:
    """Return the function that finds the best card of a language by branch and bound."""
    most = _boxes(listing, shape)
    return lambda name: bounded(listing, name, lambda of, box: cost(box_of(listing, shape, of, box)), most)
