"""Positions inside a turn for the match formats: roll on or bank, or a single throw."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, product
from math import gcd, prod
from types import MappingProxyType
from typing import Any

from dicebase.matches.turns.reachable import LOST_TURNS, ReachableRecords
from dicebase.matches.turns.targets import Record, TargetMatch, ThrowTotals
from dicebase.vocabulary import (
    BOUNCE,
    BUST,
    MANY_ROWS,
    STARTS,
    WINS,
    Column,
    ConfigurationError,
    Layout,
    Listing,
    Loss,
    Option,
    Outcome,
    RepeatedTurn,
    State,
)


class ByTurns(ReachableRecords, TargetMatch):
    """A match of turns, in which the player rolls or banks."""

    rules_of_play = (
        "The first roll of a turn is compulsory. Reaching the target ends the match at once, or only the turn if the "
        "rules give the opponent a last one."
    )
    rules: RepeatedTurn
    format: str  # race, reach or duel
    layout = Layout.TWO_ACTIONS
    certified_by = "turns.matches"
    defaults = MappingProxyType(dict.fromkeys(LOST_TURNS, 0))
    more = (Column("reachable", bool, "whether a match from 0 points can reach these totals"),)

    @property
    def match(self) -> "ByTurns":
        """The match whose turns are listed; StartsOfTurns has it as an attribute."""
        return self

    def stored_by(self, store: str) -> Listing:
        if store == STARTS and not self.may_store_starts:
            raise ConfigurationError(f"store: if {self.why_not_answered.partition(',')[0]}, rows must be stored")
        if store != STARTS and self.why_no_rows:
            raise ConfigurationError(self.why_no_rows)
        return StartsOfTurns(self) if store == STARTS else super().stored_by(store)

    @property
    def may_store_starts(self) -> bool:
        """Whether a turn that reaches the target keeps all its points, and a lost turn costs no others. Pairs of totals
        then decouple unless a roll can lose the bank, and all positions follow from the starts of turns."""
        return self.rules.beyond == WINS and not self.costs

    @property
    def wins_at_once(self) -> bool:
        return self.may_store_starts and not self.last_turn

    @property
    def costs(self) -> tuple[int, ...]:
        return self.rules.lost_in_row if any(self.rules.lost_in_row) else ()

    def ended(self, record: Sequence, points: Any, lost: Any = False) -> tuple[Any, Any, tuple]:
        over, left = points - self.target, record[self.mine]
        if self.rules.beyond == BUST:
            lost = lost | (over > 0)
        elif self.rules.beyond == BOUNCE:
            points = points - (over > 0) * 2 * over
            points = points * (points > 0)
        if not self.costs:
            return super().ended(record, points + lost * (left - points))
        *known, mine, other = (*record, 0) if len(record) < 4 else record
        left = left - sum(cost * (mine == row) for row, cost in enumerate(self.costs))
        row = lost * ((mine + 1) % len(self.costs))
        won, none, following = super().ended(known, points + lost * (left * (left > 0) - points))
        return won, none, (*following, row) if len(record) < 4 else (*following, other, row)

    @cached_property
    def unit_of_points(self) -> int:
        return gcd(*(gain for gain, _ in self._all_ways))

    opening = property(lambda self: self.rules.opening)

    @property
    def may_end_by_force(self) -> bool:
        """Whether an option ends the turn and banks its points; positions after it have no row."""
        return any(mode is None for _, mode in self._all_ways)

    @cached_property
    def ends_otherwise(self) -> bool:
        """Whether keeping dice may end a turn without ending the match."""
        return not self.wins_at_once or self.may_end_by_force

    @property
    def turns_alike(self) -> bool:
        return self.may_store_starts and not self.may_end_by_force

    @property
    def why_not_solved(self) -> str:
        if self.costs and (self.opening or self.wipes):
            return "lost_in_row: not solved with an opening minimum or with rolls that lose all banked points"
        if any(cost % self.unit_of_points for cost in self.costs):
            return f"lost_in_row: {[*self.costs]} must be multiples of {self.unit_of_points}, as all points are"
        if self.past and self.target % self.unit_of_points:
            return f"target: {self.target} is not a multiple of {self.unit_of_points} and can never be met exactly"
        return ""

    @property
    def why_no_rows(self) -> str:
        """The reason why rows of all positions cannot be stored, with a way out; empty if they can."""
        if self.wins_at_once or self.row_count <= MANY_ROWS:
            return ""
        fewer = range(1, self.totals)
        most = bisect_right(fewer, MANY_ROWS, key=lambda n: replace(self, target=n * self.unit_of_points).row_count)
        said = f"target: {self.target} has {self.row_count:,} positions; {MANY_ROWS:,} are stored"
        starts = " or store only the starts of turns (--store starts)" * self.may_store_starts
        return f"{said}, so give a target of at most {most * self.unit_of_points}{starts}"

    @cached_property
    def row_count(self) -> int:
        """The number of positions."""
        inside = Counter(total for total, _ in self.turn_places)
        below = [*accumulate(inside[t] for t in range(0, self.target + self.past, self.unit_of_points))]
        ranges, more = self.ranges, 1
        if not self.last_turn:  # the end of a turn depends only on the mover's points
            more = prod(len(numbers) for i, numbers in enumerate(ranges) if i != self.mine)
            ranges = [numbers if i == self.mine else numbers[:1] for i, numbers in enumerate(ranges)]
        need = Counter(-(-self.to_go(record) // self.unit_of_points) for record in product(*ranges))
        return sum(many * more * below[min(n, len(below)) - 1] for n, many in need.items())

    wipes = property(lambda self: Loss.WIPE in self._losses)
    throws_out = property(lambda self: Loss.OUT in self._losses)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        total = Column("turn_total", int, "points of this turn, not banked yet", "points")
        # Rules that keep dice always have this column, so that tables of one die and of several share a schema.
        hand = self.rules.keeps or len(self.rules.modes) > 1
        first = "; 0: all of them, in a first roll that scores differently" * self.rules.keeps
        dice = (Column("dice", int, f"dice in the hand{first}"),) if hand else ()
        return (*self.record_columns, total, *dice)

    def listed(self, state: State) -> bool:
        # A state whose last entry is a roll, from which dice must still be kept, is not a row.
        return not isinstance(state[-1], str)

    def actions(self, state: State) -> Sequence[str]:
        if not self.listed(state):
            return tuple(f"keep {keep}" for keep in self._options(*state[-2:]))
        n = len(self.record_columns)
        total, mode = (*state[n:], self.rules.modes[0])[:2]
        return (self.rules.stop, "roll") if self.rules.may_stop(total, mode, state[self.mine]) else ("roll",)

    def afterstate(self, state: State, action: str) -> Hashable:
        n = len(self.record_columns)
        record, total = state[:n], state[n]
        mode = state[n + 1] if len(state) > n + 1 else self.rules.modes[0]
        if not self.listed(state):
            option = self._options(*state[-2:])[action.removeprefix("keep ")]
            return ("keep", record, total + option.gain, option.mode)
        return ("roll", record, total, mode) if action == "roll" else ("bank", record, total)

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        what, record, *position = afterstate
        if what == "begin":
            yield Outcome(1, self._begin(record))
        elif what == "bank":
            yield self._outcome(1, record, *position)
        elif what == "keep":
            yield self._reached(1, record, *position)
        else:
            total, mode = position
            for weight, dice, options, loss in self.rules.rolls(0, mode):
                if loss:
                    yield self._outcome(weight, record, loss)
                elif self.rules.keeps:
                    yield Outcome(weight, (*record, total, mode, dice))
                else:
                    yield self._reached(weight, record, total + options[0].gain, options[0].mode)

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        return [r.written for r in self.rules.rolls(0, afterstate[-1])] if afterstate[0] == "roll" else ()

    def _options(self, mode: int, dice: str) -> dict[str, Option]:
        return next({o.keep: o for o in roll.options} for roll in self.rules.rolls(0, mode) if roll.dice == dice)

    def _begin(self, record: Record) -> State:
        return (*record, 0, self.rules.modes[0])[: len(self.columns)]

    def _outcome(self, weight: int, record: Record, gain: int | Loss) -> Outcome:
        after, reward, sign = self.after_turn(record, gain)
        return Outcome(weight, after and self._begin(after), reward, sign)

    def _reached(self, weight: int, record: Record, total: int, mode: int | None) -> Outcome:
        if mode is None or total >= self.to_go(record):
            return self._outcome(weight, record, total)
        return Outcome(weight, (*record, total, mode)[: len(self.columns)])

    def why_missing(self, state: State) -> str:
        n = len(self.record_columns)
        if why := self.why_no_record(state[:n]):
            return why
        if state[n] >= (left := self.to_go(state[:n])):
            what = "match" if self.wins_at_once else "turn"
            return f"{left} points end the {what}: with a turn total of {state[n]} it is over"
        return f"no turn reaches this position{self._nearest(*state[n:], left)}"

    def _nearest(self, total: int, *rest: int) -> str:
        """The nearest turn totals that a turn can reach, in words."""
        *dice, left = rest
        if total == 0 and self.rules.keeps and 0 in self.rules.modes:
            return "; the first roll of a turn, with all dice, is dice=0"
        mode = dice[0] if dice else self.rules.modes[0]
        there = {t for t, m in self.turn_places if m == mode and t < left}
        below, above = [t for t in there if t < total], [t for t in there if t > total]
        near = [str(t) for t in ([max(below)] if below else []) + ([min(above)] if above else [])]
        hand = f" with {mode} {'die' if mode == 1 else 'dice'} left" if dice else ""
        return f"; the nearest turn totals{hand} are {' and '.join(near)}" if near else ""


class StartsOfTurns(Listing):
    """The starts of the turns of a match; the values of a bank, a bust and a wipe follow from them."""

    layout = ByTurns.layout
    certified_by = ByTurns.certified_by
    more = ByTurns.more
    note = "stored by the starts of turns, from which all other positions follow"

    def __init__(self, match: ByTurns) -> None:
        self.match, self.rules, self.columns, self.value = match, match.rules, match.columns, match.value

    @property
    def why_not_solved(self) -> str:
        return self.match.why_not_solved


class ByThrows(ThrowTotals, TargetMatch):
    """A match of single throws, in which the player chooses the number of dice."""

    action_unit = "dice"

    bytes = property(lambda self: 50 * len(self.rules.choices) * prod(map(len, self.ranges)))

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.record_columns

    def afterstate(self, state: State, action: str) -> Hashable:
        return ("throw", state, int(action))

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        return [str(points) for points in self.rules.gains(afterstate[-1])] if afterstate[0] == "throw" else ()

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        what, record, *choice = afterstate
        if what == "begin":
            yield Outcome(1, record)
            return
        nothing = Loss.WIPE if self.wipes else Loss.BUST
        for points, weight in self.rules.gains(*choice).items():
            yield Outcome(weight, *self.after_turn(record, points or nothing))
