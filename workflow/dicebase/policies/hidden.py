"""Policies in games of hidden information: value of a pair, best response and mistakes, from the sequence form.

A policy is a pair of mixes, one for each player. A file may leave out the sets that its own policy avoids, and all sets
of a player; the table's strategy then plays for that player.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.matches.boards.board_matchups import POLICIES
from dicebase.matches.boards.information_sets import InformationSets
from dicebase.policies.user_policies import EXCEPT, Given, PolicyRows, base_of, read_policy
from dicebase.tables.names import Variant
from dicebase.tabulate.hidden import named_mixes, strategies
from dicebase.vocabulary import TIE, ConfigurationError, nearest

KINDS = {int: pa.int64(), str: pa.string()}
Mixes = list[np.ndarray]
"""The probability of each action at its set, (S,), for player 1 and player 2."""


class HiddenBench:
    """One variant of a game of hidden information, with its policies."""

    total = 0  # the sum of both players' values

    def __init__(self, name: str, game: InformationSets, variant: Variant) -> None:
        self.name, self.game, self.variant, self.unit = name, game, variant, game.value.unit
        self.sides, self.optimal = strategies(game)

    def policy(self, given: Given) -> tuple[str, Mixes]:
        """Return (name of a policy, its mixes)."""
        base, given = base_of(given)
        known = (*POLICIES, *self.game.rules.people)
        if base and base not in known:
            wrong = f"there is no policy '{base}' here{nearest(base, known)}"
            raise ConfigurationError(f"{self.name}: {wrong}; a policy can also be a .csv or .parquet file")
        mixes = named_mixes(self.game.rules, self.sides, self.optimal, base) if base else None
        if given is None:
            return base, mixes
        table, name = read_policy(given, self.game.columns)
        return (f"{base}{EXCEPT}{name}" if base else name), self._own(table, name, mixes)

    def earns(self, row: Mixes | None, column: Mixes) -> tuple[float, float]:
        """What the row policy (None: the best response) wins as player 1 and as player 2."""
        found = []
        for i, (side, other) in enumerate(zip(self.sides, self.sides[::-1], strict=True)):
            theirs = other.plan(column[1 - i])
            best = side.values(theirs)[0][0]
            found.append(float(best if row is None else side.plan(row[i]) @ (side.payoff @ theirs)))
        return found[0], found[1]

    def response(self, column: Mixes) -> pa.Table:
        """The best response to a policy, as rows of a policy file."""
        parts = []
        for i, (side, other) in enumerate(zip(self.sides, self.sides[::-1], strict=True)):
            parts.append(self._rows(i, action=side.best(*side.values(other.plan(column[1 - i])))))
        return pa.concat_tables(parts).sort_by([(c.name, "ascending") for c in self.game.columns])

    def mistakes(self, mine: Mixes, theirs: Mixes) -> dict[str, Any]:
        """The policy's actions with a regret against the table's strategies; see evaluation.mistakes."""
        parts = []
        for i, (side, other) in enumerate(zip(self.sides, self.sides[::-1], strict=True)):
            q, v = side.values(other.plan(self.optimal[1 - i]))
            led = (side.chance @ other.plan(self.optimal[1 - i]))[side.set_of]
            cost = np.where(led > 0, v[side.set_of] - q[1:], 0.0) / np.where(led > 0, led, 1.0)
            met = side.plan(mine[i])[1:] * (side.chance @ other.plan(theirs[1 - i]))[side.set_of] / 2
            taken = np.flatnonzero((met > 0) & (cost > TIE))
            best = 1 + np.array([self.optimal[i][low:high].argmax() + low - 1
                                 for low, high in zip(side.first, side.first[1:], strict=False)])  # fmt: skip
            rows = self._rows(i, action=taken + 1, optimal=best[side.set_of[taken]])
            for name, numbers in (("cost", cost), ("frequency", met), ("loss", cost * met)):
                rows = rows.append_column(name, pa.array(numbers[taken]))
            parts.append(rows)
        rows = pa.concat_tables(parts)
        return dict(zip(rows.column_names, rows.columns, strict=True))

    def _rows(self, player: int, **sequences: np.ndarray) -> pa.Table:
        """Return rows of the sets of the sequences `action`, with the text of each sequence in its column."""
        side = self.sides[player]
        names = np.array([name for actions in side.actions for name in actions], object)
        states = [side.states[k] for k in side.set_of[sequences["action"] - 1]]
        said = {c.name: pa.array([(player + 1, *state)[i] for state in states], KINDS[c.kind])
                for i, c in enumerate(self.game.columns)}  # fmt: skip
        return pa.table(said | {name: pa.array(names[s - 1], pa.string()) for name, s in sequences.items()})

    def _own(self, table: pa.Table, place: str, base: Mixes | None) -> Mixes:
        names = sorted({name for side in self.sides for actions in side.actions for name in actions})
        rows = PolicyRows(table, place, self.variant, self.game.columns, names)
        given, mixes = rows.as_given(rows.states), []
        legal = {((i + 1, *state), action): (i, side.first[k] + a) for i, side in enumerate(self.sides)
                 for k, state in enumerate(side.states) for a, action in enumerate(side.actions[k])}  # fmt: skip
        at = [legal.get((state, names[a])) for state, a in zip(given, rows.action, strict=True)]
        known = {state for state, _ in legal}
        rows.refuse("not an information set", [state for state in given if state not in known])
        wrong = [n for n, place in enumerate(at) if place is None]
        said = [f" action={names[rows.action[n]]}" for n in wrong]
        rows.refuse("not a legal action there", [given[n] for n in wrong], said)
        for i, side in enumerate(self.sides):
            mix = np.zeros(side.first[-1])
            mix[0] = 1.0
            for place, probability in zip(at, rows.probability, strict=True):
                if place[0] == i:
                    mix[place[1]] = probability
            if not mix[1:].any():
                mixes.append((base or self.optimal)[i])
                continue
            single = side.first[:-1][np.diff(side.first) == 1]
            mix[single] = 1.0
            left = np.add.reduceat(mix, side.first[:-1]) == 0
            if base:
                mix[1:] = np.where(left[side.set_of], base[i][1:], mix[1:])
            empty = left & (base is None) & (side.plan(mix)[side.parent] > 0)
            rows.refuse("a set is missing", [(i + 1, *side.states[k]) for k in np.flatnonzero(empty)])
            mixes.append(mix)
        return mixes
