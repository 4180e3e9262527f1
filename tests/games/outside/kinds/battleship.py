"""Battleship: find both squares of a ship of two on a strip of seven."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Battleship."""

    title = "Battleship"
    citation = "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (Column("shots", str, "h a hit, m a miss, . not yet"),)

    def start(self):
        return "......."

    def actions(self, state):
        return [str(i) for i, square in enumerate(state[0]) if square == "."]

    def afterstate(self, state, action):
        return (state[0], int(action))

    def outcomes(self, afterstate):
        if isinstance(afterstate, str):
            yield 1, (afterstate,), 0, 1
            return
        shots, at = afterstate
        ships = [{i, i + 1} for i in range(6)]
        fit = [s for s in ships if all((x == ".") or ((i in s) == (x == "h")) for i, x in enumerate(shots))]
        for hit in (True, False):
            if weight := sum((at in ship) == hit for ship in fit):
                then = shots[:at] + ("h" if hit else "m") + shots[at + 1 :]
                yield weight, None if then.count("h") == 2 else (then,), 1, 1
