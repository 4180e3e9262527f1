"""A card against an opponent who plays another for the most points: who has more points in the end wins."""

from functools import cached_property

from dicebase.matches.scorecards import FREE, ROLL, FollowedPlacements, OfMultipliers
from dicebase.matches.sheets import BONUS, FILLED, NEW_CARD, OPEN, UPPER, OfPoints
from dicebase.vocabulary import Card, Column, MultiplierScorecard, Sheet, State, worth


class BestResponse(OfMultipliers, FollowedPlacements):
    """The best response of one who rolls alone to an unseen opponent who maximises the expected score.

    (Böcker 2015, section 10.) What is maximised is stored before the roll, by (free, scored), beside that of the
    opponent's own strategy; with no slot free it is that of a final score.
    A decision follows from it: placing a roll in slot i leads to (free without i, scored + gain).
    """

    rules_of_play = (
        "The opponent, whom nobody sees, rolls for a card of the same kind and plays for the most expected points, of "
        "equally good slots the lowest. More points in the end win; a tie counts half."
    )
    points, step = "scored", 1
    asked = "P(win) + P(tie) / 2 of the best response, with this roll to place"
    value = worth("P(win) + P(tie) / 2 of the best response, before the roll", "probability")
    columns = (FREE, Column("scored", int, "points scored in the other slots", "points"))
    more = (
        worth(
            "the same under the strategy that maximises the expected score, which the opponent plays",
            "probability",
            "score_optimal",
        ),
        worth(
            "P(tie) where each roll goes to the slot of the greatest value, the lowest slot of equal ones",
            "probability",
            "tie",
        ),
    )
    state_columns = (*columns, ROLL)
    note = "decisions follow from the stored probabilities; scores are those that play can reach"

    @property
    def bytes(self) -> int:
        return 3 * 8 * (self.span + 1) << self.rules.slots

    @cached_property
    def reached(self) -> list[tuple[int, ...]]:
        """The points that the other slots can have scored, in rising order, by bit mask of the free slots."""
        sums = [{0}]  # by the filled slots
        for gains in map(set, self.rules.gains):
            sums += [{points + gain for points in filled for gain in gains} for filled in sums]
        return [tuple(sorted(points)) for points in reversed(sums)]

    def why_missing(self, state: State) -> str:
        free, scored, *roll = state
        if free == 0 and roll:
            return "no slot is free: the card is full"
        possible = 0 <= free < 1 << self.rules.slots and (not roll or roll[0] in self.rules.weights)
        return f"the filled slots cannot score {scored}" if possible else super().why_missing(state)


class SheetResponse(OfPoints):
    """The best response on a score sheet to an unseen opponent who maximises the expected score.

    With no box open it is that of a final score.
    """

    rules_of_play = (
        "The opponent, whom nobody sees, fills a sheet of the same kind and plays for the most expected points, as the "
        "strategy `optimal` of the distribution. More points in the end win; a tie counts half."
    )
    defaults, aliases = NEW_CARD, FILLED
    value = worth("P(win) + P(tie) / 2 of the best response", "probability")
    columns = (OPEN, UPPER, BONUS, Column("scored", int, "points scored in the filled boxes", "points"))
    more = (worth("the same under the strategy `optimal`, which the opponent plays", "probability", "score_optimal"),)
    note = "scores are those that play can reach"

    def why_missing(self, state: State) -> str:
        *card, scored = state
        why = "" if self.every and card[0] == 0 else self.why_not_listed(Card(*card))
        return why or f"the filled boxes cannot score {scored}"


FORMATS = {MultiplierScorecard: BestResponse, Sheet: SheetResponse}
