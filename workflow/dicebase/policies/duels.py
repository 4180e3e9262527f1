"""Policies in a duel for points: values of a pair, best responses, and the decisions that are not optimal.

The values of two fixed policies solve linear equations (solvers/plays.py); the duel's solved table gives optimal
actions and the cost of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from dicebase.catalog.lookup import Catalog
from dicebase.matches.duels.duel import Duel
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.policies.bench import Bench, mistaken
from dicebase.policies.user_policies import throw_mix, throw_rows, turn_policy, turn_rows
from dicebase.solvers.plays import Play, turns_met
from dicebase.solvers.plays import evaluate as play_out
from dicebase.solvers.throws.duel import throw_values
from dicebase.solvers.turns.duel import duel_turns
from dicebase.solvers.turns.plays import follow
from dicebase.tables.names import Variant, find_table
from dicebase.tabulate.players import Players
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import ConfigurationError, Definition, Json

OTHERWISE = "a policy can also be a .csv or .parquet file, or one of these except in the states of a file"

Decided = tuple[Any, Play]
"""The decisions of a policy (a function of the mover's total, or a mix of throws), and its play."""


class DuelBench(Bench):
    """One variant of a duel for points, with its policies."""

    total = 1  # the sum of both players' values

    def __init__(self, name: str, duel: Duel, variant: Variant, catalog: Catalog) -> None:
        super().__init__(name, variant, duel)
        self.duel, self.side = duel, SIDES[duel.rules.family]
        if why := self.duel.why_not_played_out:
            raise ConfigurationError(why)
        self.values = self._values(catalog)

    def _values(self, catalog: Catalog) -> np.ndarray:
        """The mover's winning probability in the solved table, (T, T), by the mover's and the opponent's total; with a
        last turn also for the opponent's totals from the target on."""
        T, unit = self.duel.totals, self.duel.unit_of_points
        shape = T, T + (self.duel.past // unit if self.duel.last_turn else 0)
        me, opponent = (unit * x.ravel() for x in np.indices(shape))
        fixed = dict(self.variant)
        start = next(iter(self.duel.outcomes(self.duel.start()))).state
        fixed |= {c.name: number for c, number in zip(self.duel.columns[2:], start[2:], strict=True)}
        frame = {name: pa.repeat(pa.scalar(value), len(me)) for name, value in fixed.items()}
        rows = pa.table({"me": me, "opponent": opponent} | frame)
        return catalog.lookup_many(self.name, rows)["value"].to_numpy().reshape(shape)

    @cached_property
    def players(self) -> Players:
        return self._named([OPTIMAL])

    def _named(self, names: list[str]) -> Players:
        """The players of policies given by name or formula; raises ConfigurationError for others."""
        matchups = find_table(f"{self.name}_matchups").match_class
        try:
            listing = matchups(self.duel.rules, self.duel.target, Definition("", names))
        except ConfigurationError as error:
            why = str(error).partition(": ")[2]
            raise ConfigurationError(f"{self.name}: {why}; {OTHERWISE}") from error
        return self.side.players(listing, self.values)

    def earns(self, row: Decided | None, column: Decided) -> tuple[float, float]:
        """The probability that the row policy (None: the best response) wins, moving first and moving second."""
        X, Y = play_out(row[1], column[1]) if row else self.players.respond(column[1])[1:]
        return float(X[0, 0]), float(1 - Y[0, 0])

    def response(self, column: Decided) -> pa.Table:
        """The best response to a policy, as rows of a policy file."""
        _, _, chances = self.players.respond(column[1])
        return self.side.rows(self.players, self.players.best(chances))

    def mistakes(self, mine: Decided, theirs: Decided) -> Json:
        """Return the policy's actions that are not optimal, as columns; see `mistakes` in evaluation.py."""
        met = (turns_met(mine[1], theirs[1])[0] + turns_met(theirs[1], mine[1])[1]) / 2
        parts = self.side.mistakes(self, mine[0], met)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def named(self, name: str) -> Decided:
        # Check the name as the only policy of a matchup table, because such a table knows the rules and the target.
        return self._played(self._named([name]).policy(name))

    def filed(self, table: pa.Table, place: str, base: Decided | None) -> Decided:
        return self._played(self.side.policy(self.players, table, place, self.variant, base and base[0]))

    def _played(self, decided: Any) -> Decided:
        return decided, self.players.play_of(decided)


Visited = Iterator[tuple[int, np.ndarray, np.ndarray]]
"""(mover's total in units, q-values, expected number of times that each action is taken); the last axis of both arrays
is the action."""


def _turns_visited(bench: DuelBench, decided: Any, met: np.ndarray) -> Visited:
    """Yield the positions inside the turns of each total of the mover; `met`, (T, T), counts the turns that begin."""
    turn = bench.players.turn
    for me in range(len(met)):
        decisions, must = decided(me), turn.must(len(met), me)
        roll, bank = duel_turns(turn, bench.values, me)
        q = np.stack(np.broadcast_arrays(roll, bank[:, : roll.shape[1], np.newaxis]), axis=-1)
        visits = met[me][:, np.newaxis, np.newaxis] * follow(turn, decisions, must)[3]
        visits = visits[..., np.newaxis] * np.stack([decisions.chance, 1 - decisions.chance], axis=-1)
        visits = np.broadcast_to(visits, q.shape).copy()
        visits[:, must] = 0.0
        yield me, q, visits


def _of_turns(bench: DuelBench, decided: Any, met: np.ndarray) -> list[dict[str, np.ndarray]]:
    turn, unit, parts = bench.players.turn, bench.players.turn.unit, []
    words = np.array(["roll", bench.duel.rules.stop])
    for me, q, visits in _turns_visited(bench, decided, met):
        index, columns = mistaken(q.max(axis=-1, keepdims=True) - q, visits)
        part = {"me": np.full(len(index[0]), me * unit), "opponent": index[0] * unit, "turn_total": index[1] * unit}
        if len(bench.duel.columns) > len(part):
            part["dice"] = np.array(turn.modes)[index[2]]
        best = (q[index[:-1]][:, 0] - q[index[:-1]][:, 1] <= 0).astype(int)
        parts.append(part | {"action": words[index[-1]], "optimal": words[best]} | columns)
    return parts


def _throws_visited(bench: DuelBench, mix: np.ndarray, met: np.ndarray) -> Visited:
    """Yield all pairs of totals at once, with 0 for the mover's total; see `_turns_visited`."""
    q = np.moveaxis(throw_values(bench.players.q, bench.values, bench.duel.wipes), 0, -1)
    yield 0, q, np.broadcast_to(met[..., np.newaxis] * mix, q.shape)


def _of_throws(bench: DuelBench, mix: np.ndarray, met: np.ndarray) -> list[dict[str, np.ndarray]]:
    ((_, q, visits),) = _throws_visited(bench, mix, met)
    index, columns = mistaken(q.max(axis=-1, keepdims=True) - q, visits)
    words = np.array([str(choice) for choice in bench.duel.rules.choices])
    best = q[index[:-1]].argmax(axis=1)
    part = {"me": index[0] * bench.players.unit, "opponent": index[1] * bench.players.unit}
    return [part | {"action": words[index[-1]], "optimal": words[best]} | columns]


class Side(NamedTuple):
    """How policies of one family are played, read, written and judged."""

    players: type[Players]
    policy: Callable  # from the rows of a file
    rows: Callable  # of a file, from a policy
    mistakes: Callable[[DuelBench, Any, np.ndarray], list[dict[str, np.ndarray]]]
    visited: Callable[[DuelBench, Any, np.ndarray], Visited]


SIDES = {
    "turns": Side(TurnPlayers, turn_policy, turn_rows, _of_turns, _turns_visited),
    "throws": Side(ThrowPlayers, throw_mix, throw_rows, _of_throws, _throws_visited),
}
