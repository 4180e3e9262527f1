"""Checks of a file's class `Rules` before any variant is made, and the objectives of a board."""

from collections.abc import Callable, Mapping
from sys import modules

from dicebase.matches.board import for_objective
from dicebase.matches.board_distribution import distribution_of
from dicebase.matches.board_matchups import matchups_of
from dicebase.matches.layers import values_of
from dicebase.vocabulary import (
    Board,
    CompiledBoard,
    ConfigurationError,
    LayeredBoard,
    Listing,
    MissingTableError,
    Objective,
    check_class,
)

MATCHUPS = "_matchups"
OF_OBJECTIVES = {"": for_objective, "_distribution": distribution_of, MATCHUPS: matchups_of}
"""{ending of a board's table name after the objective: its match format}; only boards for two players have matchups."""


def check_makes_tables(rules: type, game: str, table: str) -> None:
    """Raise MissingTableError, which gives the reason, if a game's class makes no tables; `rules` is `object` if the
    file has no class `Rules`."""
    try:
        if rules is object:
            module = modules[f"dicebase.games.{game}"]
            others = [n for n, c in vars(module).items() if isinstance(c, type) and c.__module__ == module.__name__]
            raise ConfigurationError(f"{game}.py: has no class Rules{', only ' * bool(others)}{', '.join(others)}")
        check_class(rules)
        if issubclass(rules, Board) and not objectives_of(rules):
            raise ConfigurationError(f"{game}.py: objectives: must be a dict of one or more Objective by name")
    except ConfigurationError as error:
        raise MissingTableError(f"{table}: {error}") from error


def objectives_of(rules: type) -> Mapping[str, Objective]:
    """The objectives of a board by name; empty for other rules."""
    objectives = rules.objectives if issubclass(rules, Board) else {}
    return {n: o for n, o in objectives.items() if type(o) is Objective} if isinstance(objectives, Mapping) else {}


def aims_of(rules: type) -> list[tuple[str, str]]:
    """All tables of a board, as (objective, ending of the table's name)."""
    objectives, ends = objectives_of(rules).items(), [""] if _by_number(rules) else OF_OBJECTIVES
    return [(name, end) for name, o in objectives for end in ends if end != MATCHUPS or o.players == 2]


def format_of(rules: type, ending: str) -> Callable[[Objective], type[Listing]]:
    """The function that makes a match format of an objective, for the table of a board whose name ends so."""
    return values_of if _by_number(rules) else OF_OBJECTIVES[ending]


def _by_number(rules: type) -> bool:
    """Whether an objective's table has values by number; a LayeredBoard has another table for these."""
    return issubclass(rules, CompiledBoard) and not issubclass(rules, LayeredBoard)
