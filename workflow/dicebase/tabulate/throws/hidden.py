"""The table of unseen throws: an equilibrium mix for every throw and own score that it reaches."""

from collections.abc import Iterator

from dicebase.matches.hidden import HiddenRace
from dicebase.solve.throws.hidden import solve_hidden
from dicebase.solve.throws.race_and_reach import matrix
from dicebase.tables.writer import Rows
from dicebase.vocabulary import rank_mix
from dicebase.vocabulary.progress import reporter


def tabulate(game: HiddenRace) -> Iterator[Rows]:
    """Every reached row with every throw, in doubles."""
    unit = game.unit_of_points
    q = matrix(game.gains, unit)
    found = solve_hidden(q, game.totals, game.horizon, reporter("step"))
    rows = Rows(game)
    for throw in range(game.horizon):
        for total in range(game.totals):
            mix = found.probability[throw, total]
            if mix.sum() > 0:  # a row that is never reached has no numbers
                state = (throw + 1, total * unit)
                value, q_values = float(found.value[throw, total]), found.q_values[throw, total].tolist()
                # Of the support too: a regret is no larger than the exploitability explains.
                ranked = rank_mix(value, q_values, (mix / mix.sum()).tolist(), equal=False)
                rows.add(state, game.actions(state), ranked)
    yield rows
