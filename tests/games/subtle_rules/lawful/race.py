"""Two pawns run along a road; the first to pass its end wins."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter

DICE = {"walk": 1, "run": 2}


# TOP
@dataclass(frozen=True)
class Rules(Board):
    """Made up."""

    length: int = parameter(6, "squares of the road", low=2, high=30)

    title = "Made up"
    citation = "made up for a test"
    objectives = {"duel": Objective("chance to win", "probability", players=2)}  # noqa: RUF012
    columns = (Column("me", int, "the mover's square"), Column("opponent", int, "the other square"))
    # CLASS

    def start(self):
        return (0, 0, 0)

    def actions(self, state):
        return ["walk", "run"]

    def afterstate(self, state, action):
        return (*state, DICE[action])

    def outcomes(self, afterstate):
        me, opponent, dice = afterstate
        if not dice:
            return [Outcome(1, (me, opponent))]
        found = []
        for steps, weight in self._steps(dice, me):
            if me + steps >= self.length:
                found.append(Outcome(weight, None, 1))
            else:
                found.append(self._on(weight, opponent, me, steps))
        return found

    def _on(self, weight, opponent, me, steps):
        return Outcome(weight, (opponent, me + steps), 1, -1)

    def _steps(self, dice, me):
        return [(1, 1), (2, 1)] if dice == 1 else [(0, 2), (3, 1), (4, 1)]
