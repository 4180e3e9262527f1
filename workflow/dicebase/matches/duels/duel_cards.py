"""The best cards for a duel: policies of a few numbers that a player can remember, and what each loses.

A language (cards.toml) is a formula whose numbers are open, with a grid for each number and the words of a card.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from dicebase.matches.duels.duel import DuelListing, DuelOfTurns
from dicebase.matches.duels.duel_matchups import OPTIMAL, MatchupsOfTurns
from dicebase.vocabulary import Column, Definition, Layout, RepeatedTurn, State, parameter, value_column

MOST_DIVISOR = 100


class Language(NamedTuple):
    """Cards that differ in their numbers: {number: (least, greatest, step)}."""

    formula: str
    card: str
    numbers: dict[str, tuple[int, int, int]]

    def filled(self, numbers: dict[str, int]) -> str:
        """Return the formula of a card."""
        return re.sub(r"\w+", lambda word: str(numbers.get(word[0], word[0])), self.formula)

    def read(self, formula: str) -> dict[str, int] | None:
        """Return the numbers of a card from its formula; None if it is no card of the language or outside the grid."""
        seen: set[str] = set()

        def group(word: re.Match) -> str:
            name = word[0]
            found = name if name not in self.numbers else f"(?P={name})" if name in seen else rf"(?P<{name}>\d{{1,9}})"
            seen.add(name)
            return found

        found = re.fullmatch(re.sub(r"[a-z]+", group, re.escape(self.formula)), formula)
        numbers = {name: int(text) for name, text in found.groupdict().items()} if found else {}
        inside = found and all(numbers[n] in range(low, high + 1, by) for n, (low, high, by) in self.numbers.items())
        return numbers if inside else None


@dataclass(frozen=True)
class DuelCards(DuelListing):
    """The best card of each language that has this many numbers, against optimal play."""

    numbers: int = parameter(3, "numbers on the card", low=1, high=5)

    match = DuelOfTurns
    layout = Layout.MATCHUPS
    columns = (Column("language", str, "form of the card, see docs/use/best_cards.md"),)
    value = value_column(
        "1 minus twice the card's probability of winning against optimal play, averaged over who begins",
        "probability",
        "cost",
    )
    more = (
        value_column("the same against the best response to the card", "probability", "worst_case"),
        value_column("lower bound on the cost of every card of the language", "probability", "least_cost"),
        Column("proved", bool, "whether no card of the language is better: a search of its whole grid is complete"),
        Column("card", str, "the card in words"),
        Column("policy", str, "the card as a policy of `dicebase evaluate`"),
    )
    note = "the value of the table is the cost of the best card"

    @property
    def why_not_solved(self) -> str:
        wipes = "cards are searched only if a roll never loses banked points" * self.duel.wipes
        return self.duel.why_no_matchups or wipes

    @property
    def bytes(self) -> int:
        return 60 * self.duel.totals**3

    @cached_property
    def languages(self) -> dict[str, Language]:
        """The languages that have this many numbers, by name."""
        unit, goal = self.duel.unit_of_points, self.duel.totals * self.duel.unit_of_points
        kinds = {"points": (unit, goal, unit), "sum": (unit, 2 * goal, unit), "divisor": (1, MOST_DIVISOR, 1)}
        described = tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))
        return {
            name: Language(of["formula"], of["card"], {n: kinds[kind] for n, kind in of["numbers"].items()})
            for name, by_numbers in described.items()
            if (of := by_numbers.get(str(self.numbers)))
        }

    def in_words(self, language: str, numbers: dict[str, int]) -> str:
        """Return a card in words."""
        text = self.languages[language].card.format(stop=self.rules.stop, **numbers)
        return text[0].upper() + text[1:]

    def matchups(self, formulas: dict[str, str]) -> MatchupsOfTurns:
        """Return the league of optimal play and these cards, by language."""
        entries = [OPTIMAL, *({name: text} for name, text in formulas.items())]
        return MatchupsOfTurns(self.rules, self.target, Definition("cards", entries))

    def why_missing(self, state: State) -> str:
        return f"language must be one of {', '.join(self.languages)}"


FORMATS = {RepeatedTurn: DuelCards}
