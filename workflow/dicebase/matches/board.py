"""A game that states its own positions: every position that play can reach, with the value of every action."""

from functools import cache
from types import MappingProxyType
from typing import ClassVar

from dicebase.vocabulary import Board, Controller, Game, Objective, State, worth


class BoardGame(Game):
    """The positions of a board for one of its objectives; see `for_objective`."""

    rules: Board
    tabulated_by = "boards.positions"
    objective: ClassVar[Objective]

    def __init__(self, rules: Board) -> None:
        self.rules, self.columns, self.note = rules, rules.columns, rules.note

    def controller(self, state: State) -> Controller:
        return Controller.MAX if self.sense > 0 else Controller.MIN

    # The rules answer themselves: a position is asked for millions of times.
    start = property(lambda self: self.rules.start)
    actions = property(lambda self: self.rules.actions)
    afterstate = property(lambda self: self.rules.afterstate)
    outcomes = property(lambda self: self.rules.outcomes)
    why_missing = property(lambda self: self.rules.why_missing)


@cache
def for_objective(objective: Objective) -> type[BoardGame]:
    """The match format of an objective: BoardGame with its words, unit and sense."""
    words = f"The {'best' if objective.sense > 0 else 'least'} {objective.words}"
    said = {
        "__doc__": words,
        "__module__": __name__,
        "objective": objective,
        "sense": objective.sense,
        "value": worth(f"{words[0].lower()}{words[1:]}, from here on", objective.unit),
        "rules_of_play": f"{words} is what is played for.",
    }
    return type("BoardGame", (BoardGame,), MappingProxyType(said) | {})
