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
from dicebase.policies.user_policies import EXCEPT, MISSING, Given, PolicyRows, base_of, read_policy
from dicebase.solvers.boards.matchups import earned, replies
from dicebase.solvers.boards.positions import positions_of
from dicebase.solvers.boards.values import q_values, solve
from dicebase.tables.names import Variant, find_table
from dicebase.tabulate.boards import first_best, mixes_of, published_policy
from dicebase.vocabulary import TIE, ConfigurationError, nearest

LEFT = 1e-15  # probability mass of a match that may be ignored


class BoardBench:
    """One variant of a board, with its policies."""

    def __init__(self, name: str, game: BoardGame, variant: Variant) -> None:
        self.name, self.game, self.variant, self.unit = name, game, variant, game.value.unit
        self.total = find_table(f"{name}_matchups").match_class.total
        self.positions = p = positions_of(game.rules)
        self.of = np.repeat(np.arange(len(p.states)), np.diff(p.step.first))

    def policy(self, given: Given) -> tuple[str, np.ndarray]:
        """Return (name of a policy, its action probabilities (A,))."""
        base, given = base_of(given)
        preferred = base.startswith(PREFER)
        if base and base not in POLICIES and not preferred:
            wrong = f"there is no policy '{base}' here{nearest(base, POLICIES)}"
            also = f"a policy can also be a .csv or .parquet file, or '{PREFER}FORMULA'"
            raise ConfigurationError(f"{self.name}: {wrong}; {also}")
        p = self.positions
        if preferred:
            mix = self._preferred(base)
        else:
            mix = mixes_of(p.step, published_policy(self.game, p))[base] if base else None
        if given is None:
            return base, mix
        table, name = read_policy(given, self.game.columns)
        return (f"{base}{EXCEPT}{name}" if base else name), self._own(table, name, mix)

    def _preferred(self, policy: str) -> np.ndarray:
        """Return the action probabilities, (A,), of a policy `prefer FORMULA`."""
        p, choose = self.positions, preference(policy, self.game.rules)
        number = {name: n for n, name in enumerate(p.names)}
        chosen = np.array([number[choose(state)] for state in p.states])
        return (p.action == chosen[self.of]).astype(float)

    def earns(self, row: np.ndarray | None, column: np.ndarray) -> tuple[float, float]:
        """What the row policy (None: the best response) wins, moving first and moving second."""
        first, second, _ = earned(self.positions, row, column)
        return first, self.total + second

    def response(self, column: np.ndarray) -> pa.Table:
        """The best response to a policy, as rows of a policy file."""
        p = self.positions
        best = first_best(p.step.first, replies(p, column), TIE)
        return self._rows(np.arange(len(p.states)), action=best).sort_by(
            [(c.name, "ascending") for c in self.game.columns]
        )

    @cached_property
    def q_values(self) -> np.ndarray:
        """The value of each action to its mover, (A,), if both play optimally afterwards."""
        return q_values(self.positions.step, solve(self.positions, 1, self.game.unending))

    def mistakes(self, mine: np.ndarray, theirs: np.ndarray) -> dict[str, Any]:
        """The policy's actions that are not optimal; see evaluation.mistakes."""
        p, q = self.positions, self.q_values
        best = np.maximum.reduceat(q, p.step.first[:-1])
        met = self.met(mine, theirs)[self.of] * mine
        taken = np.flatnonzero((met > 0) & (best[self.of] - q > TIE))
        cost = (best[self.of] - q)[taken]
        firsts = published_policy(self.game, p)[self.of[taken]]
        rows = self._rows(self.of[taken], action=taken, optimal=firsts)
        numbers = {"cost": cost, "frequency": met[taken], "loss": cost * met[taken]}
        return dict(zip(rows.column_names, rows.columns, strict=True)) | numbers

    def _rows(self, states: np.ndarray, **actions: np.ndarray) -> pa.Table:
        p = self.positions
        keys = zip(*(p.states[s] for s in states.tolist()), strict=True) if len(states) else [()] * len(p.states[0])
        said = {c.name: pa.array(key, pa.string() if c.kind is str else pa.int64())
                for c, key in zip(self.game.columns, keys, strict=True)}  # fmt: skip
        names = np.array(p.names, object)
        return pa.table(said | {name: pa.array(names[p.action[k]], pa.string()) for name, k in actions.items()})

    def _own(self, table: pa.Table, place: str, base: np.ndarray | None) -> np.ndarray:
        """Return the action probabilities of a file's policy, (A,), with those of `base` in states without a row."""
        p = self.positions
        rows = PolicyRows(table, place, self.variant, self.game.columns, p.names)
        number = {state: s for s, state in enumerate(p.states)}
        at = np.array([number.get(state, -1) for state in rows.as_given(rows.states)])
        rows.refuse("not a state of this board", rows.states[at < 0])
        legal = {(s, name): k for k, (s, name) in enumerate(zip(self.of.tolist(), p.action.tolist(), strict=True))}
        taken = np.array([legal.get(pair, -1) for pair in zip(at.tolist(), rows.action.tolist(), strict=True)])
        said = [f" action={p.names[a]}" for a in rows.action[taken < 0]]
        rows.refuse("not a legal action there", rows.states[taken < 0], said)
        mix = np.zeros(len(self.of))
        mix[taken] = rows.probability
        first = p.step.first
        mix[first[:-1][np.diff(first) == 1]] = 1.0
        if base is not None:
            return np.where(np.add.reduceat(mix, first[:-1])[self.of] == 0, base, mix)
        missing = (np.add.reduceat(mix, first[:-1]) == 0) & (self.met(mix, np.ones(len(mix)), reach=True) > 0)
        rows.refuse(MISSING, [p.states[s] for s in np.flatnonzero(missing)])
        return mix

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
