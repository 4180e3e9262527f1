"""The race table: the fewest turns to a target, in doubles."""

from collections.abc import Iterator
from functools import partial

from dicebase.matches.race import RaceOfTurns
from dicebase.solve.turns.race import race_turn, solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def starts(game: RaceOfTurns) -> Iterator[Rows]:
    """The start of every turn."""
    positions = Positions(game)
    yield positions.starts(solve_race(positions.turn, game.target, reporter("total")))


def tabulate(game: RaceOfTurns) -> Iterator[Rows]:
    """Every position of every turn."""
    positions = Positions(game)
    values = solve_race(positions.turn, game.target, reporter("total"))
    yield from positions.one_by_one(list(game.records()), partial(race_turn, positions.turn, values))
