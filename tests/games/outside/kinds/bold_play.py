"""Bold play: stake any part of a fortune of 1 to 15 at odds of 2 to 3 until it is 16 or nothing."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Bold play", "Dubins and Savage (1965)"
    objectives = {"win": Objective("chance to reach 16", "probability")}
    columns = (Column("fortune", int, "what the player has"),)

    def start(self):
        return (5, 0)

    def actions(self, state):
        return [f"stake {k}" for k in range(1, min(state[0], 16 - state[0]) + 1)]

    def afterstate(self, state, action):
        return (*state, int(action[6:]))

    def outcomes(self, afterstate):
        for weight, gain in ((2, afterstate[1]), (3, -afterstate[1])) if afterstate[1] else ((1, 0),):
            fortune = afterstate[0] + gain
            yield (weight, (fortune,), 0, 1) if 0 < fortune < 16 else (weight, None, fortune == 16, 1)
