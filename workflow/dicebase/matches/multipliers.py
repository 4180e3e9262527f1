"""What the listings of scorecards with multipliers have in common."""

from dataclasses import dataclass

from dicebase.vocabulary.listing import Listing
from dicebase.vocabulary.scorecards import MultiplierScorecard


@dataclass(frozen=True)
class OfMultipliers(Listing):
    """A listing of a scorecard whose slots multiply; raises ConfigurationError for another one. It is a mixin."""

    rules: MultiplierScorecard

    def __post_init__(self) -> None:
        _ = self.rules.factors  # where slots do not multiply there are none
