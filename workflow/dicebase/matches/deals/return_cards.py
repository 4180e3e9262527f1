"""The best cards for play against a dealer: a few lines that a player can remember, and what they lose.

A card is a list of lines `PLAY if CONDITION`, separated by semicolons. The first line counts that applies and whose
play the rules allow; otherwise the player hits. dealer_lines.toml has the forms of lines.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from dicebase.matches.card_listing import CardListing, Language, cost_columns, numbers_on_card
from dicebase.matches.deals.hold_cards import HoldCards
from dicebase.matches.deals.lines import IF, LINES, THEN
from dicebase.vocabulary import HIT, DealerGame, Draw, Hand, State, value_column
from dicebase.vocabulary.rules.dealer import plus

FEATURES = ("total", "hard", "soft", "pair", "cards", "dealer")


def features(rules: DealerGame, hand: Hand, up: int) -> tuple[int, ...]:
    """Return the FEATURES of a hand of two or more cards when the dealer shows a card of rank `up`.

    `hard` and `soft` are the total if it is of this kind, otherwise 0; `pair` is what each of two equal cards counts,
    otherwise 0; `cards` is 2 or, for three or more, 3; `dealer` is what the dealer's card counts.
    """
    total, soft = rules.points(hand)
    counts = [rules.points(plus((0,) * len(hand), rank)).total for rank in (hand.index(max(hand)), up)]
    pair = counts[0] if max(hand) == sum(hand) == 2 else 0
    return total, 0 if soft else total, total if soft else 0, pair, min(sum(hand), 3), counts[1]


@dataclass(frozen=True)
class DealerCards(CardListing):
    """The best card that has this many numbers, for play against a dealer."""

    rules: DealerGame
    numbers: int = numbers_on_card(high=10)

    tabulated_by = certified_by = "dealer.cards"
    value = value_column("expected loss per bet compared with best play, before the deal", "bets", "cost")
    more = cost_columns(
        "bets", value_column("the same in the first hand in which the card loses most", "bets", "worst_case")
    )
    loses = ("of a bet compared with best play", "in the first hand in which it loses most")

    @property
    def why_not_solved(self) -> str:
        return "" if self.rules.infinite else "cards are searched if cards never run out; give an infinite deck"

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of a single card, by the points that it counts."""
        return {features(self.rules, plus((0,) * len(self.rules.ranks), r), r)[-1]: n
                for r, n in enumerate(self.rules.ranks)}  # fmt: skip

    @cached_property
    def forms(self) -> list[tuple[Language, dict[str, str]]]:
        """The forms of lines that the rules allow, as languages, with the kind of each number."""
        hands = [hand for hand in self.rules.hands() if sum(hand) == 2]
        plays = {play for hand in hands for play in self.rules.actions(hand, False)}
        totals = [self.rules.points(hand).total for hand in hands]
        grids = {"total": (min(totals), self.rules.limit, 1), "card": (min(self.names), max(self.names), 1)}
        path, found = Path(__file__).with_name("dealer_lines.toml"), []
        for of in tomllib.loads(path.read_text(encoding="utf-8"))["line"]:
            grid = {name: grids[kind] for name, kind in of["numbers"].items()}
            line = Language(f"{of['play']}{IF}{of['when']}", of["card"], grid)
            found += [(line, of["numbers"], of.get("times", 1))] * (of["play"] in plays)
        return found

    @cached_property
    def languages(self) -> list[Language]:
        """The forms of cards: all choices of lines that have this many numbers together."""
        return [self._joined(times) for times in self._choices]

    @property
    def _choices(self) -> Iterator[tuple[int, ...]]:
        sizes = [len(kinds) for _, kinds, _ in self.forms]
        for times in product(*(range(most + 1) for *_, most in self.forms)):
            if sum(n * size for n, size in zip(times, sizes, strict=True)) == self.numbers:
                yield times

    def _joined(self, times: tuple[int, ...]) -> Language:
        """The card that has each line this number of times; the numbers of a repeated line get different names."""
        lines = []
        for (line, _, _), many in zip(self.forms, times, strict=True):
            for again in range(many):
                named = {name: name + "x" * again for name in line.numbers}
                formula, card = line.filled(named), line.card.format(**{n: f"{{{m}}}" for n, m in named.items()})
                lines.append(Language(formula, card, {named[n]: grid for n, grid in line.numbers.items()}))
        numbers = {name: grid for line in lines for name, grid in line.numbers.items()}
        return Language(THEN.join(line.formula for line in lines), " ".join(line.card for line in lines), numbers)

    def in_words(self, language: Language, numbers: dict[str, int]) -> str:
        """Return a card in words."""
        kinds = {name: kind for _, kinds, _ in self.forms for name, kind in kinds.items()}
        said = {n: self.names[x] if kinds[n.rstrip("x")] == "card" else x for n, x in numbers.items()}
        return f"{language.card.format(**said)} Otherwise {HIT}."

    def why_missing(self, state: State) -> str:
        return f"language must be {LINES}"


FORMATS = {DealerGame: DealerCards, Draw: HoldCards}
