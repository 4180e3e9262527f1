"""Score sheets: in each turn the player rolls, perhaps repeatedly, and fills a box. A scorecard has one roll a turn."""

from abc import abstractmethod
from collections.abc import Iterable
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple

from dicebase.vocabulary.dice_and_cards.dice import multisets
from dicebase.vocabulary.rules.rulebook import Rulebook

Faces = tuple[int, ...]
"""Faces of dice, in rising order."""


class Card(NamedTuple):
    """The state of a sheet at the start of a turn."""

    open: int  # bit i is set if box i is open
    upper: int = 0  # upper total, capped at the total that earns the upper bonus
    bonus: int = 0  # 1 if entries score their `further` points from now on (Yahtzee bonus)


class Entry(NamedTuple):
    """One way to use dice: the box, its score, and the cards on which it is allowed."""

    box: int
    points: int
    upper: int = 0  # points that count towards the upper total
    further: int = 0  # additional points if the card's `bonus` is 1
    earns: bool = False  # whether the card's `bonus` becomes 1
    among: int = 0  # bit mask of the boxes that decide whether the entry is allowed
    opened: int = 0  # bit mask of the boxes in `among` that must be open; the others in `among` must be filled

    def fits(self, opened: int) -> bool:
        """Whether the entry is allowed if the boxes in the bit mask `opened` are open."""
        return bool(opened >> self.box & 1) and opened & self.among == self.opened


class Sheet(Rulebook):
    """The rules of a sheet: each box is filled once, with the dice of one turn, until all boxes are filled."""

    family, dice_fall = "sheets", "entries"

    dice: int
    sides: int
    rolls: int = 3  # per turn, at most
    boxes: tuple[str, ...]  # their names, in order
    upper_at: int = 0  # the upper total that earns the upper bonus, once; 0: no bonus
    upper_bonus: int = 0
    saved_throws: bool = False  # whether unused rolls are saved for later turns; sheets with saved rolls are not solved

    @abstractmethod
    def entries(self, dice: Faces) -> Iterable[Entry]:
        """All ways to use dice on any card, in the order of the boxes. Every card with an open box allows at least one
        of them, and at most one per box."""

    def answer(self, rule: Any, *question: Any) -> tuple[Entry, ...]:
        return tuple(super().answer(rule, *question))

    @property
    def fresh(self) -> Card:
        """The card of a new game."""
        return Card((1 << len(self.boxes)) - 1)

    @cached_property
    def shares(self) -> list[float]:
        """The share of each box in `upper_at`, in proportion to the most upper points of the box."""
        most = [0] * len(self.boxes)
        for faces, _ in multisets(self.sides, self.dice):
            for entry in self.entries(faces):
                most[entry.box] = max(most[entry.box], entry.upper)
        return [self.upper_at * upper / max(1, sum(most)) for upper in most]

    def fill(self, card: Card, dice: Faces, box: int) -> tuple[int, Card] | None:
        """Return (points scored, next card) of filling a box; None if the rules forbid it. The upper bonus counts for
        the box that reaches its total."""
        entry = next((e for e in self.entries(dice) if e.box == box and e.fits(card.open)), None)
        return entry and self.scored(card, entry)

    def scored(self, card: Card, entry: Entry) -> tuple[int, Card]:
        """Return (points scored, next card) of an allowed entry."""
        upper = min(self.upper_at, card.upper + entry.upper)
        points = entry.points + entry.further * card.bonus + self.upper_bonus * (card.upper < upper == self.upper_at)
        return points, Card(card.open & ~(1 << entry.box), upper, int(card.bonus or entry.earns))


class Scorecard(Rulebook):
    """A sheet with one roll per turn: its total goes into one of the free slots, and the slots' scores add up."""

    family = "sheets.one_roll"

    slots: int
    multiplies: bool = False  # whether a slot scores a factor times the roll

    @property
    @abstractmethod
    def weights(self) -> dict[int, int]:
        """The weight of each roll, in rising order of rolls; the weights are positive integers."""

    @abstractmethod
    def gain(self, slot: int, roll: int) -> int:
        """The points that a slot, from 1 to `slots`, scores for a roll."""

    # The following properties are derived.

    @property
    def odds(self) -> tuple[int, ...]:
        """The weights of the rolls, divided by their greatest common divisor."""
        divisor = gcd(*self.weights.values())
        return tuple(weight // divisor for weight in self.weights.values())

    @property
    def games(self) -> int:
        """The number of equally likely sequences of rolls."""
        return sum(self.odds) ** self.slots

    @property
    def gains(self) -> tuple[tuple[int, ...], ...]:
        """Points by slot, then by roll: `gains[slot - 1][i]` for the i-th roll of `weights`, from 0."""
        return tuple(tuple(self.gain(slot, roll) for roll in self.weights) for slot in range(1, self.slots + 1))

    @property
    def above(self) -> tuple[tuple[int, ...], ...]:
        """`gains` minus the least points of the slot, so that no score is negative."""
        return tuple(tuple(gain - min(of_slot) for gain in of_slot) for of_slot in self.gains)

    @property
    def least(self) -> int:
        """The least final score."""
        return sum(map(min, self.gains))

    @property
    def spread(self) -> int:
        """The greatest final score minus the least."""
        return sum(map(max, self.above))


class MultiplierScorecard(Scorecard):
    """A scorecard whose slot i scores factors[i - 1] times the roll; the factors never decrease."""

    factors: tuple[int, ...]
    multiplies: bool = True  # False: slots score by another formula, without factors

    def gain(self, slot: int, roll: int) -> int:
        return self.factors[slot - 1] * roll


LIMB = 31
"""Bits per limb of the large integers that count games of scorecards."""
