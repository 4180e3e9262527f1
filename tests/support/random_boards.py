"""Boards drawn at random: small, with or without cycles, of one player or of two."""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from dicebase.matches.boards.board import BoardGame, for_objective
from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter

CHANCE = Objective("chance to win", "probability")


@dataclass(frozen=True)
class RandomBoard(Board):
    """Play goes from place to place, and ends now and then; with two players, the same or the other one moves next."""

    seed: int = parameter(1, "seed of the drawing", low=0, high=10**9)
    places: int = parameter(12, "places", low=1, high=10**6)
    returns: int = parameter(1, "whether play can return", low=0, high=1)
    two: int = parameter(0, "whether two players move", low=0, high=1)

    title = "A board drawn at random"
    citation = "made up for tests"
    objectives = {  # noqa: RUF012
        "win": CHANCE,
        "most": Objective("points", "points"),
        "least": Objective("points", "points", -1),
    }
    columns = (Column("place", int, "where one is"), Column("name", str, "what it is called"))

    def start(self):
        return None

    def actions(self, state):
        return [f"go {i}" for i in range(len(self._map[state[0]]))]

    def afterstate(self, state, action):
        return state[0], int(action[3:])

    def outcomes(self, afterstate):
        if afterstate is None:
            return [Outcome(1, self._state(0)), Outcome(2, self._state(self.places - 1))]
        place, number = afterstate
        return self._map[place][number]

    def _state(self, place):
        return place, "abc"[place % 3] * (1 + place % 2)

    @cached_property
    def _map(self):
        random = Random(self.seed)
        return [
            [self._outcomes(random, place) for _ in range(random.choice((1, 2, 3)))] for place in range(self.places)
        ]

    def _outcomes(self, random, place):
        ways, wins = [], self.objective == "win"
        for _ in range(random.choice((1, 2, 4))):
            to = random.randrange(self.places) if self.returns else random.randrange(place + 1, self.places + 1)
            weight, changes = random.randrange(1, 4), bool(self.two and random.random() < 0.6)
            if to >= self.places or (wins and random.random() < 0.2):
                ways.append(Outcome(weight, None, random.randrange(2 if wins else 4)))
            else:
                paid = int(changes) if wins else random.randrange(4)
                ways.append(Outcome(weight, self._state(to), paid, -1 if changes else 1))
        ways.append(Outcome(1, None, random.randrange(2)))
        return ways


def random_game(objective: str, **parameters: int) -> BoardGame:
    """The game of a random board for one objective."""
    return for_objective(RandomBoard.objectives[objective])(RandomBoard(objective=objective, **parameters))
