"""The table of one-person policies in the game of two: every pair, and the best reply to each."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.simultaneous_matchups import SimultaneousMatchups
from dicebase.solve.throws.race_and_reach import matrix, race_q, reach_q
from dicebase.solve.throws.simultaneous_matchups import play_out
from dicebase.tables.writer import Rows
from dicebase.tabulate.throws.duel_matchups import first_of
from dicebase.vocabulary import weighted_mean


def tabulate(game: SimultaneousMatchups) -> Iterator[Rows]:
    """The values of every pair of policies, in doubles, and the rows that are their values at the start."""
    unit, limit, size = game.unit_of_points, game.throws, game.totals
    race = [first_of(row, min) for row in race_q(game.gains, game.target, unit)]
    reach = [[first_of(row, max) for row in rows] for rows in reach_q(game.gains, game.target, unit, limit)]
    turn = first_of([weighted_mean(list(weights.values()), list(weights)) for weights in game.gains], max)
    plans = {
        "race": np.array([race] * (limit + 1)),
        "reach": np.array([*reach[::-1], race]),
        "turn": np.full((limit + 1, size), turn),
        "best_response": None,
    }
    q, rows, values = matrix(game.gains, unit), Rows(game), []
    for pair in game.pairs():
        values.append(play_out(q, *(plans[name] for name in pair)))
        rows.add_row(*pair, float(values[-1][0, 0, 0]))
    throws_made, *totals = np.indices((limit + 1, size, size)).reshape(3, -1)
    rows.set_pairs(game.pairs(), [throws_made, *(unit * x for x in totals)], np.array(values))
    yield rows
