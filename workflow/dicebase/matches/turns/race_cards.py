"""The best cards for a race: policies of a few numbers, and the turns that each one loses."""

from dataclasses import dataclass
from functools import cached_property

from dicebase.matches.card_listing import cost_columns, numbers_on_card
from dicebase.matches.turns.cards import MOST_NUMBERS, Cards
from dicebase.matches.turns.hold_at import Features, dice_of
from dicebase.matches.turns.race import RaceOfTurns
from dicebase.vocabulary import RepeatedTurn, parameter


@dataclass(frozen=True)
class RaceCards(Cards):
    """The best card of each language that has this many numbers, for the fewest turns."""

    target: int = parameter(100, "points that end the match", low=1, high=100_000)
    numbers: int = numbers_on_card(high=MOST_NUMBERS)

    tabulated_by = "cards.turns.race"
    value, more = cost_columns("turns", "expected turns of the card minus the fewest")

    @cached_property
    def race(self) -> RaceOfTurns:
        """The race."""
        return RaceOfTurns(self.rules, self.target)

    @property
    def why_not_searched(self) -> str:
        otherwise = self.race.ends_otherwise or self.race.wipes
        return self.race.why_not_solved or "cards are searched only if a turn adds points or none" * otherwise

    bytes = property(lambda self: 100 * self.race.totals**2)

    @property
    def count(self) -> int:
        return self.race.totals

    @property
    def features(self) -> Features:
        return {"me": range(0, self.target, self.unit), "target": [self.target]} | dice_of(self.rules)


FORMATS = {RepeatedTurn: RaceCards}
