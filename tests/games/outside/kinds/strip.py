"""Strip: who places three adjacent stones on a strip of nine squares wins; a full strip is a draw."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Strip."""

    title = "Strip"
    citation = "a test"
    objectives = {"points": Objective("expected points that the mover wins", "points", players=2)}
    columns = (Column("strip", str, "x a stone of the mover, o one of the other, . empty"),)

    def start(self):
        return ("." * 9, False)

    def actions(self, state):
        return [str(i) for i, square in enumerate(state[0]) if square == "."]

    def afterstate(self, state, action):
        i = int(action)
        return (state[0][:i] + "x" + state[0][i + 1 :], True)

    def outcomes(self, afterstate):
        strip, moved = afterstate
        if "xxx" in strip or "." not in strip:
            yield 1, None, int("xxx" in strip), 1
        else:
            yield 1, (strip.translate({120: 111, 111: 120}) if moved else strip,), 0, -1 if moved else 1
