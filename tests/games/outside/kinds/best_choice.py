"""Best choice: of ten candidates in random order, stop at one that is the best of all."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Best choice."""

    title = "Best choice"
    citation = "a test"
    objectives = {"best": Objective("chance to win", "probability")}
    columns = (
        Column("seen", int, "candidates seen"),
        Column("leads", int, "1 if the last one is the best so far"),
    )

    def start(self):
        return 0

    def actions(self, state):
        return ["stop", "go on"] if state[1] else ["go on"]

    def afterstate(self, state, action):
        return (state[0], "chosen") if action == "stop" else state[0]

    def outcomes(self, afterstate):
        if isinstance(afterstate, tuple):  # no later candidate is better
            yield from (
                ((afterstate[0], None, 1, 1), (10 - afterstate[0], None, 0, 1))
                if afterstate[0] < 10
                else [(1, None, 1, 1)]
            )
        elif afterstate == 10:
            yield 1, None, 0, 1
        else:
            yield 1, (afterstate + 1, 1), 0, 1
            if afterstate:
                yield afterstate, (afterstate + 1, 0), 0, 1
