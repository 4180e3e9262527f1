"""Cards of a few numbers that a player can remember: their languages, and the table that lists the best ones."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from dicebase.vocabulary import TIE, Column, Layout, Listing, State, parameter, value_column

numbers_on_card = partial(parameter, 3, "numbers on the card", low=1)


def cost_columns(unit: str, cost: str, *worst: str) -> tuple[Column, tuple[Column, ...]]:
    """Return the column of the cost of a card and those after it; cost, worst : what the costs of a row mean."""
    return value_column(cost, unit, "cost"), (
        *(value_column(of, unit, "worst_case") for of in worst),
        value_column("lower bound on the cost of every card of the language", unit, "least_cost"),
        Column("proved", bool, "whether no card of the language is better: a search of its whole grid is complete"),
        Column("card", str, "the card in words"),
        Column("policy", str, "the card as a policy of `dicebase evaluate`"),
    )


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
        parts = re.split(rf"\b({'|'.join(self.numbers)})\b", self.formula)  # every second part is a number
        found = re.fullmatch(r"(\d{1,9})".join(map(re.escape, parts[::2])), formula)
        numbers = dict(zip(parts[1::2], map(int, found.groups()), strict=True)) if found else {}
        grid = ((numbers.get(name), range(low, high + 1, by)) for name, (low, high, by) in self.numbers.items())
        return numbers if self.filled(numbers) == formula and all(number in of for number, of in grid) else None


class Card(NamedTuple):
    """A card of a language with numbers."""

    language: Language
    numbers: dict[str, int]


class CardListing(Listing):
    """The best card of each language that has a given number of numbers. Cards are of the class Card; families whose
    cards differ in other ways say how to write, read and change them."""

    layout = Layout.MATCHUPS
    columns = (Column("language", str, "form of the card, see docs/use/best_cards.md"),)
    loses: ClassVar[tuple[str, str]]  # what `cost` and `worst_case` mean, in words
    note = "the value of the table is the cost of the best card"
    languages: Mapping[str, Sequence[Language]]  # the forms of each language
    one, word = "a card with this many numbers", ""  # what errors call a card, and the first word of its policy
    tie = TIE  # costs that differ by no more count as equal

    def in_words(self, card: Any) -> str:
        """Return a card in words."""
        raise NotImplementedError

    def policy_of(self, card: Any) -> str:
        """Return the policy of a card."""
        return self.word + card.language.filled(card.numbers)

    def read(self, language: str, policy: str, words: str) -> Any:
        """Return the card of a language that has this policy, or at least these words; None if there is none."""
        read = ((of, of.read(policy.removeprefix(self.word))) for of in self.languages[language])
        return next((Card(of, numbers) for of, numbers in read if numbers), None)

    def near(self, card: Any) -> Iterable[Any]:
        """Return the cards that differ from a card by one step."""
        for name, (low, high, by) in card.language.numbers.items():
            for number in (card.numbers[name] - by, card.numbers[name] + by):
                if low <= number <= high:
                    yield Card(card.language, card.numbers | {name: number})

    def why_missing(self, state: State) -> str:
        return f"language must be {', '.join(self.languages)}"
