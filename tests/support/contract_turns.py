"""Checks of the contract of a turn: its rules, game, table and solvers, each against a plainer one."""

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers.reference import Solution, components, solve
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.exact_turn import solve_exactly
from dicebase.tables.parquet import MIXED
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import Game, Ranked, Turn
from reference.turn import roll_worth
from support import contract_play


def check_play(game: Game) -> None:
    """Check every state that play reaches, and that play never returns to one."""
    contract_play.check_play(game)
    assert not any(cyclic for _, cyclic in components(Solution(game))), "play returns"


def check_table(game: Game, tabulate: Callable[[Any], Rows] = tabulate_turn) -> None:
    """Compare every number of the production table with rational arithmetic on the game itself, without tolerance."""
    rows, solution = next(tabulate(game)), solve(game)
    table = read_rows(rows)
    assert list(table) == sorted(solution.value), "the states of the table are not those that play reaches, in order"
    assert rows.exact == solution.start
    for state, (actions, ranked, _) in table.items():
        assert actions == list(game.actions(state))
        value, q = solution.value[state], [solution.q(state, action) for action in actions]
        regrets = [abs(value - x) for x in q]
        assert ranked == Ranked(
            value=float(value),
            margin=float(sorted(regrets)[1]) if len(q) > 1 else None,
            q_values=[float(x) for x in q],
            regrets=[float(x) for x in regrets],
            optimal=[x == 0 for x in regrets],
            probabilities=[float(i == regrets.index(0)) for i in range(len(q))],
            undecided=[False] * len(q),
        ), state


def check_exact_turn(game: BestTurn) -> None:
    """Compare the exact solver with the plain recursion at every total and mode."""
    rules, turn, worth = game.rules, compile_turn(game.rules), game.continuation.worth
    T = game.last // turn.unit + 1
    check_exactly(
        rules,
        T,
        [
            [t + worth.get((t * turn.unit % rules.period, mode), Fraction(0)) / turn.unit for mode in turn.modes]
            for t in range(T, T + turn.max_gain)
        ],
    )


def check_exactly(rules: Turn, T: int, tail: list[list[Fraction]]) -> None:
    """Compare every total below T and mode, given the values from T on by total and mode, in units of the turn."""
    turn = compile_turn(rules)
    exact = solve_exactly(turn, T, tail)
    W = roll_worth(
        rules,
        [t * turn.unit for t in range(T - 1, -1, -1)],
        bank=Fraction,
        end=Fraction,
        beyond=lambda total, mode: tail[total // turn.unit - T][rules.modes.index(mode)] * turn.unit,
    )
    for (total, mode), value in W.items():
        assert Fraction(*exact[total // turn.unit][rules.modes.index(mode)]) * turn.unit == value


def read_rows(rows: Rows) -> dict[tuple, tuple[list[str], Ranked, list[float]]]:
    """{state: (actions, ranking, probabilities)} in the table's order."""
    found = {}
    spans = pairwise(accumulate(rows.counts, initial=0))
    size = len(rows.game.columns) + 3  # state, value, action, margin
    per_state = zip(*list(rows.states.values())[:size], spans, strict=True)
    for *state, value, best, margin, (i, j) in per_state:
        actions = rows.beside["action"][i:j]
        columns = [rows.beside[n] for n in ("q_value", "regret", "optimal", "probability", "undecided")]
        ranked = Ranked(value, margin, *(column[i:j] for column in columns))
        assert best == (MIXED if ranked.best is None else actions[ranked.best])
        found[tuple(state)] = actions, ranked, rows.beside["probability"][i:j]
    assert len(found) == len(rows.counts)
    return found
