"""The best cards for a score sheet: pars of boxes that a player can remember, and the points that a card loses.

A card rates a box by its points above the box's par. In the upper section it adds a weight times the points above the
box's share of the total that earns the bonus, or subtracts it for points below. The player fills the box with the
greatest rating, and before the last roll keeps the dice with the greatest expected rating.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dicebase.matches.card_listing import CardListing, cost_columns, numbers_on_card
from dicebase.matches.sheets.score import SheetScore
from dicebase.vocabulary import ConfigurationError, Sheet, nearest

PAR = "par"
MOST_NUMBERS = 8
WRONG = "policy: '{}' is not a part of a card{}; give parts such as '{} upper*2 {}=20', a weight and the pars of boxes"


class Pars(NamedTuple):
    """A card: the weight of upper points, and the par of each box."""

    weight: int
    pars: tuple[int, ...]

    @property
    def numbers(self) -> int:
        """The number of numbers to remember: the weight and the distinct pars, without zeros."""
        return len({*self.pars} - {0}) + (self.weight > 0)

    def groups(self, boxes: Sequence[str]) -> list[tuple[int, list[str]]]:
        """Return (par, boxes) of each par other than 0, in ascending order."""
        named = [*zip(boxes, self.pars, strict=True)]
        return [(par, [box for box, of in named if of == par]) for par in sorted({*self.pars} - {0})]

    def text(self, boxes: Sequence[str]) -> str:
        """Return the card as a policy."""
        weight = [f"upper*{self.weight}"] if self.weight else []
        return " ".join([PAR, *weight, *(f"{','.join(names)}={par}" for par, names in self.groups(boxes))])


def read_pars(text: str, boxes: Sequence[str]) -> Pars:
    """Read a card from a policy. Raises ConfigurationError for a wrong part or a box with two pars."""
    word, *parts = text.split() or [""]
    weight, pars = 0, dict.fromkeys(boxes, 0)
    named = [] if word == PAR else [word]
    for part in named or parts:
        found = re.fullmatch(r"upper\*(\d{1,5})|([\w,]+)=(\d{1,5})", part, re.ASCII)
        names = found[2].split(",") if found and found[2] else []
        wrong = next((name for name in names if name not in boxes), "")
        if not found or wrong or word != PAR:
            raise ConfigurationError(WRONG.format(wrong or part, nearest(wrong, boxes) if wrong else "", PAR, boxes[0]))
        weight = int(found[1] or weight)
        named += names
        pars |= dict.fromkeys(names, int(found[3] or 0))
    if len({*named}) < len(named):
        raise ConfigurationError(f"policy: '{max(named, key=named.count)}' has two pars")
    return Pars(weight, tuple(pars.values()))


@dataclass(frozen=True)
class ScoreCards(CardListing):
    """The best card that was found with this many numbers, for the most points on a score sheet."""

    rules: Sheet
    numbers: int = numbers_on_card(high=MOST_NUMBERS)

    value, more = cost_columns("points", "expected points of optimal play minus those of the card")
    languages, loses = {PAR: ()}, ("to optimal play", "")

    @property
    def sheet(self) -> SheetScore:
        """The sheet played for the most points."""
        return SheetScore(self.rules)

    @property
    def why_not_solved(self) -> str:
        most = len(self.rules.boxes) - 1 + (self.rules.upper_bonus > 0)
        few = f"numbers: a card for these boxes has at most {most} numbers" if self.numbers > most else ""
        return self.sheet.why_not_solved or few

    bytes = property(lambda self: self.sheet.bytes)

    def policy_of(self, card: Pars) -> str:
        return card.text(self.rules.boxes)

    def read(self, language: str, policy: str, words: str) -> Pars | None:
        card = read_pars(policy, self.rules.boxes)
        return card if card.numbers == self.numbers else None

    def near(self, card: Pars) -> tuple[Pars, ...]:
        return ()  # the search does not prove that a card is the best

    def in_words(self, card: Pars) -> str:
        lines = ["Fill the box with the most points above its par, and keep the dice that promise the most of this."]
        groups = [f"{par} for {', '.join(names)}" for par, names in reversed(card.groups(self.rules.boxes))]
        lines += [f"Par is {'; '.join([*groups, '0 for all other boxes'])}." if groups else "Par is 0 for all boxes."]
        if card.weight:
            shares = zip(self.rules.boxes, self.rules.shares, strict=True)
            parts = ", ".join(f"{box} {share:g}" for box, share in shares if share)
            lines += [f"Add {card.weight} for each point above these, subtract {card.weight} for each below: {parts}."]
        return " ".join(lines).replace("_", " ")


FORMATS = {Sheet: ScoreCards}
