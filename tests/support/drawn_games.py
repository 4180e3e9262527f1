"""Games of a few places, as data: the outcomes of each action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dicebase.vocabulary import Column, Controller, Game, Outcome


def end(reward: int | Fraction = 0, weight: int = 1) -> Outcome:
    return Outcome(weight, None, reward)


def go(place: int, weight: int = 1, reward: int | Fraction = 0, sign: int = 1) -> Outcome:
    return Outcome(weight, (place,), reward, sign)


@dataclass
class Drawn(Game):
    """A game by {place: {action: outcomes}}; play begins in place 0."""

    drawing: Mapping[int, Mapping[str, Sequence[Outcome]]]
    controllers: Mapping[int, Controller] = field(default_factory=dict)  # by place, MAX by default
    shared: bool = False  # whether an action leads to the same afterstate from every place

    columns = (Column("place", int, "the place"),)
    value = Column("value", float, "what MAX gets", "points")

    def start(self):
        return "begin"

    def controller(self, state):
        return self.controllers.get(state[0], Controller.MAX)

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
