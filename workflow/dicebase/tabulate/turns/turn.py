"""The turn table: solved in rationals, every value rounded once."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from dicebase.matches.turn import BestTurn
from dicebase.solve.turns.compiled import CompiledTurn, compile_turn
from dicebase.solve.turns.continuation import FarTotals
from dicebase.solve.turns.exact_turn import Number, common, far_worth, solve_exactly
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import reachable_positions
from dicebase.vocabulary import ConfigurationError, Continuation, Ranked, State, rank

# The rationals of a turn have digits in proportion to its totals: time and memory grow with the square.
MAX_TOTALS = 20_000
MAX_STATES = 1_500_000


def tabulate(game: BestTurn) -> Iterator[Rows]:
    """All states of one turn that play can reach, up to `game.last`, with every action.

    Raises InfiniteValueError where a turn need not end, ConfigurationError where there would be more than MAX_TOTALS
    turn totals, or MAX_STATES states.
    """
    game = complete(game)
    turn = compile_turn(game.rules)
    totals, states = game.last // turn.unit, sorted(islice(_states(game, turn), MAX_STATES + 1))
    check_size(game.continuation, totals, len(states))
    # As many totals as cover every action of a stored state, and the worth beyond.
    end = totals + turn.max_gain + 1
    tail = [far_worth(game.continuation, turn, t) for t in range(end, end + turn.max_gain)]
    worth = solve_exactly(turn, end, tail)
    rows = Rows(game, exact=Fraction(*worth[0][0]) * turn.unit)

    @lru_cache(1000)  # rolls of one total that leave the same choice
    def ranked(*afterstates: tuple) -> Ranked:
        numerators, denominator = common([_worth(worth, turn, afterstate) for afterstate in afterstates])
        return rank([n * turn.unit for n in numerators], denominator)

    for state in states:
        actions = game.actions(state)
        rows.add(state, actions, ranked(*(game.afterstate(state, action) for action in actions)))
    yield rows


def check_size(continuation: Continuation, totals: int, states: int) -> None:
    """Raise ConfigurationError where there are more turn totals or states than are solved in rationals."""
    if totals > MAX_TOTALS or states > MAX_STATES:
        raise ConfigurationError(
            f"rolling can be right up to a total of {continuation.cutoff}, which takes {totals} turn totals and"
            f" {states} states or more; at most {MAX_TOTALS} and {MAX_STATES} are solved in rationals"
        )


def complete(game: BestTurn) -> BestTurn:
    """The game with what it is worth beyond its last total."""
    return game.with_continuation(FarTotals(game.rules).continuation)


def _worth(roll: list[list[Number]], turn: CompiledTurn, afterstate: tuple) -> Number:
    total = afterstate[1] // turn.unit
    return (total, 1) if afterstate[0] == "bank" else roll[total][turn.modes.index(afterstate[2])]


def _states(game: BestTurn, turn: CompiledTurn) -> Iterator[State]:
    for total, mode in reachable_positions(turn, game.last // turn.unit).tolist():
        total, mode = total * turn.unit, turn.modes[mode]
        if game.rules.keeps:
            for roll in game.rules.rolls(total, mode):
                if roll.options:
                    yield (total, roll.dice)
        else:
            yield (total, mode) if len(game.columns) > 1 else (total,)
