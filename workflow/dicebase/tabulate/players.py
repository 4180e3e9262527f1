"""Players of a duel by names, best responses to them, and every pair of a league played out."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from dicebase.matches.duel_matchups import BEST_RESPONSE, Matchups
from dicebase.solvers.plays import Play, best_response, evaluate
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter

STRICT = 0.0  # a best response takes whatever is better


class Players(ABC):
    """The players of a variant; `values` is the optimal mover's probability to win by his and the other's total, in
    units, shape (T, T). It is solved where it is not given."""

    def __init__(self, listing: Matchups, values: np.ndarray | None = None) -> None:
        self.listing, self.T = listing, listing.duel.totals
        if values is not None:
            self.values = values

    @cached_property
    @abstractmethod
    def values(self) -> np.ndarray: ...

    @abstractmethod
    def policy(self, name: str) -> Any:
        """What a policy of this name decides: by the mover's total, or as a mix of throws, shape (T, T or 1, D)."""

    @abstractmethod
    def best(self, values: np.ndarray) -> Any:
        """The same of the best turns, by what the opponent's turns are worth to him, by (his total, the mover's)."""

    @abstractmethod
    def play_of(self, policy: Any) -> Play:
        """The play of such decisions."""

    def respond(self, column: Play) -> tuple[Play, np.ndarray, np.ndarray]:
        """The best response to a play, and what it earns; see solvers/plays.py."""

        def improve(values: np.ndarray) -> Play:
            return self.play_of(self.best(values))

        return best_response(column, improve(self.values), improve)


def league(listing: Matchups, players: Players) -> Rows:
    """The values of all pairs, and the rows that are their values at the start of the match."""
    names, report = listing.names, reporter("matchup")
    plays = {name: players.play_of(players.policy(name)) for name in names}
    values: dict[tuple[str, str], np.ndarray] = {}  # by the mover's policy and the other's
    for i, row in enumerate(names):
        for column in names[i:]:
            values[column, row], values[row, column] = evaluate(plays[row], plays[column])[::-1]
            report(len(values), len(names) * (len(names) + 2))
        _, values[BEST_RESPONSE, row], values[row, BEST_RESPONSE] = players.respond(plays[row])
    rows = Rows(listing)
    for row, column, who in listing.pairs():
        chance = float(values[(row, column) if who == "row" else (column, row)][0, 0])
        rows.add_row(row, column, who, chance if who == "row" else 1.0 - chance)
    places = listing.duel.unit_of_points * np.indices((players.T, players.T)).reshape(2, -1)
    rows.set_pairs([*sorted(values)], places, np.array([values[pair] for pair in sorted(values)]))
    return rows
