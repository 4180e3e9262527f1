"""Quiz: answer harder and harder questions for doubled prizes, ask the audience once, or go home with the prize."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Quiz", "a test"
    objectives = {"prize": Objective("expected prize", "points")}
    columns = (Column("question", int, "number of the question"), Column("help", bool, "whether help is left"))

    def start(self):
        return (1, True, "begin")

    def actions(self, state):
        return ["answer", *(["ask"] if state[1] else []), "go home"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        question, help, action = afterstate
        prize, last = 2 ** (question - 1), question == 10
        if action == "begin":
            yield 1, (1, True), 0, 1
        elif action == "go home":
            yield 1, None, prize - 1, 1
        else:
            there = None if last else (question + 1, help and action != "ask")
            yield 12 - question + 4 * (action == "ask"), there, 2 * prize * last, 1
            yield question, None, 0, 1

    def labels(self, afterstate):
        return {"begin": ["first question"], "go home": ["home"]}.get(afterstate[2], ["right", "wrong"])
