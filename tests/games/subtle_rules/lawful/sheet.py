"""Fill three boxes with two dice: ones, the sum, and a pair."""

from dataclasses import dataclass

from dicebase.vocabulary import Entry, Sheet, parameter


# TOP
@dataclass(frozen=True)
class Rules(Sheet):
    """Made up."""

    pair: int = parameter(5, "points of a pair", low=1, high=99)

    title = "Made up"
    citation = "made up for a test"
    dice, sides, rolls = 2, 3, 2
    boxes = ("ones", "sum", "pair")
    # CLASS

    def entries(self, dice):
        yield Entry(0, dice.count(1))
        yield Entry(1, sum(dice))
        yield Entry(2, self._pair(dice))

    def _pair(self, dice):
        return self.pair if dice[0] == dice[1] else 0
