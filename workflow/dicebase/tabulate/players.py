"""The named policies of a duel, best responses to them, and the values of every pair."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, Matchups
from dicebase.solvers.plays import Play, best_response, evaluate
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter

STRICT = 0.0  # the tolerance of a best response, which takes every improvement


class Players:
    """The policies of a variant: decisions as a function of the mover's total, or mixes of throws, (T, T or 1, D).

    values : (T, T), the mover's win probability under optimal play, by (mover's total, other's) in units; if not given,
        it is solved on first use.
    policy(name) returns a named policy; best(values) the best one, from the values of the opponent's turns, by
    (opponent's total, mover's); play_of(policy) how its turns end.
    """

    policy: Callable[[str], Any]
    best: Callable[[np.ndarray], Any]
    play_of: Callable[[Any], Play]

    def __init__(self, listing: Matchups, values: np.ndarray | None = None) -> None:
        self.listing, self.T = listing, listing.duel.totals
        if values is not None:
            self.values = values

    def respond(self, column: Play) -> tuple[Play, np.ndarray, np.ndarray]:
        """Return (play, X, Y) of the best response to a play; see solvers/plays.py."""

        def improve(values: np.ndarray) -> Play:
            return self.play_of(self.best(values))

        return best_response(column, improve(self.values), improve)


def league(listing: Matchups, players: Players) -> Rows:
    """Return the values of all pairs of policies at every pair of totals, and rows for the start of the match."""
    names, report = listing.names, reporter("matchup")
    plays = {name: players.play_of(players.policy(name)) for name in names}
    values: dict[tuple[str, str], np.ndarray] = {}  # by (mover's policy, opponent's policy)
    for i, row in enumerate(names):
        for column in names[i:]:
            values[column, row], values[row, column] = evaluate(plays[row], plays[column])[::-1]
            report(len(values), len(names) * (len(names) + 2))
        _, values[BEST_RESPONSE, row], values[row, BEST_RESPONSE] = players.respond(plays[row])
    rows = Rows(listing)
    for row, column, who in listing.pairs():
        chance = values[row, column][0, 0] if who == "row" else 1.0 - values[column, row][0, 0]
        rows.add_row(row, column, who, chance)
    places = listing.duel.unit_of_points * np.indices((players.T, players.T)).reshape(2, -1)
    rows.set_pairs([*sorted(values)], places, np.array([values[pair] for pair in sorted(values)]))
    return rows
