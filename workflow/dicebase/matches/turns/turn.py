"""One turn for its own sake: maximise the expected points.

The game is infinite. Beyond some total a theorem gives the value of a turn (its Continuation), so states end at the
last total of interest, and a roll that leads beyond it has that value as its reward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

from dicebase.matches.turns.by_turns import ByThrows
from dicebase.vocabulary import (
    Class,
    Column,
    Continuation,
    Game,
    Line,
    Loss,
    Option,
    Outcome,
    State,
    Throw,
    Turn,
    answered,
    value_column,
)

Afterstate = tuple  # ("roll", total, mode), ("bank", total) or ("begin",)


class BestTurn(Game):
    """Maximise the expected points of one turn.

    If the player chooses dice to keep, a state is (total before this roll, roll), and an action says what to keep and
    whether to roll on. Otherwise it is (total,), or (total, dice) if the number of dice changes.

    The columns follow from the rules; playing needs the game that `with_continuation` returns.
    """

    rules_of_play = "The first roll is compulsory. A banked turn scores its points; a lost turn scores nothing."
    certified_by = ""  # the module of its own format
    value = value_column("expected points of the whole turn, under optimal play from here on", "points")

    def __init__(self, rules: Turn) -> None:
        self.rules = rules
        self._kept: dict[tuple, dict[str, tuple[Option, bool]]] = {}
        self._worths: dict[tuple[int, int | None], Fraction | int] = {}
        total = Column(rules.total, int, f"points of this turn{' before this roll' if rules.keeps else ''}", "points")
        if rules.keeps:
            self.columns = (total, Column("roll", str, "the dice of this roll, as sorted digits"))
        elif len(rules.modes) > 1:
            self.columns = (total, Column("dice", int, "dice in the hand"))
        else:
            self.columns = (total,)

    def with_continuation(self, continuation: Continuation) -> BestTurn:
        told = copy(self)
        told.continuation, told._worths = continuation, {}
        return told

    @cached_property
    def last(self) -> int:
        """The last listed total, one period beyond the cut-off, so that the table shows the whole pattern."""
        gains = (o.gain for c in self.continuation.worth for roll in self.rules.rolls(*c) for o in roll.options)
        return self.continuation.cutoff + max(self.rules.period, *gains)

    @cached_property
    def unit(self) -> int:
        """The greatest common divisor of all turn totals."""
        return gcd(*(o.gain for c in self.continuation.worth for roll in self.rules.rolls(*c) for o in roll.options))

    def start(self) -> Afterstate:
        # Without kept dice, the compulsory first roll is a state with one action.
        return ("roll", 0, self.rules.modes[0]) if self.rules.keeps else ("begin",)

    def actions(self, state: State) -> Sequence[str]:
        if self.rules.keeps:
            return tuple(self._keeps(*state))
        total, mode = (*state, self.rules.modes[0])[:2]
        return (self.rules.stop, "roll") if self.rules.may_stop(total, mode) else ("roll",)

    def afterstate(self, state: State, action: str) -> Afterstate:
        total = state[0]
        if self.rules.keeps:
            option, banks = self._keeps(*state)[action]
            total += option.gain
            return ("bank", total) if banks else ("roll", total, option.mode)
        if action == "roll":
            return ("roll", total, state[1] if len(state) > 1 else self.rules.modes[0])
        return ("bank", total)

    def outcomes(self, afterstate: Afterstate) -> Iterator[Outcome]:
        if afterstate[0] == "bank":
            yield Outcome(1, None, afterstate[1])
            return
        if afterstate[0] == "begin":
            yield Outcome(1, (0, self.rules.modes[0])[: len(self.columns)])
            return
        _, total, mode = afterstate
        seen = self.rules.keeps and total <= self.last
        for weight, dice, options, loss in self.rules.rolls(total, mode):
            if loss:
                yield Outcome(weight, None)
            elif seen:
                yield Outcome(weight, (total, dice))
            elif (
                len(options) == 1 and (reached := total + options[0].gain) <= self.last and options[0].mode is not None
            ):
                yield Outcome(weight, (reached, options[0].mode)[: len(self.columns)])
            else:
                yield Outcome(weight, None, max(self.worth(total + o.gain, o.mode) for o in options))

    def falls(self, afterstate: Afterstate) -> Sequence[str]:
        return [r.written for r in self.rules.rolls(*afterstate[1:])] if afterstate[0] == "roll" else ()

    def _keeps(self, total: int, dice: str) -> dict[str, tuple[Option, bool]]:
        """Return {action: (option, whether it banks)} for a roll, keeping most dice first."""
        mode = self.rules.mode_at(total, len(dice))
        where = total % self.rules.period, mode, dice, min(total, self.rules.least_stop)
        if where not in self._kept:
            roll = next(r for r in self.rules.rolls(total, mode) if r.dice == dice)
            self._kept[where] = found = {}
            for option in roll.options:
                stop, roll_on = self.rules.called(option)
                if self.rules.may_stop(total + option.gain, option.mode):
                    found[stop] = (option, True)
                if option.mode is not None:
                    found[roll_on] = (option, False)
        return self._kept[where]

    def worth(self, total: int, mode: int | None):
        """The value at a total from the cut-off on, if `mode` is rolled next; None: the turn has ended."""
        if mode is None:
            return total
        if (total, mode) not in self._worths:
            slope, at_nought = self.continuation.line((total % self.rules.period, mode))
            self._worths[total, mode] = slope * total + at_nought
        return self._worths[total, mode]

    @cached_property
    def _far(self) -> frozenset[Class]:
        """The classes that a turn can reach after its start."""
        classes = self.continuation.worth
        options = ((phase, o) for phase, mode in classes for r in self.rules.rolls(phase, mode) for o in r.options)
        return frozenset(((phase + o.gain) % self.rules.period, o.mode) for phase, o in options if o.mode is not None)

    def beyond(self, state: State) -> dict[str, Fraction] | None:
        total, *rest = state
        if self.continuation is None or total <= self.last or total % self.unit:
            return None
        lines = self._lines_at(total % self.rules.period, *rest)
        return lines and {action: slope * total + at_nought for action, (slope, at_nought) in lines.items()}

    def lines(self) -> Iterator[tuple[int, State, dict[str, Line]]]:
        for phase, mode in sorted(self._far):
            rolls = [roll.dice for roll in self.rules.rolls(phase, mode) if roll.options]
            for rest in rolls if self.rules.keeps else [mode]:
                key = (rest,)[: len(self.columns) - 1]
                yield phase, key, self._lines_at(phase, *key)

    def _lines_at(self, phase: int, rest: int | str | None = None) -> dict[str, Line] | None:
        """Return {action: (slope, value at total 0)} beyond the last total; None if no turn gets there."""
        mode = len(rest) if self.rules.keeps else self.rules.modes[0] if rest is None else rest
        if (phase, mode) not in self._far:
            return None
        if not self.rules.keeps:
            stop = {} if mode in self.rules.must_roll else {self.rules.stop: (Fraction(1), Fraction(0))}
            return stop | {"roll": self._rolling[phase, mode]}
        if not any(roll.dice == rest and roll.options for roll in self.rules.rolls(phase, mode)):
            return None
        found, far = {}, phase + max(1, self.rules.least_stop) * self.rules.period  # past the first roll
        for action, (option, banks) in self._keeps(far, rest).items():
            after = (phase + option.gain) % self.rules.period
            slope, at_nought = (Fraction(1), Fraction(0)) if banks else self._rolling[after, option.mode]
            found[action] = slope, slope * option.gain + at_nought
        return found

    @cached_property
    def _rolling(self) -> dict[Class, Line]:
        """The values of rolling: {class: (slope, value at total 0)}."""
        return {c: self._line(*c) for c in self._far}

    def _line(self, phase: int, mode: int) -> Line:
        rolls, slope, at_nought = self.rules.rolls(phase, mode), Fraction(0), Fraction(0)
        for weight, _, options, _ in (roll for roll in rolls if roll.options):
            best = max(self._ahead(phase, option) for option in options)
            slope, at_nought = slope + weight * best[0], at_nought + weight * best[1]
        total = sum(roll.weight for roll in rolls)
        return slope / total, at_nought / total

    def _ahead(self, phase: int, option: Option) -> Line:
        c = (phase + option.gain) % self.rules.period, option.mode
        slope, at_nought = (Fraction(1), Fraction(0)) if option.mode is None else self.continuation.line(c)
        return slope, slope * option.gain + at_nought

    @property
    def note(self) -> str:
        """The policy beyond the stored totals, in words."""
        if self.continuation is None:
            return ""
        text = f"totals are stored to {self.last}; from {self.continuation.cutoff} on "
        if self.continuation.slopes:
            return text + "the policy does not depend on the total"
        if not self.continuation.safe:
            return text + f"'{self.rules.stop}' is optimal"
        if self.rules.period == 1:
            return text + "rolling is optimal exactly with the dice that cannot lose"
        return text + f"the policy repeats every {self.rules.period} points and the value grows by as much"

    def why_missing(self, state: State) -> str:
        total = state[0]
        if total < 0:
            return f"{self.columns[0].name} must be at least 0"
        if self.beyond(state):
            return self.note
        return answered("why_missing", self.rules.why_missing, total, state[1] if self.rules.keeps else None)


@dataclass(frozen=True)
class BestThrow(ByThrows):
    """The most expected points of a single throw."""

    rules: Throw

    tabulated_by = "exact.positions"
    target = bytes = 0  # there is no target, and only one state
    value = value_column("expected points of one throw", "points")
    following = staticmethod(lambda record, points: ())

    def after_turn(self, record: State, gain: int | Loss) -> tuple[None, int, int]:
        return None, 0 if isinstance(gain, Loss) else gain, 1


FORMATS = {Turn: BestTurn, Throw: BestThrow}
