"""Pairs of cards: turn two of ten cards a turn; remember those seen. How many turns until all pairs are found?"""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Pairs of cards", "a test"
    objectives = {"turns": Objective("expected turns", "turns", sense=-1)}
    columns = (
        Column("hidden", int, "pairs never seen"),
        Column("known", int, "pairs of which one card is known"),
        Column("turned", bool, "whether a new card lies open"),
    )

    def start(self):
        return (5, 0, False, "deal")

    def actions(self, state):
        _, known, turned = state
        return ["new", "old"] if turned and known > 1 else ["new"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        hidden, known, turned, action = afterstate
        if action == "deal":
            yield 1, (hidden, known, False), 0, 1
        elif action == "old":  # a known card that does not match ends the turn without risk
            yield 1, (hidden, known, False), 1, 1
        elif not turned:
            if known:
                yield known, (hidden, known - 1, False) if hidden or known > 1 else None, 1, 1
            if hidden:
                yield 2 * hidden, (hidden - 1, known + 1, True), 0, 1
        else:
            yield 1, (hidden, known - 1, False) if hidden or known > 1 else None, 1, 1
            if known > 1:
                yield known - 1, (hidden, known, False), 2, 1
            if hidden:
                yield 2 * hidden, (hidden - 1, known + 1, False), 1, 1
