"""The best cards for a board: take the move after which a weighted sum of features is largest."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import gcd
from typing import ClassVar

from dicebase.matches.boards.board import BoardListing, derive_format, for_objective
from dicebase.matches.boards.preferences import PREFER
from dicebase.matches.card_listing import CardListing, cost_columns, numbers_on_card
from dicebase.vocabulary import Objective

SUM = "sum"
LARGEST = 4  # the largest weight

Weights = tuple[int, ...]
"""The weight of each feature that the rules state, 0 for features that the card ignores."""


@dataclass(frozen=True)
class BoardCards(BoardListing, CardListing):
    """The best sum of at most this many features, weighted from -4 to 4; see `cards_of`."""

    numbers: int = numbers_on_card(high=4)

    tabulated_by, certified_by = "cards.boards.cards", "boards.cards"
    languages, one = {SUM: ()}, "a sum of this many features"
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
        return {self.policy_of(of): of for of in sorted(found, key=lambda of: sum(map(abs, of)))}

    def sum_of(self, weights: Weights) -> str:
        """Return a weighted sum of features as a formula."""
        terms = (f"{w:+d} * {name}" for w, name in zip(weights, self.rules.features, strict=True) if w)
        return " ".join(terms).replace("1 * ", "").replace("+", "+ ").replace("-", "- ").removeprefix("+ ")

    def policy_of(self, card: Weights) -> str:
        return PREFER + self.sum_of(card)

    def in_words(self, card: Weights) -> str:
        return f"Take the move after which {self.sum_of(card)} is largest; of several the first one."

    def read(self, language: str, policy: str, words: str) -> Weights | None:
        return self.grid.get(policy)

    def near(self, card: Weights) -> Iterable[Weights]:
        return (of for of in self.grid.values() if sum(a != b for a, b in zip(card, of, strict=True)) == 1)


@cache
def cards_of(objective: Objective) -> type[BoardCards]:
    """Return the match format for an objective: BoardCards with the objective's unit."""
    positions, unit = for_objective(objective), objective.unit
    doc = f"The best weighted sum of features for {positions.words}."
    said = {"positions": positions, "players": objective.players}
    if objective.players == 1:
        value, more = cost_columns(unit, f"what the card loses compared with {positions.words}")
        loses = ("compared with best play", "")
    else:
        costs = "what both seats together lose to the published optimal player"
        value, more = cost_columns(unit, costs, "the same to the best response to the card")
        loses = ("to optimal play", "to the best response to it")
    return derive_format(BoardCards, doc, value=value, more=more, loses=loses, **said)
