"""The best cards for a duel: policies of a few numbers, and what each one loses to optimal play."""

from dataclasses import dataclass
from functools import cached_property

from dicebase.matches.card_listing import cost_columns, numbers_on_card
from dicebase.matches.duels.duel import DuelListing, DuelOfTurns
from dicebase.matches.duels.duel_matchups import OPTIMAL, MatchupsOfTurns
from dicebase.matches.turns.cards import MOST_NUMBERS, Cards
from dicebase.matches.turns.hold_at import Features
from dicebase.vocabulary import Definition, RepeatedTurn


@dataclass(frozen=True)
class DuelCards(Cards, DuelListing):
    """The best card of each language that has this many numbers, against optimal play."""

    numbers: int = numbers_on_card(high=MOST_NUMBERS)

    match, tabulated_by = DuelOfTurns, "cards.turns.duel"
    value, more = cost_columns(
        "probability",
        "1 minus twice the card's probability of winning against optimal play, averaged over who begins",
        "the same against the best response to the card",
    )

    @property
    def why_not_searched(self) -> str:
        wipes = "cards are searched only if a roll never loses banked points" * self.duel.wipes
        return self.duel.why_no_matchups or wipes

    bytes = property(lambda self: 60 * self.duel.totals**3)

    @property
    def count(self) -> int:
        return self.duel.totals

    @property
    def features(self) -> Features:
        return self.optimal.features

    @cached_property
    def optimal(self) -> MatchupsOfTurns:
        """The league of optimal play alone."""
        return MatchupsOfTurns(self.rules, self.target, Definition("cards", [OPTIMAL]))


FORMATS = {RepeatedTurn: DuelCards}
