"""Track: a car speeds up, holds or brakes on a road of ten squares with a wall at its end."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Track."""

    title = "Track"
    citation = "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (
        Column("place", int, "square"),
        Column("speed", int, "squares a turn"),
    )

    def start(self):
        return (0, 0, -9)

    def actions(self, state):
        return [name for name, v in (("brake", -1), ("hold", 0), ("speed up", 1)) if 0 <= state[1] + v <= 3]

    def afterstate(self, state, action):
        return (*state, {"brake": -1, "hold": 0, "speed up": 1}[action])

    def outcomes(self, afterstate):
        place, speed, change = afterstate
        if change < -1:
            yield 1, (0, 0), 0, 1
            return
        for weight, slip in ((4, change), (1, 0)):
            to, fast = place + speed + slip, speed + slip
            if to == 9 and fast <= 1:
                yield weight, None, 1, 1
            else:
                yield weight, (0, 0) if to > 9 else (to, fast), 1, 1
