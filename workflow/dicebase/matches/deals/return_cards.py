"""The best cards for play against a dealer: a few lines that a player can remember, and what they lose.

A card is a list of lines `PLAY if CONDITION`, separated by semicolons. The first line counts that applies and whose
play the rules allow; otherwise the player hits. dealer_lines.toml has the forms of lines.
"""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from dicebase.matches.card_listing import Card, CardListing, Language, cost_columns, numbers_on_card
from dicebase.matches.deals.hold_cards import HoldCards
from dicebase.matches.deals.lines import IF, LINES, THEN
from dicebase.vocabulary import HIT, DealerGame, Draw, Hand
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
    value, more = cost_columns(
        "bets",
        "expected loss per bet compared with best play, before the deal",
        "the same in the first hand in which the card loses most",
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
    def _stated(self) -> list[dict]:
        """The lines of dealer_lines.toml whose plays the rules allow."""
        plays = {play for hand in self._two for play in self.rules.actions(hand, False)}
        path = Path(__file__).with_name("dealer_lines.toml")
        return [of for of in tomllib.loads(path.read_text(encoding="utf-8"))["line"] if of["play"] in plays]

    @property
    def _two(self) -> list[Hand]:
        return [hand for hand in self.rules.hands() if sum(hand) == 2]

    @cached_property
    def copies(self) -> list[list[Language]]:
        """The lines and their copies on a card; the numbers of copies get different names."""
        totals = [self.rules.points(hand).total for hand in self._two]
        grids = {"total": (min(totals), self.rules.limit, 1), "card": (min(self.names), max(self.names), 1)}

        def copy(of: dict, again: int) -> Language:
            named = {name: name + "x" * again for name in of["numbers"]}
            numbers = {named[name]: grids[kind] for name, kind in of["numbers"].items()}
            formula = Language(f"{of['play']}{IF}{of['when']}", "", {}).filled(named)
            return Language(formula, of["card"].format(**{n: f"{{{m}}}" for n, m in named.items()}), numbers)

        return [[copy(of, again) for again in range(of.get("times", 1))] for of in self._stated]

    @cached_property
    def languages(self) -> dict[str, list[Language]]:
        """The only language; its forms are all choices of lines that have this many numbers together."""
        copies = product(*([of[:n] for n in range(len(of) + 1)] for of in self.copies))
        chosen = ([line for some in of for line in some] for of in copies)
        forms = [
            Language(THEN.join(line.formula for line in of), " ".join(line.card for line in of), numbers)
            for of in chosen
            if len(numbers := {name: grid for line in of for name, grid in line.numbers.items()}) == self.numbers
        ]
        return {LINES: forms}

    def in_words(self, card: Card) -> str:
        kinds = {name: kind for of in self._stated for name, kind in of["numbers"].items()}
        said = {n: self.names[x] if kinds[n.rstrip("x")] == "card" else x for n, x in card.numbers.items()}
        return f"{card.language.card.format(**said)} Otherwise {HIT}."


FORMATS = {DealerGame: DealerCards, Draw: HoldCards}
