"""Rows of a match of turns: every position inside a turn, for blocks of records that stand equally far from the target.

Positions are those that a turn can come to, in the order of turn total and dice.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from dicebase.ranking import TIE
from dicebase.solve.compiled import ENDS, CompiledTurn, compile_turn
from dicebase.tables import Rows
from dicebase.turns import ByTurns, Record


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
        for mode in np.flatnonzero(reached[total]):
            gain, next_mode = next_of[(total % turn.period) * len(turn.modes) + mode]
            reached[total + gain, next_mode] = True
    return np.argwhere(reached[: last + 1])


class Positions:
    """The positions of a match's turns as columns."""

    def __init__(self, game: ByTurns) -> None:
        self.game, self.turn = game, compile_turn(game.rules)
        self.size = -(-game.target // self.turn.unit)  # totals below the target, in units
        total, mode = reachable_positions(self.turn, self.size - 1).T
        dice = np.array(self.turn.modes)[mode]
        order = np.lexsort((dice, total))
        self.total, self.mode, self.dice = total[order], mode[order], dice[order]

    def rows(self, records: Sequence[Record], need: int, roll: np.ndarray, bank: np.ndarray) -> Rows:
        """The rows of n records `need` units from the target, in order.

        roll : (n, at least need totals, modes) q-values of rolling on; bank : (n, at least need totals) of banking.
        """
        count = int(np.searchsorted(self.total, need))
        total, game = self.total[:count], self.game
        rolls, banks = roll[:, total, self.mode[:count]], bank[:, total]
        only = np.broadcast_to(total == 0, rolls.shape)  # the first roll is compulsory
        loss = game.sense * (rolls - banks)  # what banking gives up
        stops = (loss <= TIE) & ~only
        value = np.where(only | (loss > 0), rolls, banks)
        columns = [np.repeat(column, count) for column in np.array(records).T]
        columns.append(np.tile(total * self.turn.unit, len(records)))
        if len(self.turn.modes) > 1:
            columns.append(np.tile(self.dice[:count], len(records)))
        actions = pa.DictionaryArray.from_arrays(pa.array(stops.ravel().astype(np.int8)), ["roll", game.rules.stop])
        reachable = np.repeat([game.reachable(record) for record in records], count)
        rows = Rows(game)
        rows.set_states(
            [pa.array(column.astype(np.int32)) for column in columns],
            pa.array(value.ravel()),
            actions.cast(pa.string()),
            pa.array(np.abs(loss).ravel(), mask=only.ravel()),
            pa.array(reachable),
        )
        return rows
