"""Cards of a few numbers that a player can remember: their languages, and the table that lists the best ones."""

import re
from functools import partial
from typing import ClassVar, NamedTuple

from dicebase.vocabulary import Column, Layout, Listing, parameter, value_column

numbers_on_card = partial(parameter, 3, "numbers on the card", low=1)


def cost_columns(unit: str, *more: Column) -> tuple[Column, ...]:
    """Return the columns after the cost of a card."""
    return (
        *more,
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


class CardListing(Listing):
    """The best card of each language that has a given number of numbers."""

    layout = Layout.MATCHUPS
    columns = (Column("language", str, "form of the card, see docs/use/best_cards.md"),)
    loses: ClassVar[tuple[str, str]]  # what `cost` and `worst_case` mean, in words
    note = "the value of the table is the cost of the best card"
