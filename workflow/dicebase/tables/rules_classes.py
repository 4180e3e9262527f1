"""Checks of a file's class `Rules` before any variant is made, and the objectives of rules that state them."""

from collections.abc import Callable, Mapping
from sys import modules

from dicebase.matches.boards.board import for_objective
from dicebase.matches.boards.board_cards import cards_of
from dicebase.matches.boards.board_distribution import distribution_of
from dicebase.matches.boards.board_matchups import matchups_of
from dicebase.matches.boards.hidden_matchups import matchups_of_sets
from dicebase.matches.boards.information_sets import sets_for_objective
from dicebase.matches.boards.layers import values_of
from dicebase.vocabulary import (
    Board,
    CompiledBoard,
    ConfigurationError,
    Hidden,
    LayeredBoard,
    Listing,
    MissingTableError,
    Objective,
    PositionRules,
    check_class,
)

CARDS, MATCHUPS = "_cards", "_matchups"
OF_BOARDS = {"": for_objective, "_distribution": distribution_of, MATCHUPS: matchups_of, CARDS: cards_of}
OF_OBJECTIVES = {
    LayeredBoard: OF_BOARDS,  # its values by number are another table, `layers`
    CompiledBoard: {"": values_of},
    Board: OF_BOARDS,
    Hidden: {"": sets_for_objective, MATCHUPS: matchups_of_sets},
}
"""{class of rules: {ending of a table's name after the objective: its match format}}, where the first class that fits
counts; only games for two players have matchups, and only boards that state `features` have cards."""


def check_makes_tables(rules: type, game: str, table: str) -> None:
    """Raise MissingTableError, which gives the reason, if a game's class makes no tables; `rules` is `object` if the
    file has no class `Rules`."""
    try:
        if rules is object:
            module = modules[f"dicebase.games.{game}"]
            others = [n for n, c in vars(module).items() if isinstance(c, type) and c.__module__ == module.__name__]
            raise ConfigurationError(f"{game}.py: has no class Rules{', only ' * bool(others)}{', '.join(others)}")
        check_class(rules)
        if issubclass(rules, PositionRules) and not objectives_of(rules):
            raise ConfigurationError(f"{game}.py: objectives: must be a dict of one or more Objective by name")
    except ConfigurationError as error:
        raise MissingTableError(f"{table}: {error}") from error


def objectives_of(rules: type) -> Mapping[str, Objective]:
    """The objectives of rules by name; empty for rules that state none."""
    objectives = rules.objectives if issubclass(rules, PositionRules) else {}
    return {n: o for n, o in objectives.items() if type(o) is Objective} if isinstance(objectives, Mapping) else {}


def aims_of(rules: type) -> list[tuple[str, str]]:
    """All tables of objectives, as (objective, ending of the table's name)."""
    objectives = objectives_of(rules).items()
    cards = bool(getattr(rules, "features", {}))
    made = {name: {MATCHUPS: o.players == 2, CARDS: cards} for name, o in objectives}
    return [(name, end) for name, _ in objectives for end in formats_of(rules) if made[name].get(end, True)]


def formats_of(rules: type) -> Mapping[str, Callable[[Objective], type[Listing]]]:
    """The match formats of rules by ending, see OF_OBJECTIVES; empty for rules that state no objectives."""
    return next((formats for kind, formats in OF_OBJECTIVES.items() if issubclass(rules, kind)), {})
