"""The players of a duel of throws: policies by name, as plays of the solver."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfThrows
from dicebase.solvers.plays import Play
from dicebase.solvers.throws.duel import solve_alternate
from dicebase.solvers.throws.plays import pure, throw_play, throws_worth
from dicebase.solvers.throws.race_and_reach import matrix, race_q
from dicebase.tabulate.players import STRICT, Players
from dicebase.vocabulary import weighted_mean


class ThrowPlayers(Players):
    """Players whose turns are single throws."""

    def __init__(self, listing: MatchupsOfThrows, values: np.ndarray | None = None) -> None:
        super().__init__(listing, values)
        self.gains, self.unit, self.wipes = listing.duel.gains, listing.duel.unit_of_points, listing.duel.wipes
        self.q = matrix(self.gains, self.unit)

    @cached_property
    def values(self) -> np.ndarray:
        return solve_alternate(self.q, self.T, self.wipes).max(axis=0)

    def play_of(self, policy: np.ndarray) -> Play:
        return throw_play(self.q, self.T, self.wipes, policy)

    def best(self, values: np.ndarray) -> np.ndarray:
        return pure(throws_worth(self.q, values, self.wipes), STRICT)

    def policy(self, name: str) -> np.ndarray:
        if name == OPTIMAL:
            return pure(throws_worth(self.q, self.values, self.wipes))
        if name == MINIMISE_TURNS:
            chosen = [first_of(row, min) for row in race_q(self.gains, self.listing.target, self.unit)]
        elif name == MAXIMISE_TURN:
            means = [weighted_mean(list(weights.values()), list(weights)) for weights in self.gains]
            chosen = [first_of(means, max)] * self.T
        else:
            points, stated = range(0, self.listing.target, self.unit), self.listing.stated(name)
            opponents, index = points if self.listing.looks_at_both(name) else [0], self.listing.rules.choices.index
            return np.eye(len(self.q))[[[index(stated(me, other)) for other in opponents] for me in points]]
        return np.eye(len(self.q))[chosen][:, np.newaxis]


def first_of(values: Sequence[Fraction], best: Callable) -> int:
    """The first of the best throws; `best` is min or max."""
    return values.index(best(values))
