"""Kayles: bowl at a row of pins; a throw knocks down one pin or two neighbours, and may miss."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Kayles."""

    title = "Kayles"
    citation = "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (Column("pins", str, "x a pin, . a gap"),)

    def start(self):
        return ("xxxxxx", -1, 0)

    def actions(self, state):
        pins = state[0]
        return [f"{i}-{k}" for k in (1, 2) for i in range(len(pins)) if pins[i : i + k] == "x" * k]

    def afterstate(self, state, action):
        return (state[0], *map(int, action.split("-")))

    def outcomes(self, afterstate):
        pins, at, knocked = afterstate
        if at < 0:
            yield 1, (pins,), 0, 1
            return
        after = pins[:at] + "." * knocked + pins[at + knocked :]
        yield 4 - knocked, *(((after,), 1, -1) if "x" in after else (None, 1, 1))
        yield knocked, (pins,), 1, -1
