"""The named policies of a duel of single throws, as plays for the solver."""

from functools import cached_property

import numpy as np

from dicebase.matches.duels.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfThrows
from dicebase.matches.turns.race import RaceOfThrows
from dicebase.matches.turns.turn import BestThrow
from dicebase.solvers.plays import Play
from dicebase.solvers.throws.duel import best_throws, gain_probabilities, solve_duel_of_throws, throw_play, throw_values
from dicebase.tabulate.exact import best_actions
from dicebase.tabulate.players import STRICT, Players


class ThrowPlayers(Players):
    """Players whose turns are single throws."""

    def __init__(self, listing: MatchupsOfThrows, values: np.ndarray | None = None) -> None:
        super().__init__(listing, values)
        self.gains, self.unit, self.wipes = listing.duel.gains, listing.duel.unit_of_points, listing.duel.wipes
        self.q = gain_probabilities(self.gains, self.unit)

    @cached_property
    def values(self) -> np.ndarray:
        return solve_duel_of_throws(self.q, self.T, self.wipes)

    def play_of(self, policy: np.ndarray) -> Play:
        return throw_play(self.q, self.T, self.wipes, policy)

    def best(self, values: np.ndarray) -> np.ndarray:
        return best_throws(throw_values(self.q, values, self.wipes), STRICT)

    def policy(self, name: str) -> np.ndarray:
        listing = self.listing
        if name == OPTIMAL:
            return best_throws(throw_values(self.q, self.values, self.wipes))
        if name == MINIMISE_TURNS:
            chosen = best_actions(RaceOfThrows(listing.rules, listing.target))[:, np.newaxis]
        elif name == MAXIMISE_TURN:
            chosen = np.repeat(best_actions(BestThrow(listing.rules)), self.T)[:, np.newaxis]
        else:
            index = listing.rules.choices.index
            chosen = [[index(dice) for dice in row] for row in listing.numbers_of(name)]
        return np.eye(len(self.q))[chosen]
