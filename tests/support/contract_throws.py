"""Checks of the contract of a single throw: its rules, and each match's table against a plainer solver."""

from fractions import Fraction
from typing import Any

import numpy as np

from dicebase.solvers.reference import solve
from dicebase.tables.names import find_table
from dicebase.tables.writer import Rows
from dicebase.tabulate.slices import tabulator
from dicebase.vocabulary import TIE, Controller, Game, Ranked
from support.contract_play import check_play
from support.contract_turns import check_table, read_rows

RATIONAL = ("turn", "race", "reach")  # formats whose tables are rationals rounded once


def build(game: str, match: str, variant: dict[str, Any]) -> Game:
    """The match of a game with these parameters."""
    table = find_table(f"{game}_{match}")
    return table.build(table.variant(variant, {}, "here"), {})


def tabulated(game: str, match: str, variant: dict[str, Any]) -> Rows:
    """The rows of the match by the production solver."""
    return next(tabulator(find_table(f"{game}_{match}"))(build(game, match, variant)))


def check_format(game: str, match: str, variant: dict[str, Any]) -> None:
    """Check the table of one match format state by state."""
    played, tabulate = build(game, match, variant), tabulator(find_table(f"{game}_{match}"))
    check_play(played)
    if match in RATIONAL:
        check_table(played, tabulate)
    elif played.controller(next(o.state for o in played.outcomes(played.start()))) is Controller.BOTH:
        check_mixes(played, next(tabulate(played)))
    else:
        check_doubles(played, next(tabulate(played)))


def check_doubles(game: Game, rows: Rows, tolerance: float = 1e-14) -> None:
    """Compare a table in doubles with rationals; its ties must be marked undecided."""
    solution, table = solve(game), read_rows(rows)
    assert list(table) == sorted(solution.value) and rows.exact is None
    for state, (names, ranked, _) in table.items():
        assert names == list(game.actions(state))
        value, q = solution.value[state], [solution.q(state, action) for action in names]
        assert abs(ranked.value - value) <= tolerance
        assert all(abs(mine - exact) <= tolerance for mine, exact in zip(ranked.q_values, q, strict=True))
        assert all(
            abs(mine - abs(value - exact)) <= 2 * tolerance for mine, exact in zip(ranked.regrets, q, strict=True)
        )
        check_said(ranked)
        tied = [abs(value - exact) <= TIE for exact in q]
        assert ranked.optimal == tied and ranked.undecided == [t and sum(tied) > 1 for t in tied]


def check_said(ranked: Ranked) -> None:
    """Check that the columns of a state without a mix follow from its regrets."""
    assert min(ranked.regrets) == 0 and ranked.probabilities[ranked.best] == 1 == sum(ranked.probabilities)
    assert ranked.best == ranked.optimal.index(True)
    assert ranked.margin == (sorted(ranked.regrets)[1] if len(ranked.regrets) > 1 else None)


def check_mixes(game: Game, rows: Rows, tolerance: float = 1e-12) -> None:
    """Check by one step of the rules that neither player can gain against the other's published mix."""
    table = read_rows(rows)
    for (a, b), (names, ranked, mix) in table.items():
        assert names == list(game.actions((a, b)))
        payoff, other = payoffs(game, (a, b), table), table[b, a][2]
        assert ranked.value == -table[b, a][1].value
        assert min(mix) >= 0 and abs(sum(mix) - 1) <= 1e-15
        assert (np.array(mix) @ payoff).min() >= ranked.value - tolerance
        assert (payoff @ other).max() <= ranked.value + tolerance
        assert np.abs(payoff @ other - ranked.q_values).max() <= tolerance
        assert ranked.optimal == [p > 0 for p in mix] and not any(ranked.undecided)
        assert (ranked.margin is None) == (ranked.best is None or len(names) == 1)


def payoffs(game: Game, state: tuple, table: dict) -> np.ndarray:
    """The value of each pair of actions, from the rules and the values of a table."""
    found = np.empty((len(game.actions(state)), len(game.actions(state))))
    for i, mine in enumerate(game.actions(state)):
        for j, theirs in enumerate(game.actions(state)):
            outcomes = list(game.outcomes(game.afterstate(state, (mine, theirs))))
            worth = sum(o.weight * Fraction(o.reward if o.state is None else table[o.state][1].value) for o in outcomes)
            found[i, j] = worth / sum(o.weight for o in outcomes)
    return found
