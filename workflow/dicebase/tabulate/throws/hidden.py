"""The table of unseen throws: an equilibrium mix for every throw and own score that it reaches."""

from collections.abc import Iterator

from dicebase.matches.hidden import HiddenRace
from dicebase.solve.throws.alone import matrix
from dicebase.solve.throws.hidden import solve_hidden
from dicebase.tables.writer import Rows
from dicebase.vocabulary.progress import reporter
from dicebase.vocabulary.ranking import Ranked


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
                rows.add(state, game.actions(state), _ranked(value, q_values, (mix / mix.sum()).tolist()))
    yield rows


def _ranked(value: float, q_values: list[float], mix: list[float]) -> Ranked:
    """The support is called optimal; its regrets stay as they are, no larger than the exploitability explains."""
    support = [p > 0 for p in mix]
    regrets = [max(0.0, value - q) for q in q_values]
    alone = sum(support) == 1 < len(mix)
    margin = min(r for r, used in zip(regrets, support, strict=True) if not used) if alone else None
    return Ranked(value, margin, q_values, regrets, support, mix, [False] * len(mix))
