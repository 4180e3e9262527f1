"""Best of eight: look at eight numbers in turn and take the largest of all, with no way back."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Best of eight", "the secretary problem"
    objectives = {"best": Objective("chance to take the largest", "probability")}
    columns = (Column("seen", int, "numbers seen"), Column("record", bool, "whether the last is the largest so far"))

    def start(self):
        return (0, False, "look")

    def actions(self, state):
        return ["look", "take"] if state[0] < 8 else ["take"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        seen, record, action = afterstate
        if action == "take":  # a record among the first n is the largest of eight with chance n / 8
            yield from ((seen, None, 1, 1), (8 - seen, None, 0, 1))[: 2 - (seen == 8)] if record else ((1, None, 0, 1),)
        else:
            yield 1, (seen + 1, True), 0, 1
            if seen:
                yield seen, (seen + 1, False), 0, 1
