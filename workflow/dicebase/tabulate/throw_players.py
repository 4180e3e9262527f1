"""The named policies of a duel of single throws, as plays for the solver."""

from functools import cached_property

import numpy as np

from dicebase.matches.duels.duel_matchups import OPTIMAL, MatchupsOfThrows
from dicebase.solvers.plays import Play
from dicebase.solvers.throws.duel import best_throws, gain_probabilities, solve_duel_of_throws, throw_play, throw_values
from dicebase.tabulate.exact import best_actions
from dicebase.tabulate.players import STRICT, Players


class ThrowPlayers(Players):
    """Players whose turns are single throws."""

    def __init__(self, listing: MatchupsOfThrows, values: np.ndarray | None = None) -> None:
        super().__init__(listing, values)
        self.q, self.wipes = gain_probabilities(listing.duel.gains), listing.duel.wipes

    @cached_property
    def values(self) -> np.ndarray:
        return solve_duel_of_throws(self.q, self.T, self.wipes)

    def play_of(self, policy: np.ndarray) -> Play:
        return throw_play(self.q, self.T, self.wipes, policy)

    def best(self, values: np.ndarray) -> np.ndarray:
        return best_throws(throw_values(self.q, values, self.wipes), STRICT)

    def policy(self, name: str) -> np.ndarray:
        if name == OPTIMAL:
            return best_throws(throw_values(self.q, self.values, self.wipes))
        return np.eye(len(self.q))[self.listing.throws_of(name, best_actions)]
