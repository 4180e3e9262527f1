"""Score sheets: each turn rolls, perhaps several times, and fills one box. A scorecard is a sheet with one roll."""

from abc import abstractmethod
from collections.abc import Iterable
from math import gcd
from typing import Any, NamedTuple

from dicebase.vocabulary.rulebook import Rulebook

Faces = tuple[int, ...]
"""Of dice, in rising order."""


class Card(NamedTuple):
    """A sheet at the start of a turn."""

    open: int  # bit i is set where box i is open
    upper: int = 0  # upper total, no more than what earns the upper bonus
    bonus: int = 0  # 1 once further dice of the kind that an entry names earn more


class Entry(NamedTuple):
    """One way to use dice: a box, what it scores, and on which cards it may be done."""

    box: int
    points: int
    upper: int = 0  # of the points, those that count towards the upper total
    further: int = 0  # points more on a card whose `bonus` is 1
    earns: bool = False  # whether the card's `bonus` is 1 from now on
    among: int = 0  # bit mask: only where the open boxes among these ...
    opened: int = 0  # ... are exactly these

    def fits(self, opened: int) -> bool:
        """Whether it may be done where these boxes are open."""
        return bool(opened >> self.box & 1) and opened & self.among == self.opened


class Sheet(Rulebook):
    """The rules of a sheet: each box is filled once, with the dice of one turn, until all boxes are filled."""

    family, dice_fall = "sheets", "entries"

    dice: int
    sides: int
    rolls: int = 3  # in a turn, at most
    boxes: tuple[str, ...]  # their names, in order
    upper_at: int = 0  # the upper total that earns the upper bonus, once; 0: there is none
    upper_bonus: int = 0
    saved_throws: bool = False  # whether rolls that are not used are saved for later turns; such a sheet is not solved

    @abstractmethod
    def entries(self, dice: Faces) -> Iterable[Entry]:
        """All ways to use dice, on whatever card, in the order of the boxes. Of each card with an open box at least
        one may be done, and of one box no more than one."""

    def answer(self, rule: Any, *question: Any) -> tuple[Entry, ...]:
        return tuple(super().answer(rule, *question))

    @property
    def fresh(self) -> Card:
        """The card of a new game."""
        return Card((1 << len(self.boxes)) - 1)

    def fill(self, card: Card, dice: Faces, box: int) -> tuple[int, Card] | None:
        """(points scored, the card then) of filling a box; None where that may not be done with these dice. The upper
        bonus is scored by the box that reaches its total."""
        entry = next((e for e in self.entries(dice) if e.box == box and e.fits(card.open)), None)
        return entry and self.scored(card, entry)

    def scored(self, card: Card, entry: Entry) -> tuple[int, Card]:
        """(points scored, the card then) of an entry that fits."""
        upper = min(self.upper_at, card.upper + entry.upper)
        points = entry.points + entry.further * card.bonus + self.upper_bonus * (card.upper < upper == self.upper_at)
        return points, Card(card.open & ~(1 << entry.box), upper, int(card.bonus or entry.earns))


class Scorecard(Rulebook):
    """A sheet with one roll a turn: its total goes into one of the free slots; the slots' scores add up."""

    family = "sheets.one_roll"

    slots: int
    multiplies: bool = False  # whether the score of a slot is a factor times the roll

    @property
    @abstractmethod
    def weights(self) -> dict[int, int]:
        """{roll: weight}, in rising order of rolls; the weights are positive integers."""

    @abstractmethod
    def gain(self, slot: int, roll: int) -> int:
        """Points that a slot, 1 to `slots`, scores for a roll."""

    # The rest follows from these words.

    @property
    def odds(self) -> tuple[int, ...]:
        """The weights of the rolls in lowest terms."""
        divisor = gcd(*self.weights.values())
        return tuple(weight // divisor for weight in self.weights.values())

    @property
    def games(self) -> int:
        """The number of equally likely games, that is of sequences of rolls."""
        return sum(self.odds) ** self.slots

    @property
    def gains(self) -> tuple[tuple[int, ...], ...]:
        """By slot, its points for each roll."""
        return tuple(tuple(self.gain(slot, roll) for roll in self.weights) for slot in range(1, self.slots + 1))

    @property
    def above(self) -> tuple[tuple[int, ...], ...]:
        """The same, counted from the fewest points of the slot: a score counted so is never negative."""
        return tuple(tuple(gain - min(of_slot) for gain in of_slot) for of_slot in self.gains)

    @property
    def least(self) -> int:
        """The least final score."""
        return sum(map(min, self.gains))

    @property
    def spread(self) -> int:
        """The greatest final score above the least."""
        return sum(map(max, self.above))


class MultiplierScorecard(Scorecard):
    """A scorecard whose slots multiply: slot i scores factors[i - 1] times the roll; the factors never fall."""

    factors: tuple[int, ...]
    multiplies: bool = True  # False if slots score in another way after all: such a card has no factors

    def gain(self, slot: int, roll: int) -> int:
        return self.factors[slot - 1] * roll


LIMB = 31
"""Bits of the integers in which games of scorecards are counted."""
