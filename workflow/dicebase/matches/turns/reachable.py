"""The positions that a match of turns can reach: inside a turn, and between turns."""

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property

from dicebase.matches.turns.targets import LOST, Record, TargetRecords
from dicebase.vocabulary import WINS, Column, Loss, Option, RepeatedTurn, Roll

LOST_TURNS = {"lost": "the mover", "opponent_lost": "the opponent"}


class RecordColumns:
    """The columns of a record; if the rules count lost turns in a row, a match has columns for them too."""

    def __init__(self, *columns: Column) -> None:
        said = [Column(name, int, f"lost turns in a row of {who}", LOST) for name, who in LOST_TURNS.items()]
        self.columns, self.lost = columns, said[: sum(c.unit == "points" for c in columns)]

    def __get__(self, match: "ReachableRecords | None", _: type) -> tuple[Column, ...]:
        return self.columns if match is None or not match.costs else (*self.columns, *self.lost)


def ways(rules: RepeatedTurn) -> dict[int, set[tuple[int, int | None]]]:
    """Return the (gain, next mode) of all options, by mode."""
    rolled = {mode: [o for roll in rules.rolls(0, mode) for o in roll.options] for mode in rules.modes}
    return {mode: {(option.gain, option.mode) for option in options} for mode, options in rolled.items()}


def turn_places(rules: RepeatedTurn, most: int) -> frozenset[tuple[int, int | None]]:
    """Return the (turn total below `most`, mode) that a turn can reach, before and after rolls; mode None ends it."""
    todo, leads = [(0, rules.modes[0])], ways(rules)
    found = {*todo}
    while todo:
        total, mode = todo.pop()
        new = {(total + gain, after) for gain, after in leads[mode] if total + gain < most} - found
        found |= new
        todo += [place for place in new if place[1] is not None]
    return frozenset(found)


class ReachableRecords(TargetRecords):
    """Mixin: the reachable positions of a match of turns."""

    rules: RepeatedTurn

    _ways = cached_property(lambda self: ways(self.rules))

    def _rolls(self, mode: int) -> tuple[Roll, ...]:
        return self.rules.rolls(0, mode)

    @cached_property
    def _all_options(self) -> list[Option]:
        """All options of all rolls."""
        return [option for mode in self.rules.modes for roll in self._rolls(mode) for option in roll.options]

    @cached_property
    def _losses(self) -> set[Loss]:
        return {roll.loss for mode in self.rules.modes for roll in self._rolls(mode) if roll.loss}

    @property
    def _loses_turns(self) -> bool:
        """Whether a turn can be lost without ending the match."""
        return bool(self._losses - {Loss.OUT})

    def reachable(self, record: Record) -> bool:
        """Whether a match from 0 points can reach a record."""
        return self.reached_at_once(record) if self.may_store_starts else record in self.reached

    @abstractmethod
    def reached_at_once(self, record: Record) -> bool:
        """Whether a match can reach a record, if `may_store_starts`."""

    @cached_property
    def reached(self) -> set[Record]:
        """The records that a match can reach, found by graph search."""
        found, todo, ends = {self.first()}, [self.first()], {}
        while todo:
            record = todo.pop()
            turn = self.to_go(record), self.rules.least_bank(record[self.mine])
            if turn not in ends:
                ends[turn] = set(self._ends(*turn))
            mine = record[self.mine]
            following = {self.after(record, mine + total)[0] for total in ends[turn]}
            following |= {self.after(record, mine, True)[0]} if self._loses_turns else set()
            following -= {None}
            following -= found
            found |= following
            todo += following
        return found

    def _ends(self, need: int, least: int) -> Iterator[int]:
        """Totals at which a turn can end without a bust when `need` points end it and `least` points may be banked."""
        for total, mode in self.turn_places:
            if total < need and mode not in self.rules.must_roll and total >= least:
                yield total
            for gain, after in self._ways[mode] if total < need and mode is not None else ():
                if total + gain >= need or after is None:
                    yield total + gain

    @cached_property
    def turn_places(self) -> frozenset[tuple[int, int | None]]:
        """The `turn_places` of the rules below the most points of a turn."""
        return turn_places(self.rules, self.target + (self.past if self.last_turn else 0))

    @cached_property
    def totals_after(self) -> list[frozenset[int]]:
        """Entry n has the totals below the target that a player can have after n turns, up to the first repetition."""
        places = self.turn_places
        banks = {total for total, mode in places if mode not in self.rules.must_roll and total < self.target}
        first, later = ({b for b in banks if b >= self.rules.least_bank(a)} for a in (0, 1))
        found, target = [frozenset([0])], self.target
        while len(found) == 1 or found[-1] != found[-2]:
            more = {a + b for a in found[-1] for b in (later if a else first) if a + b < target}
            found.append(found[-1] | more if self._loses_turns else frozenset(more))
        return found

    @cached_property
    def totals_past(self) -> list[frozenset[int]]:
        """Entry n has the totals from the target on that a player can have after n + 1 turns, see `totals_after`."""
        inside = {place for place in self.turn_places if place[1] is not None}
        rolled = {(total, total + gain) for total, mode in inside for gain, _ in self._ways[mode]}

        def ends(banked: int) -> set[int]:
            return {banked + end for total, end in rolled if banked + total < self.target <= banked + end}

        past = {banked: ends(banked) for banked in frozenset().union(*self.totals_after)}
        return [frozenset().union(*(past[banked] for banked in totals)) for totals in self.totals_after]

    @cached_property
    def past(self) -> int:
        """The most points by which a turn may exceed the points that end it; 0 if the excess does not matter."""
        matters = self.rules.beyond != WINS or self.last_turn
        return max(option.gain for option in self._all_options) if matters else 0

    @property
    def bytes(self) -> int:
        return 125 * len(self.rules.modes) * self.totals**2 * max(1, self.limit // 4)
