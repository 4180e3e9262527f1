"""Players of a duel by names, best responses to them, and every pair of a league played out."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from dicebase.matches.duel_matchups import BEST_RESPONSE, Matchups
from dicebase.solve.plays import Play, best_response, evaluate
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
        """The best response to a play, and what it earns; see solve/plays.py."""

        def improve(values: np.ndarray) -> Play:
            return self.play_of(self.best(values))

        return best_response(column, improve(self.values), improve)


def league(listing: Matchups, table: Players) -> Rows:
    """The probabilities of all pairs."""
    names, report = listing.names, reporter("matchup")
    plays = {name: table.play_of(table.policy(name)) for name in names}
    won: dict[tuple[str, str], tuple[float, float]] = {}  # by row and column as they begin
    for i, row in enumerate(names):
        for column in names[i:]:
            X, Y = (float(chances[0, 0]) for chances in evaluate(plays[row], plays[column]))
            won[column, row] = Y, X
            won[row, column] = X, Y
            report(len(won), len(names) * (len(names) + 1))
        _, X, Y = table.respond(plays[row])
        won[BEST_RESPONSE, row] = float(X[0, 0]), float(Y[0, 0])
    rows = Rows(listing)
    for row, column, who in listing.pairs():
        first, second = won[row, column]
        rows.add_row(row, column, who, first if who == "row" else 1.0 - second)
    return rows
