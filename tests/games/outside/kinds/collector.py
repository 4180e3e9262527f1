"""Collector: complete a set of six cards from cheap packs of one card and dear packs of two."""

from dataclasses import dataclass
from itertools import product

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Collector", "a test"
    objectives = {"cost": Objective("expected cost", "points", -1)}
    columns = (Column("missing", int, "cards not yet found"),)

    def start(self):
        return (6, 0)

    def actions(self, state):
        return ["one", "two"]

    def afterstate(self, state, action):
        return (state[0], 1 + (action == "two"))

    def outcomes(self, afterstate):
        missing, cards = afterstate
        if not cards:
            yield 1, (6,), 0, 1
            return
        for found in product(range(6), repeat=cards):
            left = missing - len({card for card in found if card < missing})
            yield 1, (left,) if left else None, (0, 3, 5)[cards], 1
