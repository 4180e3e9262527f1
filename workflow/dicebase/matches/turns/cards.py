"""The best cards of a game of turns: policies of a few numbers that a player can remember, and what each loses.

A language (cards.toml) is a policy `hold_at` whose numbers are open, with a grid for each number and the words of a
card. A language serves a format that knows the features of its formulas.
"""

import ast
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from pathlib import Path
from typing import ClassVar

from dicebase.matches.card_listing import Card, CardListing, Language
from dicebase.matches.turns.hold_at import MOST_POINTS, WORD, Features, HoldAt, hold_at, parts_of
from dicebase.vocabulary import RepeatedTurn

MOST_DIVISOR, MOST_NUMBERS = 100, 5
FUNCTIONS = {"min", "max"}


@dataclass(frozen=True)
class Cards(CardListing, ABC):
    """The best card of each language that has this many numbers."""

    rules: RepeatedTurn

    numbers: ClassVar[int]
    certified_by, word, one = "turns.cards", f"{WORD} ", "a card of this language"
    loses = ("to optimal play", "to the best response to it")

    @property
    @abstractmethod
    def count(self) -> int:
        """The greatest number of points on a card, in units."""

    @property
    @abstractmethod
    def features(self) -> Features:
        """The features of formulas."""

    @property
    @abstractmethod
    def why_not_searched(self) -> str:
        """The reason why the format has no cards, in words; empty if it has."""

    @property
    def why_not_solved(self) -> str:
        if self.why_not_searched or self.languages:
            return self.why_not_searched
        known = ", ".join(str(n) for n in range(1, MOST_NUMBERS + 1) if replace(self, numbers=n).languages)
        return f"numbers: there is no language for cards of {self.numbers} numbers here; give {known}"

    @cached_property
    def unit(self) -> int:
        """The greatest common divisor of all points."""
        rolls = (roll for mode in self.rules.modes for roll in self.rules.rolls(0, mode))
        return gcd(*(option.gain for roll in rolls for option in roll.options))

    @cached_property
    def languages(self) -> dict[str, list[Language]]:
        """The languages of this format that have this many numbers, by name."""
        unit, goal = self.unit, self.unit * self.count
        kinds = {"points": (unit, goal, unit), "sum": (unit, 2 * goal, unit), "divisor": (1, MOST_DIVISOR, 1)}
        kinds |= {"worth": (0, goal, unit), "dice": (1, max(self.rules.modes), 1)}
        described = tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))
        return {
            name: [Language(of["formula"], of["card"], {n: kinds[kind] for n, kind in of["numbers"].items()})]
            for name, by_numbers in described.items()
            if (of := by_numbers.get(str(self.numbers))) and self._has(of["formula"], of["numbers"])
        }

    def _has(self, text: str, numbers: Mapping[str, str]) -> bool:
        """Whether the format has the features of a formula."""
        hold, keep = parts_of(text)
        names = {node.id for node in ast.walk(ast.parse(hold)) if isinstance(node, ast.Name)}
        return names <= {*numbers, *self.features, *FUNCTIONS} and (self.rules.keeps or keep == MOST_POINTS)

    def policy(self, formula: str, totals: int | None = None) -> HoldAt:
        """Return the policy of a formula as arrays, for the turn totals below `count` or this number of totals."""
        below = range(0, self.unit * (totals or self.count), self.unit)
        return hold_at(self.rules, formula, self.features, below, "policy")

    def in_words(self, card: Card) -> str:
        text = card.language.card.format(stop=self.rules.stop, **card.numbers)
        return text[0].upper() + text[1:]
