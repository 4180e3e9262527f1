"""A lawful scorecard."""

from dataclasses import dataclass

from dicebase.vocabulary import MultiplierScorecard, parameter


@dataclass(frozen=True)
class Rules(MultiplierScorecard):
    """Made up."""

    slots: int = parameter(2, "slots", low=1, high=9)

    title = "Made up"
    citation = "made up for a test"
    weights = {1: 1, 2: 1}  # noqa: RUF012

    @property
    def factors(self):
        return tuple(range(1, self.slots + 1))
