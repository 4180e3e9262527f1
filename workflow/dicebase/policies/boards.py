"""Policies on a board for two players: value of a pair, best response and mistakes, from the board's arrays.

A policy is an array (A,) with the probability of each action in its state. A file may leave out states with one action,
and states that no match reaches under the policy.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from dicebase.matches.boards.board import BoardGame
from dicebase.matches.boards.board_matchups import POLICIES
from dicebase.matches.boards.preferences import PREFER, preference
from dicebase.policies.bench import MixBench
from dicebase.solvers.boards.matchups import earned, replies
from dicebase.solvers.boards.positions import positions_of
from dicebase.solvers.boards.values import q_values, solve
from dicebase.tables.names import Variant, find_table
from dicebase.tabulate.boards import first_best, mixes_of, published_policy
from dicebase.vocabulary import TIE

LEFT = 1e-15  # probability mass of a match that may be ignored


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
        return self.met(mix, np.ones(len(mix)), reach=True) > 0

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
        return self.listed(cost, self.met(mine, theirs)[of] * mine, published_policy(self.listing, self.positions))

    def met(
        self, mine: np.ndarray, theirs: np.ndarray, *, reach: bool = False, lasts: list | None = None
    ) -> np.ndarray:
        """Return the expected number of decisions of a policy in each state, (S,), in a match against another policy if
        each begins half of the matches. With `reach`, numbers only show whether a state can occur: positive or 0. To
        the list `lasts` add the probability that a match has at least 1, 2, 3 ... moves."""
        step, states = self.positions.step, len(self.positions.states)
        counts = np.diff(step.begin)
        fall = np.arange(len(step.to)) + np.repeat(step.fall - step.begin[:-1], counts)
        b, on = np.repeat(np.arange(len(counts)), counts), step.to >= 0
        ahead = {sign: _matrix(b[there], step.to[there], step.chance[fall[there]], (len(counts), states))
                 for sign in (1, -1) for there in (on & (step.sign[fall] == sign),)}  # fmt: skip
        plays = [_matrix(step.after, self.of, mix, (len(counts), states)).T for mix in (mine, theirs)]
        begins = 0.5 * (ahead[1][[0]] + ahead[-1][[0]]).toarray()[0]
        flow, met = [begins, begins], np.zeros((2, states))
        while sum(part.sum() for part in flow) > LEFT:
            if reach:
                flow = [1.0 * ((part > 0) & (known == 0)) for part, known in zip(flow, met, strict=True)]
            met += flow
            if lasts is not None:
                lasts.append(sum(part.sum() for part in flow))
            after = [flow[role] @ plays[role] for role in (0, 1)]
            flow = [after[role] @ ahead[1] + after[1 - role] @ ahead[-1] for role in (0, 1)]
        return met[0]


def _matrix(row: np.ndarray, column: np.ndarray, entry: np.ndarray, shape: Sequence[int]) -> csr_array:
    return csr_array((entry, (row, column)), shape=shape)
