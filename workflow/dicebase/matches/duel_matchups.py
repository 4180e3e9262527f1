"""Policy against policy in a duel: what each wins, and the best response to each.

A policy is a name; the configuration states which ones are in a league. docs/use/policies.md says what each does, and
how it decides where two actions differ by less than doubles can tell. `maximise_turn`, and `minimise_turns` of single
throws, are decided in rationals.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dicebase.matches.duel import DuelOfThrows, DuelOfTurns, OfDuel
from dicebase.vocabulary import (
    Column,
    ConfigurationError,
    Definition,
    Layout,
    Loss,
    RepeatedTurn,
    State,
    Throw,
    nearest,
    parameter,
    worth,
)

OPTIMAL, MAXIMISE_TURN, MINIMISE_TURNS = "optimal", "maximise_turn", "minimise_turns"
KEEP_PACE = "end_race_keep_pace"
BEST_RESPONSE = "best_response"
MOST_POLICIES = 30
# One six-sided die of Pig: what one roll gains, and how often.
ONE_DIE = {None: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
RACE_FROM, PACE = 71, 21  # of end_race_keep_pace


@dataclass(frozen=True)
class Matchups(OfDuel):
    """The pairs of a league of policies."""

    policies: Definition = parameter("league", "which policies play one another", defined=True)

    layout = Layout.MATCHUPS
    value = worth("probability that the row policy wins", "probability", "probability")
    columns = (
        Column("row_policy", str, "the policy whose probability it is, or best_response, which knows the other"),
        Column("column_policy", str, "the policy it plays against"),
        Column("first", str, "who begins: row or column"),
    )

    def __post_init__(self) -> None:
        place, given = f"policies '{self.policies}'", self.policies.content
        if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
            raise ConfigurationError(f"{place}: its definition is not a list of policies, at least one")
        if len(set(given)) < len(given):
            raise ConfigurationError(f"{place}: '{max(given, key=given.count)}' is there twice")
        if len(given) > MOST_POLICIES:
            raise ConfigurationError(f"{place}: names {len(given)} policies; at most {MOST_POLICIES} are played")
        for name in given:
            if problem := self.why_not(name):
                raise ConfigurationError(f"{place}: {problem}")

    @property
    def names(self) -> tuple[str, ...]:
        """The policies of the league, in the order of the configuration."""
        return tuple(self.policies.content)

    @property
    def note(self) -> str:
        return f"the value of the table is that of the best response to {self.names[0]}, moving first"

    @property
    def why_not_solved(self) -> str:
        return self.duel.why_not_played_out

    @property
    def bytes(self) -> int:
        return 30 * self.duel.totals**3

    def pairs(self) -> list[State]:
        """The rows: every policy and the best response against every policy, in sorted order."""
        rows = (BEST_RESPONSE, *self.names)
        return sorted((row, column, who) for row in rows for column in self.names for who in ("row", "column"))

    def why_not(self, name: str) -> str:
        """Why that is no policy of this game, in words; empty where it is one."""
        known = {OPTIMAL, MINIMISE_TURNS, MAXIMISE_TURN}
        known -= {MINIMISE_TURNS} if self.duel.wipes and self.match is DuelOfThrows else set()
        known -= {MINIMISE_TURNS} if self.duel.throws_out else set()
        if name in known or self.states(name):
            return ""
        if name == BEST_RESPONSE:
            return f"'{name}' is always there: leave it out"
        if name == KEEP_PACE:
            return f"'{name}' is stated for one six-sided die of Pig to 100 points alone"
        return f"there is no policy '{name}' here{nearest(name, known | {*self.examples})}; {self.numbers}"

    def states(self, name: str) -> bool:
        """Whether a name states by itself what to do."""
        raise NotImplementedError

    examples: ClassVar[tuple[str, ...]]  # of names that state by themselves what to do: one with a number, and others
    numbers: ClassVar[str]  # which numbers the examples may have, in words

    def why_missing(self, state: State) -> str:
        if state[-1] not in ("row", "column"):
            return "first is row or column"
        known = ", ".join(self.names)
        return f"row_policy is {BEST_RESPONSE} or one of {known}; column_policy one of the latter"


class MatchupsOfTurns(Matchups):
    """Policies of alternate turns against one another, and the best response to each."""

    accepts = RepeatedTurn
    match = DuelOfTurns
    numbers = "hold_at_20 with any number"

    @property
    def examples(self) -> tuple[str, ...]:
        return ("hold_at_20", KEEP_PACE) if self._is_pig() else ("hold_at_20",)

    def why_not(self, name: str) -> str:
        if name == MAXIMISE_TURN and (self.rules.must_roll or self.rules.opening):
            return f"'{name}' is played where one may stop with any dice, and open with any points"
        return super().why_not(name)

    def states(self, name: str) -> bool:
        return self._holds_at(name) is not None or (name == KEEP_PACE and self._is_pig())

    def holds_at(self, name: str, me: int, opponent: int) -> int:
        """The turn total from which such a policy stops, by what both have banked, in points."""
        if name != KEEP_PACE:
            return self._holds_at(name)
        if max(me, opponent) >= RACE_FROM:
            return self.target
        # Halves are rounded up.
        return PACE + (Fraction(opponent - me, 8) + Fraction(1, 2)).__floor__()

    def looks_at_both(self, name: str) -> bool:
        """Whether what it does depends on the opponent's total."""
        return name in (OPTIMAL, KEEP_PACE)

    @staticmethod
    def _holds_at(name: str) -> int | None:
        number = re.fullmatch(r"hold_at_([1-9]\d{0,5})", name)
        return int(number[1]) if number else None

    def _is_pig(self) -> bool:
        if self.target != 100 or self.rules.keeps or len(self.rules.modes) > 1:
            return False
        rolls = list(self.rules.rolls(0, self.rules.modes[0]))
        gains = {roll.options[0].gain if roll.options else None: roll.weight for roll in rolls}
        return gains == ONE_DIE and not any(roll.loss in (Loss.WIPE, Loss.OUT) for roll in rolls)


class MatchupsOfThrows(Matchups):
    """Policies of alternate throws against one another, and the best response to each."""

    accepts = Throw
    match = DuelOfThrows
    numbers = "always_1 with any number of dice that may be thrown"

    @property
    def examples(self) -> tuple[str, ...]:
        return tuple(f"always_{choice}" for choice in self.rules.choices)

    def states(self, name: str) -> bool:
        return self.dice(name) is not None

    def why_not(self, name: str) -> str:
        if name == MINIMISE_TURNS and self.rules.wipes:
            return f"'{name}' is played where a throw of nothing loses no banked points alone"
        return super().why_not(name)

    def dice(self, name: str) -> int | None:
        """How many dice such a policy throws; None for another name."""
        number = re.fullmatch(r"always_([1-9]\d?)", name)
        return int(number[1]) if number and int(number[1]) in self.rules.choices else None
