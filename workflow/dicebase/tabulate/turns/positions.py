"""Rows of a match of turns: every position inside a turn, for several records at once.

Positions are those that a turn can come to, in the order of turn total and dice.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from dicebase.matches.by_turns import ByTurns, StartsOfTurns
from dicebase.matches.targets import Record
from dicebase.solve.turns.compiled import ENDS, CompiledTurn, compile_turn
from dicebase.tables.writer import Rows
from dicebase.vocabulary import TIE

AT_ONCE = 2_000_000  # numbers


def reachable_positions(turn: CompiledTurn, last: int) -> np.ndarray:
    """The (total, mode index) from which some play rolls, totals from 0 to `last`, in units; shape (n, 2), sorted."""
    reached = np.zeros((last + 1 + turn.max_gain, len(turn.modes)), dtype=bool)
    reached[0, 0] = True
    next_of = []
    for row in range(len(turn.row_start) - 1):
        first, end = turn.option_start[turn.row_start[row]], turn.option_start[turn.row_start[row + 1]]
        gain, mode = turn.gain[first:end], turn.next_mode[first:end]
        next_of.append((gain[mode != ENDS], mode[mode != ENDS]))
    for total in range(last + 1):
        for mode in range(len(turn.modes)):
            if reached[total, mode]:
                gain, next_mode = next_of[(total % turn.period) * len(turn.modes) + mode]
                reached[total + gain, next_mode] = True
    return np.argwhere(reached[: last + 1])


class Positions:
    """The positions of a match's turns as columns."""

    def __init__(self, game: ByTurns) -> None:
        self.game, self.turn = game, compile_turn(game.rules)
        self.size = game.totals
        total, mode = reachable_positions(self.turn, self.size - 1).T
        dice = np.array(self.turn.modes)[mode]
        order = np.lexsort((dice, total))
        self.total, self.mode, self.dice = total[order], mode[order], dice[order]

    def one_by_one(
        self, records: Sequence[Record], turn: Callable[..., tuple[np.ndarray, np.ndarray]]
    ) -> Iterator[Rows]:
        """The rows of records whose totals are 0, 1, ... units, in parts; turn(units) gives (roll, bank)."""
        step = max(1, AT_ONCE // (self.size * len(self.turn.modes)))
        for first in range(0, self.size, step):
            part = records[first : first + step]
            need = self.size - np.arange(first, first + len(part))
            roll, bank = np.empty((len(part), need[0], len(self.turn.modes))), np.empty((len(part), need[0]))
            for i, units in enumerate(need):
                roll[i, :units], bank[i, :units] = turn(self.size - units)
            yield self.rows(part, need, roll, bank)

    def starts(self, values: np.ndarray) -> Rows:
        """The rows of the starts of all turns; `values` in the order of the records."""
        records = list(self.game.records())
        columns = [*np.array(records).T, np.zeros(len(records)), np.full(len(records), self.turn.modes[0])]
        rows = Rows(StartsOfTurns(self.game))
        rows.set_rows(
            *(pa.array(column.astype(np.int32)) for column in columns[: len(self.game.columns)]),
            pa.array(values),
            pa.repeat("roll", len(records)),
            pa.nulls(len(records), pa.float64()),
            pa.array([self.game.reachable(record) for record in records]),
        )
        return rows

    def rows(self, records: Sequence[Record], need: Sequence[int], roll: np.ndarray, bank: np.ndarray) -> Rows:
        """The rows of n records, in order, `need` units from the target each.

        roll : (n, at least the largest need, modes) q-values of rolling on; bank : (n, the same) of banking.
        """
        game, needed = self.game, np.array(need)[:, np.newaxis]
        count = int(np.searchsorted(self.total, needed.max()))
        total = self.total[:count]
        inside = total < needed
        per_record = inside.sum(axis=1)

        def inner(column: np.ndarray) -> np.ndarray:
            return np.broadcast_to(column, inside.shape)[inside]

        rolls, banks = inner(roll[:, total, self.mode[:count]]), inner(bank[:, total])
        only = inner(total == 0)  # the first roll is compulsory
        loss = game.sense * (rolls - banks)  # what banking gives up
        stops = (loss <= TIE) & ~only
        value = np.where(only | (loss > 0), rolls, banks)
        columns = [np.repeat(column, per_record) for column in np.array(records).T]
        columns.append(inner(total * self.turn.unit))
        if len(self.turn.modes) > 1:
            columns.append(inner(self.dice[:count]))
        actions = pa.DictionaryArray.from_arrays(pa.array(stops.astype(np.int8)), ["roll", game.rules.stop])
        reachable = np.repeat([game.reachable(record) for record in records], per_record)
        rows = Rows(game)
        rows.set_rows(
            *(pa.array(column.astype(np.int32)) for column in columns),
            pa.array(value),
            actions.cast(pa.string()),
            pa.array(np.abs(loss), mask=only),
            pa.array(reachable),
        )
        return rows
