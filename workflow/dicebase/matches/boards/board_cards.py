"""The best cards for a board: take the move after which a weighted sum of features is largest."""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import gcd
from typing import ClassVar

from dicebase.matches.boards.board import BoardListing, derive_format, for_objective
from dicebase.matches.boards.preferences import PREFER
from dicebase.matches.card_listing import CardListing, cost_columns, numbers_on_card
from dicebase.vocabulary import Objective, State, value_column

SUM = "sum"
LARGEST = 4  # the largest weight

Weights = tuple[int, ...]
"""The weight of each feature that the rules state, 0 for features that the card ignores."""


@dataclass(frozen=True)
class BoardCards(BoardListing, CardListing):
    """The best sum of at most this many features, weighted from -4 to 4; see `cards_of`."""

    numbers: int = numbers_on_card(high=4)

    tabulated_by, certified_by = "cards.boards.cards", "boards.cards"
    players: ClassVar[int]

    @property
    def why_not_solved(self) -> str:
        few = f"numbers: the rules state {len(self.rules.features)} features, which are fewer than {self.numbers}"
        return few if self.numbers > len(self.rules.features) else super().why_not_solved

    @cached_property
    def grid(self) -> dict[str, Weights]:
        """All policies of the language and their weights, the smallest first, without multiples of one another."""
        some = product(range(-LARGEST, LARGEST + 1), repeat=len(self.rules.features))
        found = [of for of in some if sum(map(bool, of)) <= self.numbers and gcd(*of) == 1]
        return {self.policy(of): of for of in sorted(found, key=lambda of: sum(map(abs, of)))}

    def sum_of(self, weights: Weights) -> str:
        """Return a weighted sum of features as a formula."""
        terms = (f"{w:+d} * {name}" for w, name in zip(weights, self.rules.features, strict=True) if w)
        return " ".join(terms).replace("1 * ", "").replace("+", "+ ").replace("-", "- ").removeprefix("+ ")

    def policy(self, weights: Weights) -> str:
        """Return the policy of some weights."""
        return PREFER + self.sum_of(weights)

    def in_words(self, weights: Weights) -> str:
        """Return a card in words."""
        return f"Take the move after which {self.sum_of(weights)} is largest; of several the first one."

    def why_missing(self, state: State) -> str:
        return f"language must be {SUM}"


@cache
def cards_of(objective: Objective) -> type[BoardCards]:
    """Return the match format for an objective: BoardCards with the objective's unit."""
    positions, unit = for_objective(objective), objective.unit
    doc = f"The best weighted sum of features for {positions.words}."
    said = {"positions": positions, "players": objective.players}
    if objective.players == 1:
        value = value_column(f"what the card loses compared with {positions.words}", unit, "cost")
        return derive_format(
            BoardCards, doc, value=value, more=cost_columns(unit), loses=("compared with best play", ""), **said
        )
    value = value_column("what both seats together lose to the published optimal player", unit, "cost")
    worst = value_column("the same to the best response to the card", unit, "worst_case")
    loses = ("to optimal play", "to the best response to it")
    return derive_format(BoardCards, doc, value=value, more=cost_columns(unit, worst), loses=loses, **said)
