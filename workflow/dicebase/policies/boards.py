"""Policies on a board for two players: value of a pair, best response and mistakes, from the board's arrays.

A policy is an array (A,) with the probability of each action in its state. A file may leave out states with one action,
and states that no match reaches under the policy.
"""

from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.matches.boards.board import BoardGame
from dicebase.matches.boards.board_matchups import POLICIES
from dicebase.matches.boards.preferences import PREFER, preference
from dicebase.policies.bench import MixBench
from dicebase.solvers.boards.matchups import earned, flows, reached, replies
from dicebase.solvers.boards.positions import positions_of
from dicebase.solvers.boards.values import q_values, solve
from dicebase.tables.names import Variant, find_table
from dicebase.tabulate.boards import first_best, mixes_of, published_policy
from dicebase.vocabulary import TIE


class BoardBench(MixBench):
    """One variant of a board, with its policies."""

    also = f"{MixBench.also}, or '{PREFER}FORMULA'"

    def __init__(self, name: str, game: BoardGame, variant: Variant) -> None:
        super().__init__(name, variant, game)
        self.total = find_table(f"{name}_matchups").match_class.total
        self.positions = p = positions_of(game.rules)
        self.of = np.repeat(np.arange(len(p.states)), np.diff(p.step.first))
        self.states, self.names, self.texts = p.states, p.names, np.array(p.names, object)[p.action]

    def named(self, name: str) -> np.ndarray:
        p = self.positions
        if name.startswith(PREFER):
            choose = preference(name, self.listing.rules)
            return (self.texts == np.array([choose(state) for state in p.states], object)[self.of]).astype(float)
        self.check_name(name, POLICIES)
        return mixes_of(p.step, published_policy(self.listing, p))[name]

    def reached(self, mix: np.ndarray) -> np.ndarray:
        return reached(self.positions, mix)

    def earns(self, row: np.ndarray | None, column: np.ndarray) -> tuple[float, float]:
        """What the row policy (None: the best response) wins, moving first and moving second."""
        first, second, _ = earned(self.positions, row, column)
        return first, self.total + second

    def response(self, column: np.ndarray) -> pa.Table:
        """The best response to a policy, as rows of a policy file."""
        p = self.positions
        best = first_best(p.step.first, replies(p, column), TIE)
        return self.rows(np.arange(len(p.states)), action=best)

    @cached_property
    def q_values(self) -> np.ndarray:
        """The value of each action to its mover, (A,), if both play optimally afterwards."""
        return q_values(self.positions.step, solve(self.positions, 1, self.listing.unending))

    def mistakes(self, mine: np.ndarray, theirs: np.ndarray) -> dict[str, Any]:
        """The policy's actions that are not optimal; see evaluation.mistakes."""
        q, of = self.q_values, self.of
        cost = np.maximum.reduceat(q, self.positions.step.first[:-1])[of] - q
        met = sum(flows(self.positions, mine, theirs))[0]  # expected decisions in each state
        return self.listed(cost, met[of] * mine, published_policy(self.listing, self.positions))
