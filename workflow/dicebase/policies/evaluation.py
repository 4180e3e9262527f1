"""Evaluation of policies in a duel: value of a pair, best response, and the most costly mistakes.

Nothing is simulated: the values of two fixed policies solve linear equations (solvers/plays.py). The duel's solved
table gives optimal actions and the cost of mistakes. A policy is a name of duel_matchups.py or the user's own
(user_policies.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.lookup import Catalog
from dicebase.families import family_of
from dicebase.matches.duels.duel import Duel
from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, OPTIMAL
from dicebase.policies.boards import BoardBench
from dicebase.policies.hidden import HiddenBench
from dicebase.policies.returns import BENCHES, report_return
from dicebase.policies.user_policies import Given, base_of, read_policy, throw_mix, throw_rows, turn_policy, turn_rows
from dicebase.solvers.plays import Play, turns_met
from dicebase.solvers.plays import evaluate as play_out
from dicebase.solvers.throws.duel import throw_values
from dicebase.solvers.turns.duel import duel_turns
from dicebase.solvers.turns.plays import follow
from dicebase.tables.names import Variant, find_table, known_tables
from dicebase.tabulate.players import Players
from dicebase.tabulate.throw_players import ThrowPlayers
from dicebase.tabulate.turn_players import TurnPlayers
from dicebase.vocabulary import TIE, ConfigurationError, Definition, Json, MissingTableError

Results = Catalog | str | Path
"""An open catalogue, or a results folder."""

BANDS = 5  # number of bands into which habits divide each total
TOLD = 10  # number of mistakes, and of habits, in a report
OTHERWISE = "a policy can also be a .csv or .parquet file, or one of these except in the states of a file"


def evaluate(results: Results, table: str, row: Given, column: Given = OPTIMAL, /, **parameters: int | str) -> Json:
    """Return the probability that one policy wins against another, or the points that it wins.

    results : a results folder or an open catalogue with the solved duel.
    table : a duel such as pig_duel; parameters choose its variant.
    row, column : a name or formula (optimal, hold_at 20 ...), a file (.csv or .parquet), a frame, or `NAME except FILE`
        for a file that lists only exceptions; `row` may be best_response.

    Returns {table, parameters, policy, against, unit, first, second, average, cost}; `first` is what the row policy
    wins if it moves first, `cost` how much more the other policy wins on average. Raises MissingTableError if the duel
    is not solved, ConfigurationError for a wrong policy.
    """
    bench = bench_of(results, table, parameters)
    column_name, theirs = bench.policy(column)
    name, mine = (row, None) if isinstance(row, str) and row == BEST_RESPONSE else bench.policy(row)
    first, second = bench.earns(mine, theirs)
    found = {"table": table, "parameters": dict(bench.variant), "policy": name, "against": column_name}
    results = {"first": first, "second": second, "average": (first + second) / 2, "cost": bench.total - first - second}
    return found | {"unit": bench.unit} | results


def respond(results: Results, table: str, policy: Given, /, **parameters: int | str) -> Json:
    """Evaluate the best response to a policy: the result of `evaluate` with `exploitability`, the average result of the
    best response minus that of two equal players, which is a probability of 1/2 or 0 points."""
    answer = evaluate(results, table, BEST_RESPONSE, policy, **parameters)
    # A policy wins half of its matches against itself, so only rounding can make the difference negative.
    even = 0.5 if answer["unit"] == "probability" else 0.0
    return answer | {"exploitability": max(0.0, answer["average"] - even)}


def response(results: Results, table: str, policy: Given, /, **parameters: int | str) -> pa.Table:
    """Return the best response to a policy as rows of a policy file. For Ten Thousand the rows say when to roll and
    when to bank. The response keeps dice to beat that policy; policies from files keep dice as optimal play does."""
    bench = bench_of(results, table, parameters)
    return bench.response(bench.policy(policy)[1])


def report(results: Results, table: str, policy: Given, against: Given = OPTIMAL, /, **parameters: int | str) -> Json:
    """Return the result of `evaluate` with `exploitability`, `worst_first` and `worst_second` (the results against a
    best response), and the TOLD most costly `mistakes` and `habits`; for one player, that of `report_return`."""
    with nullcontext(results) if isinstance(results, Catalog) else Catalog(Path(results)) as catalog:
        if table in known_tables() and known_tables()[table].rules_class.family in BENCHES:
            return report_return(catalog, table, policy, parameters)
        answer = evaluate(catalog, table, policy, against, **parameters)
        found = mistakes(catalog, table, policy, against, **parameters)
        response_to = respond(catalog, table, policy, **parameters)
    even = int(answer["unit"] == "probability")  # the sum of both players' results
    return answer | {
        "exploitability": response_to["exploitability"],
        "worst_first": even - response_to["second"],
        "worst_second": even - response_to["first"],
        "mistakes": found.slice(0, TOLD).to_pylist(),
        "habits": habits(found, answer["parameters"]["target"]).slice(0, TOLD).to_pylist() if of_points(found) else [],
    }


def mistakes(
    results: Results, table: str, policy: Given, against: Given = OPTIMAL, /, **parameters: int | str
) -> pa.Table:
    """Return the states in which a policy's action is not optimal, most costly first.

    Columns: the state, `action` (of the policy), `optimal` (of the table), `cost` (the action's regret), `frequency`
    (expected occurrences per match against the other policy, if each begins half of the matches) and `loss`, their
    product. Against `optimal`, losses add up to the policy's average loss. The choice of dice to keep is not included.
    """
    bench = bench_of(results, table, parameters)
    found = bench.mistakes(bench.policy(policy)[1], bench.policy(against)[1])
    return pa.table(found).sort_by([("loss", "descending")])


def of_points(found: pa.Table) -> bool:
    """Whether mistakes have the columns of totals that habits need."""
    return {"me", "opponent"} <= {*found.column_names}


def habits(found: pa.Table, target: int) -> pa.Table:
    """Group mistakes by action and by fifths of both totals, most costly first. `me_from`, `me_to` ... are the least
    and greatest totals, `frequency` and `loss` are sums, `cost` is loss / frequency."""
    size = -(-target // BANDS)
    bands = {f"{name}_band": pc.divide(found[name], size) for name in ("me", "opponent")}
    for name, band in bands.items():
        found = found.append_column(name, band)
    ranges = [name for name in ("me", "opponent", "turn_total") if name in found.column_names]
    grouped = found.group_by(["action", *bands]).aggregate(
        [*((name, how) for name in ranges for how in ("min", "max")), ("frequency", "sum"), ("loss", "sum")]
    )
    columns = {"action": grouped["action"]}
    for name in ranges:
        columns |= {f"{name}_from": grouped[f"{name}_min"], f"{name}_to": grouped[f"{name}_max"]}
    columns["cost"] = pc.divide(grouped["loss_sum"], grouped["frequency_sum"])
    columns |= {"frequency": grouped["frequency_sum"], "loss": grouped["loss_sum"]}
    return pa.table(columns).sort_by([("loss", "descending")])


def bench_of(results: Results, table: str, parameters: Json) -> Bench | BoardBench | HiddenBench:
    """Return one variant of a duel, ready to evaluate policies."""
    families = {name: of.rules_class.family for name, of in known_tables().items()}
    leagues = {name for name in families if name.endswith("_duel_matchups")}
    leagues |= {name for name, family in families.items() if family == "boards" and name.endswith("_matchups")}
    hidden = {name for name, family in families.items() if family == "hidden"}
    duels = hidden - leagues | {name.removesuffix("_matchups") for name in leagues}
    if table not in duels:
        one = families.get(table) == "boards"
        why = "; the rules must give this objective players=2" if one else ""
        raise MissingTableError(f"{table}: policies can be evaluated in duels: {', '.join(sorted(duels))}{why}")
    with nullcontext(results) if isinstance(results, Catalog) else Catalog(Path(results)) as catalog:
        variant = read_variant(solved := catalog.solved(table), parameters)
        found = solved.require(variant)
        if getattr(found.game, "hides", False):
            return HiddenBench(table, found.game, variant)
        is_board = family_of(found.game.rules).is_board
        return BoardBench(table, found.game, variant) if is_board else Bench(table, found.game, variant, catalog)


Decided = tuple[Any, Play]
"""The decisions of a policy (a function of the mover's total, or a mix of throws), and its play."""


class Bench:
    """One variant of a duel for points, with its policies."""

    unit, total = "probability", 1  # the sum of both players' values

    def __init__(self, name: str, duel: Duel, variant: Variant, catalog: Catalog) -> None:
        self.name, self.duel, self.variant, self.side = name, duel, variant, SIDES[duel.rules.family]
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
        """The policy's actions that are not optimal, as columns; see `mistakes`."""
        met = (turns_met(mine[1], theirs[1])[0] + turns_met(theirs[1], mine[1])[1]) / 2
        parts = self.side.mistakes(self, mine[0], met)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def policy(self, given: Given) -> tuple[str, Decided]:
        """Return (name of a policy, its decisions and play)."""
        base, given = base_of(given)
        # Check the name as the only policy of a matchup table, because such a table knows the rules and the target.
        name, decided = base, self._named([base]).policy(base) if base else None
        if given is not None:
            table, file = read_policy(given)
            decided = self.side.policy(self.players, table, file, self.variant, decided)
            name = f"{base} except {file}" if base else file
        return name, (decided, self.players.play_of(decided))


Visited = Iterator[tuple[int, np.ndarray, np.ndarray]]
"""(mover's total in units, q-values, expected number of times that each action is taken); the last axis of both arrays
is the action."""


def _turns_visited(bench: Bench, decided: Any, met: np.ndarray) -> Visited:
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


def _of_turns(bench: Bench, decided: Any, met: np.ndarray) -> list[dict[str, np.ndarray]]:
    turn, unit, parts = bench.players.turn, bench.players.turn.unit, []
    words = np.array(["roll", bench.duel.rules.stop])
    for me, q, visits in _turns_visited(bench, decided, met):
        index, columns = _rows(q, visits)
        part = {"me": np.full(len(index[0]), me * unit), "opponent": index[0] * unit, "turn_total": index[1] * unit}
        if len(bench.duel.columns) > len(part):
            part["dice"] = np.array(turn.modes)[index[2]]
        best = (q[index[:-1]][:, 0] - q[index[:-1]][:, 1] <= 0).astype(int)
        parts.append(part | {"action": words[index[-1]], "optimal": words[best]} | columns)
    return parts


def _throws_visited(bench: Bench, mix: np.ndarray, met: np.ndarray) -> Visited:
    """Yield all pairs of totals at once, with 0 for the mover's total; see `_turns_visited`."""
    q = np.moveaxis(throw_values(bench.players.q, bench.values, bench.duel.wipes), 0, -1)
    yield 0, q, np.broadcast_to(met[..., np.newaxis] * mix, q.shape)


def _of_throws(bench: Bench, mix: np.ndarray, met: np.ndarray) -> list[dict[str, np.ndarray]]:
    ((_, q, visits),) = _throws_visited(bench, mix, met)
    index, columns = _rows(q, visits)
    words = np.array([str(choice) for choice in bench.duel.rules.choices])
    best = q[index[:-1]].argmax(axis=1)
    part = {"me": index[0] * bench.players.unit, "opponent": index[1] * bench.players.unit}
    return [part | {"action": words[index[-1]], "optimal": words[best]} | columns]


def _rows(q: np.ndarray, visits: np.ndarray) -> tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]:
    """Return (indices of actions taken that are worse than another, their cost, frequency and loss)."""
    cost = q.max(axis=-1, keepdims=True) - q
    index = np.nonzero((visits > 0) & (cost > TIE))
    return index, {"cost": cost[index], "frequency": visits[index], "loss": cost[index] * visits[index]}


class Side(NamedTuple):
    """How policies of one family are played, read, written and judged."""

    players: type[Players]
    policy: Callable  # from the rows of a file
    rows: Callable  # of a file, from a policy
    mistakes: Callable[[Bench, Any, np.ndarray], list[dict[str, np.ndarray]]]
    visited: Callable[[Bench, Any, np.ndarray], Visited]


SIDES = {
    "turns": Side(TurnPlayers, turn_policy, turn_rows, _of_turns, _turns_visited),
    "throws": Side(ThrowPlayers, throw_mix, throw_rows, _of_throws, _throws_visited),
}
