"""The table of a duel's scores by turn, in doubles, a total of the mover at a time."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.duel_scores import LEAST, DuelScores
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.duel import solve_duel
from dicebase.solve.turns.outcomes import turn_ends
from dicebase.tables.writer import Rows
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import reporter

MAX_TOTALS = 250  # rows are half of the cube at the most; the certifier reads all of them


def tabulate(listing: DuelScores) -> Iterator[Rows]:
    """The scores of all turns, in order; raises ConfigurationError where there are more than MAX_TOTALS totals."""
    turn = compile_turn(listing.rules)
    if (size := listing.duel.totals) > MAX_TOTALS:
        raise ConfigurationError(
            f"target: {listing.target} has {size} totals; scores are listed for at most {MAX_TOTALS}"
        )
    values, report = solve_duel(turn, listing.target, reporter("pair")), reporter("total")
    for me, (ends, busts, wipes) in enumerate(turn_ends(turn, values)):
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
        report(me + 1, size)
