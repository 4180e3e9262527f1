"""The table of the best weighted sum of features on a board: every sum of the language is evaluated."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.boards.board_cards import BoardCards, Weights
from dicebase.matches.boards.preferences import features_after
from dicebase.solvers.boards.matchups import earned, pure
from dicebase.solvers.boards.positions import Positions, positions_of
from dicebase.solvers.boards.values import q_values, solve
from dicebase.solvers.cards import SAME, Found
from dicebase.tables.writer import Rows
from dicebase.tabulate.boards import published_policy
from dicebase.tabulate.cards.rows import best_cards
from dicebase.vocabulary import Board


def cards(listing: BoardCards) -> Iterator[Rows]:
    """Yield the best sum, and what it loses: one player from the start of play, two players in both seats."""
    p, game, known = positions_of(listing.rules), listing.game, set()
    counts, best = features_of(p, listing.rules), published_policy(game, p)

    def decisions(weights: Weights) -> np.ndarray:
        return first_largest(p.step.first, counts @ weights)

    def cost(taken: np.ndarray) -> float:
        if listing.players == 2:
            return -sum(earned(p, pure(p.step, taken), pure(p.step, best))[:2])
        return game.sense * (optimum - at_start(p, game.sense, taken))

    def find(language: str) -> Found:
        found, least = (), np.inf
        for weights in listing.grid.values():
            key = (taken := decisions(weights)).tobytes()
            if key not in known:
                known.add(key)
                if (lost := cost(taken)) < least - SAME:
                    found, least = weights, lost
        return Found(found, least, least)

    def worst(weights: Weights) -> float:
        return sum(earned(p, None, pure(p.step, decisions(weights)))[:2])

    optimum = at_start(p, game.sense, best)
    yield best_cards(listing, find, *[worst] * (listing.players == 2))


def features_of(p: Positions, rules: Board) -> np.ndarray:
    """Return the features after each action, (A, features)."""
    of, known, found = np.repeat(np.arange(len(p.states)), np.diff(p.step.first)), {}, []
    for state, action in zip(of.tolist(), p.action.tolist(), strict=True):
        after = rules.afterstate(p.states[state], p.names[action])
        if after not in known:
            known[after] = features_after(rules, after)
        found.append(known[after])
    return np.array(found)


def first_largest(first: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the first action of each state, (S,), with the largest score among its actions."""
    largest = np.flatnonzero(scores == np.repeat(np.maximum.reduceat(scores, first[:-1]), np.diff(first)))
    return largest[np.searchsorted(largest, first[:-1])]


def at_start(p: Positions, sense: int, taken: np.ndarray) -> float:
    """Return the value at the start of play for one player who takes one action in each state, (S,)."""
    each = np.arange(len(taken) + 1)
    alone = Positions(p.states, p.names, p.action[taken], p.step._replace(first=each, after=p.step.after[taken]))
    start = p.step._replace(first=each[:2], after=np.zeros(1, p.step.after.dtype))
    return float(q_values(start, solve(alone, sense))[0])
