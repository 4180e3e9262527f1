"""The table of a duel's scores by turn, in doubles, a total of the mover at a time."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches import LEAST
from dicebase.matches.duel_scores import DuelScores
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.duel import solve_duel
from dicebase.solve.turns.plays import best_play
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter


def tabulate(listing: DuelScores) -> Iterator[Rows]:
    """The scores of all turns, in order."""
    turn, size = compile_turn(listing.rules), listing.duel.totals
    values = solve_duel(turn, listing.target, reporter("pair"))
    for me, (ends, busts, wipes) in enumerate(zip(*best_play(turn, values), strict=True)):
        # A lost turn leaves the total as it is, and a lost bank none.
        ends[:, me] += busts
        ends[:, 0] += wipes
        opponent, after = np.nonzero(ends >= LEAST)
        score = np.array([listing.score(me, total) for total in range(size + 1)])[after]
        rows, unit = Rows(listing), turn.unit
        # The sum of a certain score can round to more than 1.
        chance = np.minimum(ends[opponent, after], 1.0)
        rows.set_rows(np.full(len(score), me * unit), opponent * unit, score, chance)
        yield rows
