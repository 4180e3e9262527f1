"""The inside of a turn, for the match formats: roll on or bank; or a single throw."""

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from math import gcd

from dicebase.matches.targets import Between, OfThrows, Record
from dicebase.vocabulary import STARTS, Column, Layout, Listing, Loss, Option, Outcome, RepeatedTurn, Roll, State


class ByTurns(Between):
    """A match of turns: roll on or bank."""

    rules_of_play = "The first roll of a turn is compulsory. Points that reach the target end the match at once."
    rules: RepeatedTurn
    format: str  # race, reach or duel
    layout = Layout.TWO_ACTIONS
    certified_by = "turns.matches"
    more = (Column("reachable", bool, "whether a match from 0 points can come to these totals"),)

    @abstractmethod
    def reachable(self, record: Record) -> bool:
        """Whether a match from no points can come to a record."""

    def may_bank(self, banked: int, total: int, mode: int | None) -> bool:
        """Whether so many points of a turn may be banked, the mode being what could be rolled."""
        return total >= self.rules.least_bank(banked) and mode not in self.rules.must_roll

    @property
    def match(self) -> "ByTurns":
        """The match whose turns are listed; that of StartsOfTurns is another."""
        return self

    def stored_by(self, store: str) -> Listing:
        return StartsOfTurns(self) if store == STARTS else super().stored_by(store)

    @cached_property
    def turn_places(self) -> frozenset[tuple[int, int | None]]:
        """The (turn total, mode) that a turn comes to by keeping, totals less than the target from 0; no mode where it
        ends by force."""
        found, todo = set(), [(0, self.rules.modes[0])]
        while todo:
            total, mode = todo.pop()
            for roll in self._rolls(mode):
                for option in roll.options:
                    place = (total + option.gain, option.mode)
                    if place not in found and place[0] < self.target:
                        found.add(place)
                        if option.mode is not None:
                            todo.append(place)
        return frozenset(found)

    @cached_property
    def totals_after(self) -> list[frozenset[int]]:
        """The totals below the target that a player can have after 0, 1, 2, ... turns, until they stay the same."""
        loses = bool(self._losses - {Loss.OUT})
        banks = {total for total, mode in self.turn_places if mode not in self.rules.must_roll}
        first, later = ({b for b in banks if b >= self.rules.least_bank(a)} for a in (0, 1))
        found, target = [frozenset([0])], self.target
        while len(found) == 1 or found[-1] != found[-2]:
            more = {a + b for a in found[-1] for b in (later if a else first) if a + b < target}
            found.append(found[-1] | more if loses else frozenset(more))
        return found

    @property
    def bytes(self) -> int:
        return 125 * len(self.rules.modes) * self.totals**2 * max(1, self.limit // 4)

    @cached_property
    def unit_of_points(self) -> int:
        return gcd(*(o.gain for mode in self.rules.modes for roll in self._rolls(mode) for o in roll.options))

    @property
    def opening(self) -> int:
        return self.rules.opening

    @property
    def why_not_solved(self) -> str:
        costs, players = self.rules.lost_in_row, sum(c.unit == "points" for c in self.record_columns)
        if not any(costs):
            return ""
        positions = (self.totals * len(costs)) ** players * max(1, self.limit) * len(self.turn_places)
        many = f"{positions:,} positions or more, as totals can fall below 0, which are not solved"
        return f"lost_in_row: with the lost turns of each player there are {many}; the table long_run has such rules"

    @property
    def why_not_stored(self) -> str:
        rolls = (roll for mode in self.rules.modes for roll in self._rolls(mode))
        if self.rules.keeps and any(option.mode is None for roll in rolls for option in roll.options):
            return "dice that end the turn when kept: no row has what that is worth; the table turn has such rules"
        return ""

    @cached_property
    def _losses(self) -> set[Loss]:
        return {roll.loss for mode in self.rules.modes for roll in self._rolls(mode) if roll.loss}

    @property
    def wipes(self) -> bool:
        return Loss.WIPE in self._losses

    @property
    def throws_out(self) -> bool:
        """Whether a roll can lose the match."""
        return Loss.OUT in self._losses

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        total = Column("turn_total", int, "points of this turn, not banked yet", "points")
        # Where dice are kept in any case: scoring tables of one die and of more are in one table.
        hand = self.rules.keeps or len(self.rules.modes) > 1
        dice = (Column("dice", int, "dice in the hand"),) if hand else ()
        return (*self.record_columns, total, *dice)

    def listed(self, state: State) -> bool:
        # A roll to keep dice from, which its state ends with, is decided in passing.
        return not isinstance(state[-1], str)

    def actions(self, state: State) -> Sequence[str]:
        if not self.listed(state):
            return tuple(f"keep {keep}" for keep in self._options(state[-1]))
        n = len(self.record_columns)
        total, mode = (*state[n:], self.rules.modes[0])[:2]
        return (self.rules.stop, "roll") if self.may_bank(state[self.mine], total, mode) else ("roll",)

    def afterstate(self, state: State, action: str) -> Hashable:
        n = len(self.record_columns)
        record, total = state[:n], state[n]
        mode = state[n + 1] if len(state) > n + 1 else self.rules.modes[0]
        if not self.listed(state):
            option = self._options(state[-1])[action.removeprefix("keep ")]
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
            for weight, dice, options, loss in self._rolls(mode):
                if loss:
                    yield self._outcome(weight, record, loss)
                elif self.rules.keeps:
                    yield Outcome(weight, (*record, total, mode, dice))
                else:
                    yield self._reached(weight, record, total + options[0].gain, options[0].mode)

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        return [r.written for r in self._rolls(afterstate[-1])] if afterstate[0] == "roll" else ()

    def _rolls(self, mode: int) -> tuple[Roll, ...]:
        return self.rules.rolls(0, mode)

    def _options(self, dice: str) -> dict[str, Option]:
        return next({o.keep: o for o in roll.options} for roll in self._rolls(len(dice)) if roll.dice == dice)

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
            return f"{left} points end the match: with a turn total of {state[n]} it is over"
        return f"no turn comes to this position{self._nearest(*state[n:], left)}"

    def _nearest(self, total: int, *rest: int) -> str:
        """The turn totals next to one that no turn comes to, in words."""
        *dice, left = rest
        mode = dice[0] if dice else self.rules.modes[0]
        start = {(0, self.rules.modes[0])}
        there = {t for t, m in self.turn_places | start if m == mode and t < left}
        below, above = [t for t in there if t < total], [t for t in there if t > total]
        near = [str(t) for t in ([max(below)] if below else []) + ([min(above)] if above else [])]
        hand = f" with {mode} {'die' if mode == 1 else 'dice'} left" if dice else ""
        return f"; the nearest turn totals{hand} are {' and '.join(near)}" if near else ""


class StartsOfTurns(Listing):
    """The starts of the turns of a match: what banking, a bust and a wipe lead to."""

    layout = ByTurns.layout
    certified_by = ByTurns.certified_by
    more = ByTurns.more
    note = "stored by the starts of turns, from which all other positions follow"

    def __init__(self, match: ByTurns) -> None:
        self.match, self.columns, self.value = match, match.columns, match.value

    @property
    def why_not_solved(self) -> str:
        return self.match.why_not_solved


class ByThrows(OfThrows, Between):
    """A match of single throws: choose how many dice to throw."""

    action_unit = "dice"

    @property
    def bytes(self) -> int:
        return (
            50
            * len(self.rules.choices)
            * self.totals ** (len(self.record_columns) - bool(self.limit))
            * (self.limit or 1)
        )

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
