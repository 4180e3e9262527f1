"""Common parts of listings of score sheets: values at the starts of turns, from which decisions follow."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar

from dicebase.vocabulary import Column, ConfigurationError, Layout, Listing, Sheet, State, multisets, nearest, some

OPEN = Column("open", int, "open boxes, by name, as in ones,chance; as a number, bit i stands for box i, from 0")
UPPER = Column("upper", int, "points in the upper section, capped at the points that earn its bonus", "points")
BONUS = Column("bonus", int, "1 if a further roll of equal dice earns a bonus, otherwise 0")
DICE = Column("roll", str, "the dice on the table; left out at the start of a turn")
LEFT = Column("rerolls_left", int, "rerolls left in this turn", "rolls")
MOST_STARTS, MOST_POINTS = 2_000_000, 4_000_000
ALL, BUT = "all", "all but "
"""Words that users may write for sets of open boxes, besides the names of boxes."""
NEW_CARD = MappingProxyType({OPEN.name: ALL, UPPER.name: 0, BONUS.name: 0})
FILLED = MappingProxyType({"filled": (OPEN.name, BUT)})


@dataclass(frozen=True)
class SheetListing(Listing):
    """A listing of a score sheet."""

    rules: Sheet
    reads = (OPEN.name,)

    @cached_property
    def ways(self) -> tuple[tuple[int, int, bool, int, int], ...]:
        """The distinct (box, upper, earns, among, opened) of all entries: the ways in which a card can change."""
        rolls = (self.rules.entries(faces) for faces, _ in multisets(self.rules.sides, self.rules.dice))
        return tuple(sorted({(e.box, e.upper, e.earns, e.among, e.opened) for roll in rolls for e in roll}))

    @cached_property
    def reached(self) -> list[tuple[int, int]]:
        """The reachable upper totals, as the set bits of an integer, by the bit mask of open boxes and by `bonus`."""
        full, at = self.rules.fresh.open, self.rules.upper_at
        found = [[0, 0] for _ in range(full + 1)]
        found[full][0] = 1
        by_box = [[way for way in self.ways if way[0] == box] for box in range(len(self.rules.boxes))]
        for opened in range(full, 0, -1):
            ways = (way for box, of in enumerate(by_box) if opened >> box & 1 for way in of)
            for box, upper, earns, among, needed in ways:
                if opened & among == needed:
                    after = found[opened & ~(1 << box)]
                    for bonus, totals in enumerate(found[opened]):
                        after[bonus or earns] |= _capped(totals << upper, at)
        return [tuple(totals) for totals in found]

    @cached_property
    def starts(self) -> int:
        """The number of reachable cards times the possible numbers of saved throws. Sets with equally many filled boxes
        and the same upper totals are counted together, for speed."""
        rules = self.rules
        found = Counter({(0, 1, 1): 1})  # {(boxes filled, upper totals, number of values of `bonus`): sets of boxes}
        for box in range(len(rules.boxes)):
            more, ways = found.copy(), [way for way in self.ways if way[0] == box]
            for (filled, totals, bonuses), sets in found.items():
                after = 0
                for upper in {way[1] for way in ways}:
                    after |= _capped(totals << upper, rules.upper_at)
                more[filled + 1, after, 2 if any(way[2] for way in ways) else bonuses] += sets
            found = more
        saved = rules.saved_throws * (rules.rolls - 1)
        return sum(
            sets * totals.bit_count() * bonuses * (saved * filled + 1)
            for (filled, totals, bonuses), sets in found.items()
            if filled < len(rules.boxes)
        )

    @property
    def why_not_solved(self) -> str:
        if self.starts <= MOST_STARTS and not self.rules.saved_throws:
            return ""
        saved = " and each number of saved throws" if self.rules.saved_throws else ""
        solved = f"at most {MOST_STARTS:,} are solved, and none with saved throws"
        return f"boxes: a turn can start from {self.starts:,} cards{saved}; {solved}"

    bytes = property(lambda self: 100 * self.starts)

    def why_no_card(self, opened: int, upper: int, bonus: int) -> str:
        """The reason why no turn starts from a card, in words; empty if one does."""
        full = self.rules.fresh.open
        if not 0 < opened <= full:
            boxes = f"a bit for each of {', '.join(self.rules.boxes)}"
            return f"open must be from 1 to {full}, {boxes}" if opened else "no box is open: the sheet is full"
        if bonus not in (0, 1):
            return "bonus must be 0 or 1"
        totals = [[u for u in range(of.bit_length()) if of >> u & 1] for of in self.reached[opened]]
        if not totals[bonus]:
            return f"bonus={bonus} cannot be reached with these boxes open"
        if upper not in totals[bonus]:
            return f"upper={upper} cannot be reached with these boxes open; possible are {some(totals[bonus])}"
        return ""

    def read(self, column: str, said: str) -> int | None:
        boxes, full = self.rules.boxes, self.rules.fresh.open
        words = said.removeprefix(BUT)
        names = boxes if words == ALL else words.replace(",", " ").split()
        for name in names:
            if name not in boxes:
                raise ConfigurationError(f"'{name}' is not a box{nearest(name, boxes)}")
        if len({*names}) < len(names):
            raise ConfigurationError(f"'{max(names, key=names.count)}' occurs twice")
        named = sum(1 << boxes.index(name) for name in names)
        return full ^ named if said.startswith(BUT) else named


class SheetPoints(SheetListing):
    """A listing by cards and points: for all cards, or only for a new card if there are too many."""

    layout = Layout.VALUES
    most_solved: ClassVar[int] = 1_000_000_000

    @cached_property
    def scores(self) -> int:
        """A strict upper bound on final scores, found without enumeration."""
        most: Counter[int] = Counter()
        for faces, _ in multisets(self.rules.sides, self.rules.dice):
            for entry in self.rules.entries(faces):
                most[entry.box] = max(most[entry.box], entry.points + entry.further)
        return most.total() + self.rules.upper_bonus + 1

    @property
    def every(self) -> bool:
        """Whether every card is listed."""
        return self.starts * self.scores <= MOST_POINTS

    @property
    def why_not_solved(self) -> str:
        if self.starts * self.scores <= self.most_solved or super().why_not_solved:
            return super().why_not_solved
        many = f"{self.starts:,} cards, each with up to {self.scores:,} points"
        return f"boxes: a turn can start from {many}; at most {self.most_solved:,} of both are solved"

    bytes = property(lambda self: 5 * self.scores * self.starts)

    def why_not_listed(self, card: State) -> str:
        """The reason why there are no rows of a card; empty if there are."""
        if self.every or card == self.rules.fresh:
            return self.why_no_card(*card)
        many = f"{self.starts:,} cards, each with up to {self.scores:,} points: too many to list"
        return f"turns start from {many}; this table has a new card, open=all upper=0 bonus=0"


class Turns(SheetListing):
    """Values at the starts of turns. A player with dice keeps some and rolls the others, or fills a box."""

    layout = Layout.FOLLOWED
    columns = (OPEN, UPPER, BONUS)
    state_columns: ClassVar[tuple[Column, ...]] = (*columns, DICE, LEFT)
    defaults, aliases = NEW_CARD, FILLED
    together = (DICE.name, LEFT.name)
    note = "decisions follow from the values at the starts of turns"

    def why_missing(self, state: State) -> str:
        dice, rules = state[3:], self.rules
        if why := self.why_no_card(*state[:3]):
            return why
        if dice and (len(dice[0]) != rules.dice or set(dice[0]) - set(map(str, range(1, rules.sides + 1)))):
            return f"a roll is {rules.dice} digits from 1 to {rules.sides}"
        return f"rerolls_left must be from 0 to {rules.rolls - 1}"


def _capped(totals: int, at: int) -> int:
    """Upper totals as bits, capped at the total that earns the bonus."""
    return totals & (1 << at) - 1 | (1 << at if totals >> at else 0)
