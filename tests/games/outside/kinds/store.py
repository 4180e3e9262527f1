"""Store: order goods each day for a random demand; later days count for nine tenths."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Store", "a test"
    objectives = {"profit": Objective("expected profit", "points")}
    columns = (Column("stock", int, "goods in stock"),)
    discount = Fraction(9, 10)

    def start(self):
        return (0, -1)

    def actions(self, state):
        return [f"order {k}" for k in range(5 - state[0])]

    def afterstate(self, state, action):
        return (state[0], int(action[-1]))

    def outcomes(self, afterstate):
        stock, order = afterstate
        if order < 0:
            yield 1, (0,), 0, 1
            return
        for weight, demand in ((1, 0), (3, 1), (3, 2), (1, 4)):
            sold = min(demand, stock + order)
            yield weight, (stock + order - sold,), 5 * sold - 2 * order - (order > 0) - (stock + order - sold), 1
