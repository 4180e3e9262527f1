"""Policies in a duel for points: values of a pair, best responses, and the decisions that are not optimal.

The values of two fixed policies solve linear equations (solvers/plays.py); the duel's solved table gives optimal
actions and the cost of mistakes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.lookup import Catalog
from dicebase.matches.duels.duel import Duel
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.policies.bench import Bench, MixBench, mistaken
from dicebase.policies.user_policies import MISSING, PolicyRows
from dicebase.solvers.plays import Play, turns_met
from dicebase.solvers.plays import evaluate as play_out
from dicebase.solvers.throws.duel import throw_values
from dicebase.solvers.turns.duel import duel_turns
from dicebase.solvers.turns.plays import Decisions, Policy, against, follow
from dicebase.tables.names import Variant, find_table
from dicebase.tabulate.players import Players
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import ConfigurationError, Definition

OTHERWISE = "a policy can also be a .csv or .parquet file, or one of these except in the states of a file"

Decided = tuple[Any, Play]
"""The decisions of a policy (a function of the mover's total, or a mix of throws), and its play."""


Visited = Iterator[tuple[int, np.ndarray, np.ndarray]]
"""(mover's total in units, or 0 if the first axis is that total; q-values; expected number of times that each action is
taken); the last axis of both arrays is the action."""


class DuelBench(Bench):
    """One variant of a duel for points, with its policies."""

    total = 1  # the sum of both players' values
    kind: type[Players]

    def __init__(self, name: str, duel: Duel, variant: Variant, catalog: Catalog) -> None:
        super().__init__(name, variant, duel)
        self.duel = duel
        if why := self.duel.why_not_played_out:
            raise ConfigurationError(why)
        self.values = self._values(catalog)

    @abstractmethod
    def visited(self, decided: Any, met: np.ndarray) -> Visited:
        """Yield the decisions in the turns that begin `met`, (T, T), times; totals are the mover's, the opponent's."""

    @abstractmethod
    def costly(self, decided: Any, met: np.ndarray) -> dict[str, Any]:
        """Return the decisions in these turns that are not optimal, as columns; see `mistakes` in evaluation.py."""

    @abstractmethod
    def read(self, table: pa.Table, place: str, base: Any) -> Any:
        """Return the decisions of the rows of a file, and those of `base`, if it is given, in other states."""

    @abstractmethod
    def written(self, decided: Any) -> pa.Table:
        """Return the decisions of a policy without chance in every state, as rows of a file."""

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
        return self.kind(listing, self.values)

    def earns(self, row: Decided | None, column: Decided) -> tuple[float, float]:
        """The probability that the row policy (None: the best response) wins, moving first and moving second."""
        X, Y = play_out(row[1], column[1]) if row else self.players.respond(column[1])[1:]
        return float(X[0, 0]), float(1 - Y[0, 0])

    def response(self, column: Decided) -> pa.Table:
        """The best response to a policy, as rows of a policy file."""
        _, _, chances = self.players.respond(column[1])
        return self.written(self.players.best(chances))

    def mistakes(self, mine: Decided, theirs: Decided) -> dict[str, Any]:
        """Return the policy's actions that are not optimal, as columns; see `mistakes` in evaluation.py."""
        return self.costly(mine[0], (turns_met(mine[1], theirs[1])[0] + turns_met(theirs[1], mine[1])[1]) / 2)

    def named(self, name: str) -> Decided:
        # Check the name as the only policy of a matchup table, because such a table knows the rules and the target.
        return self._played(self._named([name]).policy(name))

    def filed(self, table: pa.Table, place: str, base: Decided | None) -> Decided:
        return self._played(self.read(table, place, base and base[0]))

    def _played(self, decided: Any) -> Decided:
        return decided, self.players.play_of(decided)


class TurnBench(DuelBench):
    """A duel of turns. A policy is a function of the mover's total."""

    kind = TurnPlayers

    def visited(self, decided: Policy, met: np.ndarray) -> Visited:
        turn = self.players.turn
        for me in range(len(met)):
            decisions, must = decided(me), turn.must(len(met), me)
            roll, bank = duel_turns(turn, self.values, me)
            q = np.stack(np.broadcast_arrays(roll, bank[:, : roll.shape[1], np.newaxis]), axis=-1)
            visits = met[me][:, np.newaxis, np.newaxis] * follow(turn, decisions, must)[3]
            visits = visits[..., np.newaxis] * np.stack([decisions.chance, 1 - decisions.chance], axis=-1)
            visits = np.broadcast_to(visits, q.shape).copy()
            visits[:, must] = 0.0
            yield me, q, visits

    def costly(self, decided: Policy, met: np.ndarray) -> dict[str, Any]:
        turn, unit, parts = self.players.turn, self.players.turn.unit, []
        words = np.array(["roll", self.duel.rules.stop])
        for me, q, visits in self.visited(decided, met):
            index, columns = mistaken(q.max(axis=-1, keepdims=True) - q, visits)
            part = {"me": np.full(len(index[0]), me * unit), "opponent": index[0] * unit, "turn_total": index[1] * unit}
            if len(self.duel.columns) > len(part):
                part["dice"] = np.array(turn.modes)[index[2]]
            best = (q[index[:-1]][:, 0] - q[index[:-1]][:, 1] <= 0).astype(int)
            parts.append(part | {"action": words[index[-1]], "optimal": words[best]} | columns)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def read(self, table: pa.Table, place: str, base: Policy | None) -> Policy:
        """See DuelBench. Dice are kept as `base` keeps them, or as optimal play does; rows of last turns are ignored,
        because any policy rolls on in them."""
        duel, turn, T = self.duel, self.players.turn, self.players.T
        if duel.last_turn and "opponent" in table.column_names:
            table = table.filter(pc.less(table["opponent"], duel.target))
        rows = PolicyRows(table, place, self.variant, duel.columns, ["roll", duel.rules.stop])
        modes = {mode: i for i, mode in enumerate(turn.modes)}
        mode = np.array([modes.get(state[3], -1) if len(state) > 3 else 0 for state in rows.states.tolist()])
        there = np.zeros((T, len(turn.modes)), bool)
        there[tuple(turn.positions(T - 1).T)] = True
        points, units = rows.states[:, :3], rows.states[:, :3] // turn.unit
        inside = (points >= 0).all(axis=1) & (points % turn.unit == 0).all(axis=1) & (mode >= 0)
        inside &= (units[:, :2] < T).all(axis=1) & (units[:, 0] + units[:, 2] < T)
        place_of = np.where(inside, units.T, 0)
        inside &= there[place_of[2], np.where(inside, mode, 0)]
        rows.refuse(f"not a state of a duel to {duel.target}", rows.states[~inside])
        first = (rows.states[:, 2] == 0) & (rows.action == 1)
        rows.refuse(f"the first roll is compulsory, but action={duel.rules.stop}", rows.states[first])
        must = np.zeros((T, T, len(turn.modes)), bool)
        for me in range(T):
            must[me, : T - me] = turn.must(T, me)
        stops = must[units[:, 0], units[:, 2], mode] & (rows.action == 1)
        rows.refuse(f"stopping is not allowed, but action={duel.rules.stop}", rows.states[stops])
        chance, index, rolls = np.full((T, T, T, len(turn.modes)), np.nan), (*units.T, mode), rows.action == 0
        chance[index] = 0.0
        chance[tuple(i[rolls] for i in index)] = rows.probability[rolls]
        chance[:, :, 0, 0] = 1.0
        keep = base or against(turn, self.players.values)

        def decide(me: int) -> Decisions:
            others, own = keep(me), chance[me, :, : T - me]
            return others._replace(chance=np.where(np.isnan(own), others.chance if base else 0.0, own))

        if not base:
            rows.refuse(MISSING, self._missing(chance, decide))
        return decide

    def _missing(self, chance: np.ndarray, decide: Policy) -> np.ndarray:
        """The states without a row that the policy reaches, from totals that a match can reach; one row each."""
        duel, turn, T = self.duel, self.players.turn, self.players.T
        found = []
        for me in range(T):
            can_be = [duel.reachable((me * turn.unit, other * turn.unit)) for other in range(T)]
            visits = follow(turn, decide(me), turn.must(T, me))[3]
            gone = np.isnan(chance[me, :, : T - me]) & (visits > 0) & np.array(can_be)[:, np.newaxis, np.newaxis]
            for opponent, total, mode in np.argwhere(gone).tolist():
                state = [x * turn.unit for x in (me, opponent, total)]
                found.append([*state, turn.modes[mode]][: len(duel.columns)])
        return np.array(found).reshape(-1, len(duel.columns))

    def written(self, decided: Policy) -> pa.Table:
        duel, turn, T = self.duel, self.players.turn, self.players.T
        total, mode = turn.positions(T - 1).T
        parts = []
        for me in range(T):
            inside = total < T - me
            chance = decided(me).chance[:, total[inside], mode[inside]]
            rolls = (chance == 1) | turn.must(T, me)[total[inside], mode[inside]]
            opponent, position = (x.ravel() for x in np.indices(rolls.shape))
            units = [np.full(len(opponent), me), opponent, total[inside][position]]
            parts.append([*(turn.unit * x for x in units), np.array(turn.modes)[mode[inside][position]], rolls.ravel()])
        *columns, rolls = (np.concatenate(column) for column in zip(*parts, strict=True))
        states = dict(zip([c.name for c in duel.columns], columns, strict=False))
        return pa.table(states | {"action": np.where(rolls, "roll", duel.rules.stop)})


class ThrowBench(DuelBench, MixBench):
    """A duel of single throws. A policy is the probability of each throw, (T, T or 1, D)."""

    kind = ThrowPlayers

    def __init__(self, name: str, duel: Duel, variant: Variant, catalog: Catalog) -> None:
        super().__init__(name, duel, variant, catalog)
        T, unit, self.names = duel.totals, duel.unit_of_points, [str(choice) for choice in duel.rules.choices]
        self.unknown = f"not a state of a duel to {duel.target}"
        self.states = [*product(range(0, T * unit, unit), repeat=2)]
        self.shape = T, T, len(self.names)
        self.of = np.repeat(np.arange(T * T), len(self.names))
        self.texts = np.array(self.names * (T * T), object)

    def visited(self, decided: np.ndarray, met: np.ndarray) -> Visited:
        q = np.moveaxis(throw_values(self.players.q, self.values, self.duel.wipes), 0, -1)
        yield 0, q, np.broadcast_to(met[..., np.newaxis] * decided, q.shape)

    def costly(self, decided: np.ndarray, met: np.ndarray) -> dict[str, Any]:
        ((_, q, visits),) = self.visited(decided, met)
        best = q.argmax(axis=-1).ravel() + np.arange(0, q.size, q.shape[-1])
        return self.listed((q.max(axis=-1, keepdims=True) - q).ravel(), visits.ravel(), best)

    def read(self, table: pa.Table, place: str, base: np.ndarray | None) -> np.ndarray:
        flat = None if base is None else np.broadcast_to(base, self.shape).ravel()
        return MixBench.filed(self, table, place, flat).reshape(self.shape)

    def reached(self, mix: np.ndarray) -> np.ndarray:
        T, comes = self.duel.totals, np.arange(self.duel.totals) == 0
        for total in range(T):
            comes[[total + gain for weights in self.duel.gains for gain in weights if total + gain < T]] |= comes[total]
        return (comes[:, np.newaxis] & comes).ravel()

    def written(self, decided: np.ndarray) -> pa.Table:
        states = np.arange(len(self.states))
        return self.rows(states, action=decided.argmax(axis=2).ravel() + states * len(self.names))
