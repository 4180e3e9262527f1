"""What listings of score sheets have in common: values at the starts of turns, from which decisions follow."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar

from dicebase.vocabulary import Column, ConfigurationError, Layout, Listing, Sheet, State, multisets, nearest

OPEN = Column("open", int, "open boxes, by name, as in ones,chance; as a number, bit i is that of box i, from 0 on")
UPPER = Column("upper", int, "points of the upper section, no more than earn its bonus", "points")
BONUS = Column("bonus", int, "1 once a further roll of dice all alike earns a bonus, else 0")
DICE = Column("roll", str, "the dice as they lie; at the start of a turn it is left out")
LEFT = Column("rerolls_left", int, "how often dice may be rolled again in this turn", "rolls")
MOST_STARTS = 2_000_000
ALL, BUT = "all", "all but "
"""Words for open boxes, beside names of boxes."""


@dataclass(frozen=True)
class Turns(Listing):
    """Values at the starts of turns. With dice on the table one keeps some and rolls the others, or fills a box."""

    rules: Sheet

    layout = Layout.FOLLOWED
    columns = (OPEN, UPPER, BONUS)
    state_columns: ClassVar[tuple[Column, ...]] = (*columns, DICE, LEFT)
    defaults = MappingProxyType({OPEN.name: ALL, UPPER.name: 0, BONUS.name: 0})
    together = (DICE.name, LEFT.name)
    aliases = MappingProxyType({"filled": (OPEN.name, BUT)})
    note = "decisions follow from the values at the starts of turns"

    @cached_property
    def ways(self) -> tuple[tuple[int, int, bool, int, int], ...]:
        """(box, upper, earns, among, opened) of all entries: how a card may change."""
        rolls = (self.rules.entries(faces) for faces, _ in multisets(self.rules.sides, self.rules.dice))
        return tuple(sorted({(e.box, e.upper, e.earns, e.among, e.opened) for roll in rolls for e in roll}))

    @cached_property
    def reached(self) -> list[tuple[int, int]]:
        """The upper totals with which play comes to a set of open boxes, by bit mask, as bits: of cards whose `bonus`
        is 0, and 1."""
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
        """How many there are, counted without looking at each: cards, and saved throws where there are any."""
        rules = self.rules
        found = Counter({(0, 1, 1): 1})  # of (boxes filled, upper totals, values of `bonus`), how many sets of boxes
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

    @property
    def bytes(self) -> int:
        return 100 * self.starts

    def read(self, column: str, said: str) -> int | None:
        if column != OPEN.name:
            return None
        names, full = self.rules.boxes, self.rules.fresh.open
        named = 0
        if said == ALL:
            return full
        for name in said.removeprefix(BUT).replace(",", " ").split():
            if name not in names:
                raise ConfigurationError(f"'{name}' is no box{nearest(name, names)}")
            named |= 1 << names.index(name)
        return full ^ named if said.startswith(BUT) else named

    def why_missing(self, state: State) -> str:
        opened, upper, bonus, *dice = state
        rules = self.rules
        if not 0 < opened <= rules.fresh.open:
            return f"open is from 1 to {rules.fresh.open}: a bit for each of {', '.join(rules.boxes)}"
        if bonus not in (0, 1) or not (upper >= 0 and self.reached[opened][bonus] >> upper & 1):
            return f"no play comes to an upper total of {upper} and a bonus of {bonus} with these boxes open"
        if dice and (len(dice[0]) != rules.dice or set(dice[0]) - set(map(str, range(1, rules.sides + 1)))):
            return f"a roll is {rules.dice} digits from 1 to {rules.sides}"
        return f"rerolls_left is from 0 to {rules.rolls - 1}"


def _capped(totals: int, at: int) -> int:
    """Upper totals as bits, those beyond the one that earns the bonus being this one."""
    return totals & (1 << at) - 1 | (1 << at if totals >> at else 0)
