"""The probability of reaching a given score, for every score at once: a table over the points still needed."""

from functools import cached_property

from dicebase.matches.sheets.scorecards import FREE, ROLL, FollowedPlacements, MultiplierListing
from dicebase.matches.sheets.sheets import BONUS, FILLED, NEW_CARD, OPEN, UPPER, SheetPoints
from dicebase.vocabulary import Card, Column, MultiplierScorecard, Sheet, State, value_column


class ChanceToExceed(MultiplierListing, FollowedPlacements):
    """Maximise the probability of at least `needed` points in the free slots (Böcker 2015, section 10).

    For each (free, needed), a row has the greatest probability before the roll, and the probability under the strategy
    that maximises the expected score. Decisions follow from these: placing a roll in slot i leaves needed - gain points
    for the other free slots, and a player who needs less than one point succeeds.
    """

    points, step, enough = "needed", -1, True
    certified_by = "sheets.exceed"
    asked = "greatest probability of at least `needed` points in the free slots, with this roll to place"
    value = value_column(
        "greatest probability of at least `needed` points in the free slots, before the roll", "probability"
    )
    columns = (
        FREE,
        Column("needed", int, "points still needed, from 1 to the most the free slots can score", "points"),
    )
    more = (
        value_column(
            "the same probability under the strategy that maximises the expected score", "probability", "score_optimal"
        ),
    )
    state_columns = (*columns, ROLL)

    @property
    def why_not_solved(self) -> str:
        gains = self.rules.gains
        if max(map(max, gains)) == 0:
            return "no roll scores in any slot: there is nothing to reach"
        if min(map(min, gains)) < 0:
            return "rolls can lose points, and then the points needed rise, which this table does not cover"
        return super().why_not_solved

    @property
    def bytes(self) -> int:
        most = sum(abs(factor) for factor in self.rules.factors) * max(map(abs, self.rules.weights))
        return 2 * 8 * (most + 1) << self.rules.slots

    @cached_property
    def most(self) -> list[int]:
        """The most points that a set of free slots can score, by the bit mask of the set."""
        most = [0]
        for best in map(max, self.rules.gains):
            most += [points + best for points in most]
        return most

    @property
    def note(self) -> str:
        return (
            "decisions follow from the stored probabilities; the value of the table is the probability of half of the "
            f"most points, {self.middle}"
        )

    @property
    def middle(self) -> int:
        """The score of the table's value: half of the most points, rounded up."""
        return (self.most[-1] + 1) // 2

    def why_missing(self, state: State) -> str:
        free, needed, *roll = state
        possible = 0 < free < 1 << self.rules.slots and (not roll or roll[0] in self.rules.weights)
        if possible and needed < 1:
            return "nothing more is needed: every placement reaches it"
        return f"the free slots score at most {self.most[free]}" if possible else super().why_missing(state)


class SheetChance(SheetPoints):
    """Maximise the probability of at least `needed` points in the open boxes of a score sheet."""

    defaults, aliases = NEW_CARD, FILLED
    value = value_column("greatest probability of at least `needed` points in the open boxes", "probability")
    columns = (
        OPEN,
        UPPER,
        BONUS,
        Column("needed", int, "points still needed, from 1 to the most that the open boxes can score", "points"),
    )
    more = ChanceToExceed.more
    note = "the value of the table is the probability of half of the most points, rounded up, from a new card"

    def why_missing(self, state: State) -> str:
        *card, needed = state
        few = "nothing more is needed" if needed < 1 else f"the open boxes cannot score {needed}"
        return self.why_not_listed(Card(*card)) or few


FORMATS = {MultiplierScorecard: ChanceToExceed, Sheet: SheetChance}
