"""Pig: roll as often as you like; a 1 loses the turn.

With one die, any other face is added to the turn total. With two dice, their sum is added; a single 1 loses the turn,
and a double 1 also loses all banked points.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, RepeatedTurn, Roll, multisets, parameter


@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """One turn of Pig (section 5.2 of Crocce & Mordecki 2014 for one six-sided die)."""

    sides: int = parameter(6, "sides of each die, numbered from 1", low=2, high=120)
    dice: int = parameter(1, "dice thrown at once", low=1, high=2)

    title = "Pig"
    citation = (
        "M. Roters (1998), Optimal stopping in a dice game, J. Appl. Probab. 35, 229-235; "
        "T. Neller and C. Presser (2004), Optimal play of the dice game Pig, UMAP J. 25(1), 25-47; "
        "F. Crocce and E. Mordecki (2014), A finite exact algorithm to solve a dice game, section 5.2"
    )
    stop = "hold"

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        for faces, orders in multisets(self.sides, self.dice):
            shown = "".join(map(str, faces)) if self.sides < 10 else ""
            if faces[0] > 1:
                yield Roll(orders, shown, (Option(sum(faces), mode),))
            else:
                yield Roll(orders, shown, loss=Loss.WIPE if faces == (1, 1) else Loss.BUST)
