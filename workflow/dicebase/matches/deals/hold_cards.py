"""The best ranked lists of holds: keep the first of these that you were dealt.

A card is a policy of lines `hold if CONDITION` over HELD_FEATURES (vocabulary/rules/draws.py). The player follows the
first line that some hold of the hand satisfies, or holds nothing. If several holds satisfy it, the worst one counts.
hold_lines.toml has the lines; those with several conditions count as one line of the list.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from dicebase.matches.card_listing import CardListing, Language, cost_columns
from dicebase.matches.deals.lines import IF, LINES, THEN
from dicebase.vocabulary import RANKS, Draw, parameter

HOLD = "hold"
NAMES = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
FIRST, LAST = "Keep the first of these that you were dealt: ", "; otherwise nothing."


@dataclass(frozen=True)
class HoldCards(CardListing):
    """The best list of this many holds."""

    rules: Draw
    numbers: int = parameter(3, "lines of the list", low=1, high=16)

    tabulated_by = certified_by = "draws.cards"
    value, more = cost_columns(
        "bets",
        "expected loss per bet compared with best play, before the deal",
        "the same in the hand in which the list loses most",
    )
    loses = ("of a bet compared with best play", "in the hand in which it loses most")
    languages, one = {LINES: ()}, "a list of this many lines"
    tie = 0.0  # costs are rounded quotients of integers

    @cached_property
    def lines(self) -> dict[str, list[str]]:
        """The lines from which lists are made: {name: conditions}."""
        coins, ranks = sorted({*self.rules.payouts.values()} - {0}), range(2, len(RANKS) + 2)
        grids = {"coins": coins, "rank": ranks, "count": range(1, 5), "gaps": range(3)}
        path, found = Path(__file__).with_name("hold_lines.toml"), {}
        for of in tomllib.loads(path.read_text(encoding="utf-8"))["line"]:
            kinds = of.get("numbers", {})
            for chosen in product(*map(grids.__getitem__, kinds.values())):
                numbers = dict(zip(kinds, chosen, strict=True))
                said = {n: NAMES.get(x, x) if kinds[n] == "rank" else x for n, x in numbers.items()}
                found[of["name"].format(**said)] = [Language(text, "", {}).filled(numbers) for text in of["hold"]]
        return found

    def in_words(self, card: list[str]) -> str:
        return f"{FIRST}{THEN.join(card)}{LAST}"

    def policy_of(self, card: list[str]) -> str:
        return THEN.join(f"{HOLD}{IF}{condition}" for name in card for condition in self.lines[name])

    def read(self, language: str, policy: str, words: str) -> list[str] | None:
        names = words.removeprefix(FIRST).removesuffix(LAST).split(THEN)
        return names if len(names) == self.numbers and {*names} <= {*self.lines} else None

    def near(self, card: list[str]) -> Iterable[list[str]]:
        """Return the lists that swap two neighbouring lines or replace one line."""
        for i in range(len(card)):
            if i:
                yield [*card[: i - 1], card[i], card[i - 1], *card[i + 1 :]]
            yield from ([*card[:i], other, *card[i + 1 :]] for other in self.lines if other not in card)
