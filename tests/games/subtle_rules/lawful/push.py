"""Add up a die; the lowest face loses the turn."""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, RepeatedTurn, Roll, parameter


# TOP
@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"
    # CLASS

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        for face in self._faces(mode):
            yield Roll(1, "", (Option(face, mode),))

    def _faces(self, mode):
        return range(2, self.sides + 1)
