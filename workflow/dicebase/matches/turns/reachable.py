"""The positions that a match of turns can reach: inside a turn, and between turns."""

from collections.abc import Iterator
from functools import cached_property

from dicebase.matches.turns.targets import LOST, Record, TargetRecords
from dicebase.vocabulary import WINS, Column, Loss, RepeatedTurn

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
    return {mode: {(o.gain, o.mode) for roll in rules.rolls(0, mode) for o in roll.options} for mode in rules.modes}


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
    _all_ways = cached_property(lambda self: {way for of in self._ways.values() for way in of})
    _losses = cached_property(lambda self: {r.loss for m in self.rules.modes for r in self.rules.rolls(0, m)} - {None})
    # Whether a turn can be lost without ending the match.
    _loses_turns = property(lambda self: bool(self._losses - {Loss.OUT}))

    def reachable(self, record: Record) -> bool:
        """Whether a match from 0 points can reach a record."""
        return record[self._moved] in self.reached.get(self._with_points(record, 0), ())

    @cached_property
    def reached(self) -> dict[Record, set[int]]:
        """The reachable records, found by graph search: the possible points of the player who has just moved, by the
        record with 0 for these points."""
        found, ends, todo = {}, {}, [(self.first(), {0})]
        while todo:
            rest, points = todo.pop()
            known = found.setdefault(self._with_points(rest, 0), set())
            new = points - known
            known |= new
            for record in (self._with_points(rest, n) for n in new):
                turn = mine, need = record[self.mine], self.to_go(record)
                if turn not in ends:
                    totals = {mine + total for total in self._ends(need, self.rules.least_bank(mine))}
                    totals |= {mine} if self._loses_turns and not self.costs else set()
                    ends[turn] = {n for n in totals if n < self.target}, totals
                below, every = ends[turn]
                beyond = (self.after(record, n)[0] for n in every - below) if self.past else ()
                lost = [self.after(record, mine, True)[0]] if self.costs and self._loses_turns else []
                todo += [(after, {after[self._moved]}) for after in (*beyond, *lost) if after]
                # Turns that end below the target lead to records that differ only in these points.
                todo += [(after, below) for after in [self.after(record, mine)[0]] if after]
        return found

    @cached_property
    def _moved(self) -> int:
        """The index of the points of the player who has just moved; the mover's come first."""
        return max(i for i, c in enumerate(self.record_columns) if c.unit == "points")

    def _with_points(self, record: Record, points: int) -> Record:
        """Return the record with other points of the player who has just moved."""
        return *record[: self._moved], points, *record[self._moved + 1 :]

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
    def past(self) -> int:
        """The most points by which a turn may exceed the points that end it; 0 if the excess does not matter."""
        matters = self.rules.beyond != WINS or self.last_turn
        return max(gain for gain, _ in self._all_ways) if matters else 0

    bytes = property(lambda self: 125 * len(self.rules.modes) * self.totals**2 * max(1, self.limit // 4))
