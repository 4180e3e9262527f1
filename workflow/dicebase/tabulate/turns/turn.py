"""The turn table: solved in rationals, every value rounded once."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dicebase.matches.turn import BestTurn
from dicebase.solve.turns.compiled import CompiledTurn, compile_turn
from dicebase.solve.turns.continuation import FarTotals
from dicebase.solve.turns.exact_turn import ExactTurn, solve_exactly
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import reachable_positions
from dicebase.vocabulary import ConfigurationError, State, rank

# The rationals of a turn have digits in proportion to its totals: time and memory grow with the square.
MAX_TOTALS = 20_000


def tabulate(game: BestTurn) -> Iterator[Rows]:
    """All states of one turn that play can reach, up to `game.last`, with every action.

    Raises InfiniteValueError where a turn need not end, ConfigurationError where there would be more than MAX_TOTALS
    turn totals.
    """
    game = complete(game)
    turn = compile_turn(game.rules)
    if game.last // turn.unit > MAX_TOTALS:
        raise ConfigurationError(
            f"rolling can be right up to a total of {game.continuation.cutoff}, which takes"
            f" {game.last // turn.unit} turn totals; at most {MAX_TOTALS} are solved in rationals"
        )
    exact = solve_exactly(turn, *_boundary(game, turn))
    rows = Rows(game, exact=exact.fraction(exact.roll[0][0]) * turn.unit)
    if len(game.columns) == 1:
        _fill(rows, turn, exact, [total for (total,) in _states(game, turn)])
        yield rows
        return
    for state in sorted(_states(game, turn)):
        actions = game.actions(state)
        q = [_worth(exact, turn, game.afterstate(state, action)) for action in actions]
        numerators, denominator = exact.common(q)
        rows.add(state, actions, rank([n * turn.unit for n in numerators], denominator))
    yield rows


def _fill(rows: Rows, turn: CompiledTurn, exact: ExactTurn, totals: list[int]) -> None:
    """The rows of turns that leave no choice but to roll or, but for the first total, to stop."""
    rolling, regret, sign = np.empty((3, len(totals)))
    for i, total in enumerate(totals):
        numerator, exponent = exact.roll[total // turn.unit][0]
        denominator = exact.scale * exact.power(exponent)
        gain = numerator * turn.unit - total * denominator
        # Dividing integers of any size rounds correctly.
        rolling[i], regret[i] = numerator * turn.unit / denominator, abs(gain) / denominator
        sign[i] = 1 if gain > 0 or total == 0 else 0 if gain == 0 else -1
    names, rolls = np.array([rows.game.rules.stop, "roll"]), sign > 0
    value, action = np.where(rolls, rolling, totals), names[rolls.astype(int)]
    rows.set_rows(totals, value.tolist(), action.tolist(), [None, *regret[1:].tolist()])
    rows.counts = [1] + [2] * (len(totals) - 1)
    never, everywhere = np.zeros(len(totals), bool), np.ones(len(totals), int)
    pairs = (
        (names[0 * everywhere], names[everywhere]),
        (totals, rolling),
        (regret * rolls, regret * (sign < 0)),
        (1.0 - rolls, rolls),
        (~rolls, sign >= 0),
        (never, never),
    )
    columns = (np.column_stack(pair).ravel() for pair in pairs)
    # The first row has no action but the second one.
    rows.actions = {name: column[1:].tolist() for name, column in zip(rows.actions, columns, strict=True)}


def complete(game: BestTurn) -> BestTurn:
    """The game with what it is worth beyond its last total."""
    return game.with_continuation(FarTotals(game.rules).continuation)


def _boundary(game: BestTurn, turn: CompiledTurn) -> tuple[int, list[list[Fraction]]]:
    """The number of totals to solve, so that every action of a stored state is covered, and the worth beyond."""
    totals = game.last // turn.unit + turn.max_gain + 1
    worth = game.continuation.worth
    tail = [
        [
            # A hand that no turn holds at this total is never looked at; banking is as good a number as any.
            Fraction(t) + (worth.get((t * turn.unit % game.rules.period, mode), Fraction(0)) / turn.unit)
            for mode in turn.modes
        ]
        for t in range(totals, totals + turn.max_gain)
    ]
    return totals, tail


def _worth(exact: ExactTurn, turn: CompiledTurn, afterstate: tuple) -> tuple[int, int]:
    total = afterstate[1] // turn.unit
    return exact.bank(total) if afterstate[0] == "bank" else exact.roll[total][turn.modes.index(afterstate[2])]


def _states(game: BestTurn, turn: CompiledTurn) -> Iterator[State]:
    for total, mode in reachable_positions(turn, game.last // turn.unit).tolist():
        total, mode = total * turn.unit, turn.modes[mode]
        if game.rules.keeps:
            for roll in game.rules.rolls(total, mode):
                if roll.options:
                    yield (total, roll.dice)
        else:
            yield (total, mode) if len(game.columns) > 1 else (total,)
