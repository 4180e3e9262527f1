"""The tables of the best cards for turns: the search of each language, and the costs of the cards that it finds."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from dicebase.matches.card_listing import Language
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.matches.turns.cards import Cards
from dicebase.matches.turns.hold_at import AXES, WORD, parts_of
from dicebase.matches.turns.race_cards import RaceCards
from dicebase.matches.turns.turn_cards import TurnCards
from dicebase.solvers.cards import MOST_BOXES, SAME, AgainstFixed, Range, ranges, search
from dicebase.solvers.plays import Play
from dicebase.solvers.turns.boxes import Against, Box
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.exact_turn import far_worth, solve_exactly
from dicebase.solvers.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.turn_players import TurnPlayers

MOST_POSITIONS = 10**9  # positions in all boxes of a search

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
    yield _best_cards(listing, (1, 1, totals), lambda box: best - against.solve(box)[0])


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
    yield _best_cards(listing, (T, 1, T), lambda box: -against.solve(box)[0] - fewest)


def duel(listing: DuelCards) -> Iterator[Rows]:
    """Yield the best card of each language, with its cost and the cost against the best response to it."""
    players, T = TurnPlayers(listing.optimal), listing.count
    optimal = players.play_of(players.policy(OPTIMAL))

    def worst(policy: str) -> float:
        _, best, card = players.respond(players.play_of(players.policy_of(listing.policy(policy))))
        return float(best[0, 0] - card[0, 0])

    yield _best_cards(listing, (T, T, T), _cost_in_duel(listing, players, optimal), worst)


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


def _best_cards(listing: Cards, shape: tuple[int, int, int], cost: Cost, *worst: Callable[[str], float]) -> Rows:
    """Return the rows of the best cards.

    shape : numbers of the player's totals, the opponent's, and turn totals. worst : the cost of a policy against the
    best response to it, in a duel.
    """
    rows, modes = Rows(listing), len(listing.rules.modes)
    most = min(MOST_BOXES, MOST_POSITIONS // int(np.prod(shape if modes > 1 else shape[:2]) * modes))
    for name, language in sorted(listing.languages.items()):

        def bound(numbers: dict[str, Range], language: Language = language) -> float:
            return cost(_box(listing, shape, language, numbers))

        found = search(language.numbers, bound, most)
        policy, words = language.filled(found.numbers), listing.in_words(name, found.numbers)
        # Rounding can make the cost of the best play negative.
        costs = [max(x, 0.0) for x in (found.cost, *(of(policy) for of in worst))]
        proved = found.least >= found.cost - SAME
        rows.add_row(name, *costs, min(found.least, costs[0]), proved, words, f"{WORD} {policy}")
    return rows


def _box(listing: Cards, shape: tuple[int, int, int], language: Language, numbers: dict[str, Range]) -> Box:
    """Return what the cards do whose numbers are in these ranges."""
    (hold, keep), modes = parts_of(language.formula), len(listing.rules.modes)
    axes = {name: np.roll((-1, 1, 1), axis) for axis, name in enumerate(AXES)}
    known = {name: np.array(x).reshape(axes.get(name, (1, 1, 1))) for name, x in listing.features.items()}
    branches = ranges(hold, {name: (x, x) for name, x in known.items()} | numbers)
    stops = np.empty((2, len(branches), *shape[:2], modes), dtype=np.int64)
    for n, (least, greatest, possible) in enumerate(branches):
        stops[1, n] = -(-greatest // listing.unit)
        stops[0, n] = np.where(possible, -(-least // listing.unit), stops[1, n] + 1)
    total, dice = listing.unit * np.arange(shape[2]), known.get("dice", np.zeros(modes, int)).ravel()
    scores = []
    for these, of in ((total, np.int64(0)), (total[:, np.newaxis], dice)):
        least, greatest, _ = ranges(keep, {"total": (these, these), "dice": (of, of)} | numbers)[0]
        whole = np.broadcast_shapes(these.shape, of.shape)
        scores.append(np.array([np.broadcast_to(x, whole) for x in (least, greatest)], float))
    return Box(stops, *scores)
