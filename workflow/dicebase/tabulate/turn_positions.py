"""The rows of a match of turns: every position inside a turn, for several records at once.

The rows list the positions that a turn can reach, by turn total and dice.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from dicebase.matches.turns.by_turns import ByTurns, StartsOfTurns
from dicebase.matches.turns.targets import Record
from dicebase.solvers.turns.between import Stakes, solve_between
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.lanes import rolls
from dicebase.tables.writer import Rows
from dicebase.vocabulary import TIE
from dicebase.vocabulary.progress import reporter

AT_ONCE = 2_000_000  # largest number of values in a block of turns


class RecordValues:
    """The values between turns by record, in the order of the table, found by value iteration unless they are given;
    totals of a turn are in units."""

    def __init__(self, game: ByTurns, turn: CompiledTurn, values: np.ndarray | None = None) -> None:
        self.game, self.turn = game, turn
        if values is not None:
            self.values = values
        self.records = np.array(list(game.records())).T
        self.rows = np.arange(int(self.need.max()) + game.past // turn.unit)[:, np.newaxis]

    @cached_property
    def need(self) -> np.ndarray:
        """The number of units at which each turn ends, (records,)."""
        return -(-self.game.to_go(self.records) // self.turn.unit)

    @cached_property
    def values(self) -> np.ndarray:
        """The values between turns, (records,), by value iteration over groups of records."""
        points = [i for i, c in enumerate(self.game.record_columns) if c.unit == "points"]
        later = -self.records[points].sum(axis=0)
        # The records of a group have the same number of turns left, or the same sum of points.
        order = np.lexsort((later,) if not self.game.limit else (later, self.records[0]))
        key = self.records[0] if self.game.limit else later
        groups = np.split(order, np.flatnonzero(np.diff(key[order])) + 1)
        return solve_between(self.turn, groups, self.stakes, self.game.sense)

    def stakes(self, values: np.ndarray, which: np.ndarray) -> Stakes:
        """Return the values at the ends of turns of the records `which`, from the values of all records."""
        game, unit = self.game, self.turn.unit
        record, need = self.records[:, which], self.need[which]
        totals, mine = self.rows[: need.max() + game.past // unit], record[game.mine]
        known = np.append(values, 0.0)  # the last entry is the value if no turn is left

        def worth(points: np.ndarray, bust: bool = False) -> np.ndarray:
            won, lost, following = game.ended(record, points, bust)
            number, there = 0, ~(won | lost)
            for x, numbers in zip(following, game.ranges, strict=True):
                at = (x - numbers.start) // numbers.step
                number, there = number * len(numbers) + at, there & (at >= 0) & (at < len(numbers))
            return np.where(won, 1.0, np.where(lost, 0.0, game.reward + game.sign * known[np.where(there, number, -1)]))

        bank = worth(mine + totals * unit)
        least = np.where(mine == 0, *(-(-game.rules.least_bank(banked) // unit) for banked in (0, 1)))
        bank[(totals > 0) & (totals < np.minimum(least, need))] = -np.inf * game.sense
        return bank, need, worth(mine, True), worth(np.zeros_like(mine))


def rows_of(
    listing: ByTurns | StartsOfTurns, solve: Callable[[CompiledTurn], np.ndarray] | None = None
) -> Iterator[Rows]:
    """Yield the rows of a match. `solve` is called for the values between turns, by record, if the match may store them
    alone; otherwise, and without `solve`, they are found by value iteration."""
    game, turn = listing.match, compile_turn(listing.match.rules)
    values = solve(turn).ravel() if solve and game.may_store_starts else None
    return Positions(listing, turn, RecordValues(game, turn, values)).rows()


class Positions:
    """The positions of a match's turns as columns."""

    def __init__(self, listing: ByTurns | StartsOfTurns, turn: CompiledTurn, between: RecordValues) -> None:
        self.listing, self.game, self.turn, self.between = listing, listing.match, turn, between
        self.records = list(self.game.records())
        total, mode = turn.positions(int(between.need.max()) - 1).T
        dice = np.array(turn.modes)[mode]
        order = np.lexsort((dice, total))
        self.total, self.mode, self.dice = total[order], mode[order], dice[order]

    def rows(self) -> Iterator[Rows]:
        """Yield the rows of all positions, in blocks of turns, or only those of the starts of turns."""
        game, values, count = self.game, self.between.values, len(self.records)
        if self.listing is not game:
            first = np.ones(count, int)  # the start is the only position below one unit
            yield self._rows(self.records, first, values[:, np.newaxis, np.newaxis], values[:, np.newaxis])
            return
        report, step = reporter("turn"), max(1, AT_ONCE // (game.totals * len(self.turn.modes)))
        for some in (slice(first, first + step) for first in range(0, count, step)):
            bank, need, *lost = self.between.stakes(values, np.arange(count)[some])
            roll = rolls(self.turn, bank, need, *lost, game.sense)
            yield self._rows(self.records[some], need, roll, bank[: need.max()].T)
            report(min(some.stop, count), count)

    def _rows(self, records: Sequence[Record], need: np.ndarray, roll: np.ndarray, bank: np.ndarray) -> Rows:
        """Return the rows of n records, in order, with turn totals below `need`, (n,).

        roll : (n, at least the largest need, modes), q-values of rolling on. bank : (n, the same), q-values of banking.
        """
        game, count = self.game, int(np.searchsorted(self.total, need.max()))
        total = self.total[:count]
        inside = total < need[:, np.newaxis]
        per_record = inside.sum(axis=1)

        def inner(column: np.ndarray) -> np.ndarray:
            return np.broadcast_to(column, inside.shape)[inside]

        rolls, banks = inner(roll[:, total, self.mode[:count]]), inner(bank[:, total])
        only = inner((total == 0) | self.turn.must_roll[self.mode[:count]]) | np.isinf(banks)
        loss = game.sense * (rolls - banks)  # the regret of banking
        stops = (loss <= TIE) & ~only
        value = np.where(only | (loss > 0), rolls, banks)
        columns = [np.repeat(column, per_record) for column in np.array(records).T]
        columns.append(inner(total * self.turn.unit))
        if len(game.columns) > len(columns):
            columns.append(inner(self.dice[:count]))
        actions = pa.DictionaryArray.from_arrays(pa.array(stops.astype(np.int8)), ["roll", game.rules.stop])
        reachable = np.repeat([game.reachable(record) for record in records], per_record)
        return Rows(self.listing).set_rows(
            *(pa.array(column.astype(np.int32)) for column in columns),
            pa.array(value),
            actions.cast(pa.string()),
            pa.array(np.abs(loss), mask=only),
            pa.array(reachable),
        )
