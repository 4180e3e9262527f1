"""The expected return of a draw game, the ranks of its final hands, and the variance of what it pays."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from dicebase.vocabulary import (
    HAND,
    NOTHING,
    Column,
    ConfigurationError,
    Draw,
    Layout,
    Listing,
    State,
    read_cards,
    value_column,
    write_cards,
)

POLICY = "of several best holds the policy discards the highest card on which they differ"
MOST_PLAYED = 100


def read_hand(text: str) -> str:
    """Return a hand of five cards in one spelling, in the order given; raises ConfigurationError for any other text."""
    cards = read_cards(text)
    for rank, suit in cards:
        if not suit:
            raise ConfigurationError(f"'{rank}' has no suit; give {rank}c, {rank}d, {rank}h or {rank}s")
    if len(cards) != HAND:
        raise ConfigurationError(f"'{write_cards(cards)}' has {len(cards)} cards, not {HAND}")
    return write_cards(cards)


def read_held(text: str) -> str:
    """Return cards that a player held in one spelling; raises ConfigurationError for any other text."""
    return text if text == NOTHING else write_cards(read_cards(text))


@dataclass(frozen=True)
class DrawListing(Listing):
    """A listing of a draw game."""

    rules: Draw

    unit_of_game = "coins"


class DrawReturn(DrawListing):
    """The greatest expected coins per coin bet of each hand, with the value of every hold.

    A row is a set of at most five cards, up to the names of its suits, with a sum over all final hands that contain it.
    The value of a hold follows by inclusion and exclusion over the cards discarded (hand_classes.py).
    """

    layout = Layout.FOLLOWED
    certified_by, tabulated_by = "draws.holds", "draws.holds"
    columns = tuple(
        Column(
            f"suit_{i}", int, f"ranks held in the {nth} suit: bit r for rank r, from 2 to the ace; suits in any order"
        )
        for i, nth in enumerate(("first", "second", "third", "fourth"), start=1)
    )
    state_columns: ClassVar[tuple[Column, ...]] = (Column("hand", str, "the five cards dealt, such as Jh Jd 4s 7c 2d"),)
    value = value_column("sum of the coins per coin bet that all final hands with these cards are paid", "coins")
    more = (Column("deals", int, "sets of cards that become this one if suits are renamed"),)
    asked = "expected coins per coin bet"
    spelling = MappingProxyType({"hand": read_hand, "action": read_held})
    note = f"the values of all holds follow from these sums; {POLICY}"

    def why_missing(self, state: State) -> str:
        return f"the deck has the ranks {' '.join(self.rules.ranks)} in four suits"


class DrawDistribution(DrawListing):
    """The final hands of a draw game by rank, under the published policy."""

    layout = Layout.VALUES
    columns = (Column("rank", str, "rank by which the final hand is paid"),)
    value = value_column("probability of a final hand of this rank", "probability", "probability")
    more = (
        value_column("coins per coin bet", "coins", "coins"),
        value_column("deals and draws with this end, each draw weighted to be equally likely", "", "combinations"),
    )
    note = f"the value of the table is the expected coins per coin bet; {POLICY}"

    def why_missing(self, state: State) -> str:
        return f"ranks are {', '.join(self.rules.payouts)}"


class DrawVariance(DrawListing):
    """The variance of the coins paid when several hands are drawn from one deal, under the published policy.

    All hands keep the same cards, and each draws from its own copy of the remaining deck.
    """

    layout = Layout.VALUES
    columns = (Column("hands", int, "hands drawn from one deal, one coin bet on each"),)
    value = value_column("variance of the coins paid for all hands, divided by the number of hands", "coins squared")
    unit_of_game = value.unit
    note = f"the value of the table is the variance of one hand; {POLICY}"

    def why_missing(self, state: State) -> str:
        return f"hands is a whole number from 1 to {MOST_PLAYED}"
