"""Rows of small turn-based games, solved in rationals, so each number is rounded only once and ties are proved."""

from collections.abc import Iterator
from fractions import Fraction

from dicebase.solvers import reference
from dicebase.tables.writer import Rows
from dicebase.vocabulary import Game, Ranked, State, over_one_denominator, rank


def positions(game: Game) -> Iterator[Rows]:
    """Yield every position that play can reach, with all actions."""
    solution = reference.solve(game)
    rows = Rows(game, exact=Fraction(solution.start))
    for state in sorted(solution.value):
        rows.add(state, tuple(game.actions(state)), ranked_exactly(solution, state))
    yield rows


def ranked_exactly(solution: reference.Solution, state: State) -> Ranked:
    """Return the actions of a state, ranked by their exact values."""
    numerators, denominator = over_one_denominator([solution.q(state, a) for a in solution.game.actions(state)])
    return rank(numerators, denominator, sense=solution.game.sense)


def best_actions(game: Game) -> list[int]:
    """Return the index of the first optimal action in each position, in sorted order of positions."""
    solution = reference.solve(game)
    return [ranked_exactly(solution, state).best for state in sorted(solution.value)]
