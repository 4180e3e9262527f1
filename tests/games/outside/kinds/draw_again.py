"""Draw again: a card may let you draw another one before you decide; stop below 12."""

from dataclasses import dataclass

from dicebase.vocabulary import After, Board, Column, Objective, Outcome


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Draw again", "a test"
    objectives = {"points": Objective("expected points", "points")}
    columns = (Column("total", int, "points so far"),)
    chained = True

    def start(self):
        return 0

    def actions(self, state):
        return ["stop", "draw"]

    def afterstate(self, state, action):
        return (state[0],) if action == "stop" else state[0]

    def outcomes(self, afterstate):
        if isinstance(afterstate, tuple):
            return [Outcome(1, None, afterstate[0])]
        found = [Outcome(1, (afterstate + card,) if afterstate + card < 12 else None) for card in (1, 3, 4)]
        return [*found, Outcome(2, After(afterstate + 2) if afterstate < 10 else None)]
