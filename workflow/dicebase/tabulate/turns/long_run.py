"""The table of the long run: solved in rationals, every value rounded once."""

from collections.abc import Iterator

from dicebase.matches.long_run import LongRun
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.continuation import FarTotals
from dicebase.solve.turns.long_run import solve_long_run
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import reachable_positions
from dicebase.tabulate.turns.turn import check_size
from dicebase.vocabulary import rank


def tabulate(game: LongRun) -> Iterator[Rows]:
    """All positions up to the last total, for each number of lost turns in a row; raises as that of one turn."""
    game = game.with_continuation(FarTotals(game.rules).continuation)
    turn = compile_turn(game.rules)
    last = game.turn.last // turn.unit
    places = sorted((total, turn.modes[m], m) for total, m in reachable_positions(turn, last).tolist())
    check_size(game.continuation, last, len(places) * len(game.costs))
    gain, losses = solve_long_run(turn, game.continuation, last + 1, game.costs)
    rows = Rows(game, exact=gain * turn.unit)
    for lost, (bust, rolling) in enumerate(losses):
        for total, dice, m in places:
            state = (lost, total * turn.unit, dice)[: len(game.columns)]
            above, over = rolling[total][m]
            bank, roll = total * over * bust.denominator, above * bust.denominator + bust.numerator * over
            actions = game.actions(state)
            worths = {game.rules.stop: bank, "roll": roll}
            numerators = [turn.unit * worths[action] for action in actions]
            rows.add(state, actions, rank(numerators, over * bust.denominator))
    yield rows
