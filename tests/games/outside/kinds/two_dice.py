"""Two dice: throw two dice, keep any of them, and throw the others up to twice; a pair counts double."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, multisets


@dataclass(frozen=True)
class Rules(Board):
    """Two dice."""

    title = "Two dice"
    citation = "a test"
    objectives = {"points": Objective("expected points", "points")}
    columns = (
        Column("roll", str, "the dice"),
        Column("left", int, "throws left"),
    )

    def start(self):
        return ("", 2)

    def actions(self, state):
        roll, left = state
        return ["stop"] + [f"keep {kept or 'none'}" for kept in sorted({"", roll[0], roll[1]})] * (left > 0)

    def afterstate(self, state, action):
        roll, left = state
        return roll if action == "stop" else (action.removeprefix("keep ").replace("none", ""), left - 1)

    def outcomes(self, afterstate):
        if isinstance(afterstate, str):
            yield 1, None, sum(map(int, afterstate)) * (1 + (afterstate[0] == afterstate[1])), 1
            return
        kept, left = afterstate
        for faces, weight in multisets(6, 2 - len(kept)):
            yield weight, ("".join(sorted(kept + "".join(map(str, faces)))), left), 0, 1
