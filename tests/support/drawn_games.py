"""Games and boards of a few places, as data: the outcomes of each action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from dicebase.vocabulary import Board, Column, Controller, Game, Objective, Outcome

Drawing = Mapping[int, Mapping[str, Sequence[Outcome]]]


def end(reward: int | Fraction = 0, weight: int = 1) -> Outcome:
    return Outcome(weight, None, reward)


def go(place: int, weight: int = 1, reward: int | Fraction = 0, sign: int = 1) -> Outcome:
    return Outcome(weight, (place,), reward, sign)


class Places:
    """Play by a drawing, {place: {action: outcomes}}; it begins in place 0."""

    columns = (Column("place", int, "the place"),)
    shared = False  # whether an action leads to the same afterstate from every place

    def start(self):
        return "begin"

    def actions(self, state):
        return tuple(self.drawing[state[0]])

    def afterstate(self, state, action):
        return action if self.shared else (*state, action)

    def outcomes(self, afterstate):
        if afterstate == "begin":
            return [go(0)]
        if self.shared:
            return next(actions[afterstate] for actions in self.drawing.values() if afterstate in actions)
        place, action = afterstate
        return self.drawing[place][action]


@dataclass
class Drawn(Places, Game):
    """A game by its drawing."""

    drawing: Drawing
    controllers: Mapping[int, Controller] = field(default_factory=dict)  # by place, MAX by default
    shared: bool = False

    value = Column("value", float, "what MAX gets", "points")

    def controller(self, state):
        return self.controllers.get(state[0], Controller.MAX)


@dataclass(frozen=True)
class DrawnBoard(Places, Board):
    """The rules of a board by its drawing."""

    title = citation = "made up for a test"
    objectives: ClassVar = {"points": Objective("points", "points")}
    drawing: ClassVar[Drawing] = {}


def board(drawing: Drawing, **said: object) -> DrawnBoard:
    """The rules of a board for its first objective; `said` replaces what DrawnBoard says."""
    rules = dataclass(frozen=True)(type("Made", (DrawnBoard,), {"drawing": drawing} | said))
    return rules(objective=next(iter(rules.objectives)))
