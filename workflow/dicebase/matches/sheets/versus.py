"""A card against an opponent who maximises the expected score on another card: the higher final score wins."""

from functools import cached_property

from dicebase.matches.sheets.scorecards import FREE, ROLL, FollowedPlacements, MultiplierListing
from dicebase.matches.sheets.sheets import BONUS, FILLED, NEW_CARD, OPEN, UPPER, SheetPoints
from dicebase.vocabulary import Card, Column, MultiplierScorecard, Sheet, State, value_column


class BestResponse(MultiplierListing, FollowedPlacements):
    """The best response, by a player who rolls alone, to an unseen opponent who maximises the expected score.

    For each (free, scored), a row has the payoff before the roll, and the payoff of playing as the opponent does; with
    no free slot both are the payoff of a final score (Böcker 2015, section 10). Decisions follow: placing a roll in
    slot i leads to (free without i, scored + gain).
    """

    rules_of_play = (
        "The unseen opponent fills a card of the same kind and maximises the expected points; ties go to the lowest "
        "slot. The higher final score wins; a tie counts half."
    )
    points, step = "scored", 1
    certified_by = "sheets.versus"
    asked = "P(win) + P(tie) / 2 of the best response, with this roll to place"
    value = value_column("P(win) + P(tie) / 2 of the best response, before the roll", "probability")
    columns = (FREE, Column("scored", int, "points scored in the other slots", "points"))
    more = (
        value_column(
            "the same under the strategy that maximises the expected score, which the opponent plays",
            "probability",
            "score_optimal",
        ),
        value_column(
            "P(tie) if each roll goes to the slot with the greatest value, the lowest slot in a tie",
            "probability",
            "tie",
        ),
    )
    state_columns = (*columns, ROLL)
    note = "decisions follow from the stored probabilities; scores are those that play can reach"

    bytes = property(lambda self: 3 * 8 * (self.rules.spread + 1) << self.rules.slots)

    @cached_property
    def reached(self) -> list[tuple[int, ...]]:
        """The points that the filled slots can have scored, in rising order, by the bit mask of free slots."""
        sums = [{0}]  # by the bit mask of filled slots
        for gains in map(set, self.rules.gains):
            sums += [{points + gain for points in filled for gain in gains} for filled in sums]
        return [tuple(sorted(points)) for points in reversed(sums)]

    def why_missing(self, state: State) -> str:
        free, scored, *roll = state
        if free == 0 and roll:
            return "no slot is free: the card is full"
        possible = 0 <= free < 1 << self.rules.slots and (not roll or roll[0] in self.rules.weights)
        return f"the filled slots cannot score {scored}" if possible else super().why_missing(state)


class SheetResponse(SheetPoints):
    """The best response on a score sheet to an unseen opponent who maximises the expected score.

    The value with no open box is the payoff of a final score.
    """

    rules_of_play = (
        "The unseen opponent fills a sheet of the same kind and maximises the expected points, as the strategy "
        "`optimal` of the distribution does. The higher final score wins; a tie counts half."
    )
    defaults, aliases = NEW_CARD, FILLED
    value = value_column("P(win) + P(tie) / 2 of the best response", "probability")
    columns = (OPEN, UPPER, BONUS, Column("scored", int, "points scored in the filled boxes", "points"))
    more = (
        value_column("the same under the strategy `optimal`, which the opponent plays", "probability", "score_optimal"),
    )
    note = "scores are those that play can reach"

    def why_missing(self, state: State) -> str:
        *card, scored = state
        why = "" if self.every and card[0] == 0 else self.why_not_listed(Card(*card))
        return why or f"the filled boxes cannot score {scored}"


FORMATS = {MultiplierScorecard: BestResponse, Sheet: SheetResponse}
