"""The table of what turns of a duel come to, in doubles."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.duel_turns import DuelTurns
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.duel import solve_duel
from dicebase.solve.turns.outcomes import duel_outcomes
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter


def tabulate(listing: DuelTurns) -> Iterator[Rows]:
    """Every pair of totals."""
    turn = compile_turn(listing.rules)
    values = solve_duel(turn, listing.target, reporter("pair"))
    turns, lost, points = duel_outcomes(turn, listing.target, values)
    rows = Rows(listing)
    records = np.array(list(listing.duel.records()), dtype=np.int32).T
    rows.set_rows(*records, values.ravel(), turns.ravel(), lost.ravel(), points.ravel())
    yield rows
