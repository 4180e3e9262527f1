"""Policies in games of hidden information: value of a pair, best response and mistakes, from the sequence form.

A policy is a pair of mixes, one for each player. A file may leave out the sets that its own policy avoids, and all sets
of a player; the table's strategy then plays for that player.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.matches.boards.board_matchups import POLICIES
from dicebase.matches.boards.information_sets import InformationSets
from dicebase.policies.bench import MixBench
from dicebase.tables.names import Variant
from dicebase.tabulate.boards import first_best
from dicebase.tabulate.hidden import named_mixes, strategies

Mixes = list[np.ndarray]
"""The probability of each action at its set, (S,), for player 1 and player 2."""


class HiddenBench(MixBench):
    """One variant of a game of hidden information, with its policies. The states of files are the sets of both."""

    total = 0  # the sum of both players' values
    unknown, missing = "not an information set", "a set is missing"

    def __init__(self, name: str, game: InformationSets, variant: Variant) -> None:
        super().__init__(name, variant, game)
        self.sides, self.optimal = strategies(game)
        self.seats = [*zip((0, 1), self.sides, self.sides[::-1], strict=True)]  # a player, its side, the opponent's
        self.states = [(i, *state) for i, side in enumerate(self.sides, 1) for state in side.states]
        self.of = np.concatenate([self.sides[0].set_of, len(self.sides[0].states) + self.sides[1].set_of])
        self.texts = np.array([name for side in self.sides for of in side.actions for name in of], object)
        self.names = sorted({*self.texts})

    def named(self, name: str) -> Mixes:
        self.check_name(name, (*POLICIES, *self.listing.rules.people))
        return named_mixes(self.listing.rules, self.sides, self.optimal, name)

    def filed(self, table: pa.Table, place: str, base: Mixes | None) -> Mixes:
        player = self.listing.columns[0].name
        if base is None:  # the table plays for a player without rows
            given = {*map(str, table[player].to_pylist())} if player in table.column_names else ()
            base = [mix * np.nan if str(i) in given else mix for i, mix in enumerate(self.optimal, 1)]
        return self._split(super().filed(table, place, self._joined(base)))

    def reached(self, mix: np.ndarray) -> np.ndarray:
        sides = zip(self.sides, self._split(mix), strict=True)
        return np.concatenate([side.plan(mix)[side.parent] > 0 for side, mix in sides])

    def earns(self, row: Mixes | None, column: Mixes) -> tuple[float, float]:
        """What the row policy (None: the best response) wins as player 1 and as player 2."""
        plans = [(side, other.plan(column[1 - i]), row and row[i]) for i, side, other in self.seats]
        first, second = (float(side.values(theirs, mine)[0][0]) for side, theirs, mine in plans)
        return first, second

    def response(self, column: Mixes) -> pa.Table:
        """The best response to a policy, as rows of a policy file."""
        best = [side.pure(side.best(*side.values(other.plan(column[1 - i])))) for i, side, other in self.seats]
        taken = np.flatnonzero(self._joined(best))
        return self.rows(self.of[taken], action=taken)

    def mistakes(self, mine: Mixes, theirs: Mixes) -> dict[str, Any]:
        """The policy's actions with a regret against the table's strategies; see evaluation.mistakes."""
        costs, visits = [], []
        for i, side, other in self.seats:
            q, v = side.values(other.plan(self.optimal[1 - i]))
            led = (side.chance @ other.plan(self.optimal[1 - i]))[side.set_of]
            costs.append(np.where(led > 0, v[side.set_of] - q[1:], 0.0) / np.where(led > 0, led, 1.0))
            visits.append(side.plan(mine[i])[1:] * (side.chance @ other.plan(theirs[1 - i]))[side.set_of] / 2)
        first = np.append(0, np.cumsum(np.bincount(self.of)))
        best = first_best(first, self._joined(self.optimal), 0.0)
        return self.listed(np.concatenate(costs), np.concatenate(visits), best)

    def _joined(self, mixes: Mixes) -> np.ndarray:
        """Return the mixes of both players as one, without the empty sequences, (A,)."""
        return np.concatenate([mix[1:] for mix in mixes])

    def _split(self, mix: np.ndarray) -> Mixes:
        return [np.append(1.0, part) for part in np.split(mix, [len(self.sides[0].set_of)])]
