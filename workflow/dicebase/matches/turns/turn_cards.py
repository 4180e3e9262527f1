"""The best cards for a turn for its own sake: when to stop and what to keep, and the points that each card loses."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil

from dicebase.matches.card_listing import cost_columns, numbers_on_card
from dicebase.matches.turns.cards import MOST_NUMBERS, Cards
from dicebase.matches.turns.hold_at import Features, dice_of
from dicebase.vocabulary import RepeatedTurn


@dataclass(frozen=True)
class TurnCards(Cards):
    """The best card of each language that has this many numbers, for the most points in a turn."""

    numbers: int = numbers_on_card(high=MOST_NUMBERS)

    tabulated_by = "cards.turns.turn"
    value, more = cost_columns("points", "expected points of the best turn minus those of the card")
    bytes = 0

    @property
    def why_not_searched(self) -> str:
        risky = not self.rules.must_roll and all(lost for _, lost in self._rolls)
        return "" if risky else "cards for a turn need rules by which every roll can be lost and none must be made"

    @cached_property
    def _rolls(self) -> list[tuple[int, int]]:
        """The sum of the largest gains and the number of lost rolls, by mode."""
        rolls = [[*self.rules.rolls(0, mode)] for mode in self.rules.modes]
        gained = [sum(r.weight * max((o.gain for o in r.options), default=0) for r in of) for of in rolls]
        return [(gain, sum(r.weight for r in of if r.loss)) for gain, of in zip(gained, rolls, strict=True)]

    @cached_property
    def count(self) -> int:
        # From this total on the mean gain of a roll is at most its mean loss, so stopping is best.
        risky = max(gain / lost for gain, lost in self._rolls)
        return ceil(max(risky, self.rules.least_stop) / self.unit)

    @property
    def features(self) -> Features:
        # Stopping is best from this total on, so a card that stops there in effect always rolls.
        return {"target": [self.unit * self.count]} | dice_of(self.rules)


FORMATS = {RepeatedTurn: TurnCards}
