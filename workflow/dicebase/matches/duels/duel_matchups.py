"""Policies against one another in a duel: the winning probability of each pair, and the best response to each policy.

The configuration lists the policies of a league: names known for every duel, and names with a formula. See
docs/use/policies.md for the policies, and for ties that doubles cannot resolve.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from dicebase.matches.duels.duel import Duel, DuelListing, DuelOfThrows, DuelOfTurns
from dicebase.matches.turns.hold_at import WORD, Features, HoldAt, check_hold_at, dice_of, hold_at
from dicebase.matches.turns.race import RaceOfThrows
from dicebase.matches.turns.turn import BestThrow
from dicebase.vocabulary import (
    Column,
    ConfigurationError,
    Definition,
    Game,
    Layout,
    RepeatedTurn,
    State,
    Throw,
    nearest,
    parameter,
    value_column,
)
from dicebase.vocabulary.formula import formula

OPTIMAL, MAXIMISE_TURN, MINIMISE_TURNS = "optimal", "maximise_turn", "minimise_turns"
BEST_RESPONSE = "best_response"
MOST_POLICIES = 30


def _is_policy(entry: object) -> bool:
    """Whether a league's entry is a name, {name: formula} or {name: {formula, label}}."""
    if not isinstance(entry, dict):
        return isinstance(entry, str)
    stated = next(iter(entry.values()), None)
    return len(entry) == 1 and (not isinstance(stated, dict) or stated.keys() == {"formula", "label"})


@dataclass(frozen=True)
class Matchups(DuelListing):
    """The pairs of policies in a league."""

    policies: Definition = parameter("league", "policies that play one another", defined=True)

    layout = Layout.PAIRS
    value = value_column("probability that the row policy wins", "probability", "probability")
    columns = (
        Column("row_policy", str, "policy whose probability it is, or best_response to the column policy"),
        Column("column_policy", str, "policy it plays against"),
        Column("first", str, "player who moves first: row or column"),
    )
    places = Duel.record_columns

    word: ClassVar[str]  # the name of policies with a number, without the number: `hold_at` in hold_at_20
    numbers: ClassVar[str]  # the numbers allowed, in words

    def __post_init__(self) -> None:
        place, given = f"policies '{self.policies}'", self.policies.content
        if not (isinstance(given, list) and given and all(map(_is_policy, given))):
            what = "a list of policies, each a name, `name: formula` or `name: {formula, label}`, at least one"
            raise ConfigurationError(f"{place}: its definition must be {what}")
        if len(set(self.names)) < len(given):
            raise ConfigurationError(f"{place}: '{max(self.names, key=self.names.count)}' occurs twice")
        if len(given) > MOST_POLICIES:
            raise ConfigurationError(f"{place}: has {len(given)} policies; at most {MOST_POLICIES} are allowed")
        for name in self.names:
            if problem := self.why_not(name):
                raise ConfigurationError(f"{place}: {problem}")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The policies of the league, in the order of the configuration."""
        return tuple(entry if isinstance(entry, str) else str(*entry) for entry in self.policies.content)

    @cached_property
    def formulas(self) -> dict[str, str]:
        """The formulas of policies that have one, by name; a policy such as `hold_at FORMULA` is its own name."""
        stated = [pair for entry in self.policies.content if isinstance(entry, dict) for pair in entry.items()]
        texts = {name: text["formula"] if isinstance(text, dict) else str(text) for name, text in stated}
        return texts | {n: n.removeprefix(f"{self.word} ") for n in self.names if n.startswith(f"{self.word} ")}

    @property
    def note(self) -> str:
        return f"the value of the table is that of the best response to {self.names[0]}, moving first"

    @property
    def why_not_solved(self) -> str:
        return self.duel.why_no_matchups

    bytes = property(lambda self: self.duel.totals**2 * (30 * self.duel.totals + 200 * len(self.value_pairs())))

    def pairs(self) -> list[State]:
        """The rows: each policy and the best response, against each policy, sorted."""
        rows = (BEST_RESPONSE, *self.names)
        return sorted((row, column, who) for row in rows for column in self.names for who in ("row", "column"))

    def value_pairs(self) -> list[tuple[str, str]]:
        """The pairs of policies with a value at every pair of totals, the mover's policy first, sorted."""
        known = (BEST_RESPONSE, *self.names)
        return sorted((one, other) for one in known for other in known if {one, other} != {BEST_RESPONSE})

    def why_not(self, name: str) -> str:
        """The reason why a name is not a policy of this game, in words; empty if it is one."""
        known = {OPTIMAL, MINIMISE_TURNS, MAXIMISE_TURN}
        known -= {MINIMISE_TURNS} if self.duel.wipes and self.match is DuelOfThrows else set()
        known -= {MINIMISE_TURNS} if self.duel.throws_out or self.duel.last_turn else set()
        if name in self.formulas:
            taken = name in known or name == BEST_RESPONSE or self.by_number(name) is not None
            return f"'{name}' has a formula, but already has a meaning" if taken else ""
        if name in known or self.by_number(name) is not None:
            return ""
        if name == BEST_RESPONSE:
            return f"'{name}' is always included: leave it out"
        return f"there is no policy '{name}' here{nearest(name, known | {*self.examples})}; {self.numbers}"

    @property
    def examples(self) -> tuple[str, ...]:
        """Examples of policies with a number."""
        return (f"{self.word}_20",)

    def by_number(self, name: str) -> int | None:
        """The number of a policy such as hold_at_20; None for another name."""
        number = re.fullmatch(rf"{self.word}_([1-9]\d{{0,5}})", name)
        return int(number[1]) if number else None

    def why_missing(self, state: State) -> str:
        if state[-1] not in ("row", "column"):
            return "first must be row or column"
        known = ", ".join(self.names)
        return f"row_policy must be {BEST_RESPONSE} or one of {known}; column_policy must be one of the latter"


class MatchupsOfTurns(Matchups):
    """Policies of alternate turns against one another, and the best response to each."""

    match = DuelOfTurns
    word, numbers = WORD, "hold_at_20 with any number"

    @cached_property
    def features(self) -> Features:
        """The features of formulas."""
        points = range(0, self.target, self.duel.unit_of_points)
        return {"me": points, "opponent": points, "target": [self.target]} | dice_of(self.rules)

    def policy(self, name: str) -> HoldAt:
        """Return a policy with a number or a formula as arrays."""
        number = self.by_number(name)
        text = self.formulas[name] if number is None else str(number)
        totals = range(0, self.target + self.duel.past, self.duel.unit_of_points)
        return hold_at(self.rules, text, self.features, totals, f"policies.{name}")

    def why_not(self, name: str) -> str:
        if name in self.formulas:
            check_hold_at(self.formulas[name], self.features, f"policies.{name}")
        if name == MAXIMISE_TURN and (self.rules.must_roll or self.rules.opening):
            return f"'{name}' needs rules that let a player stop with any dice, and open with any points"
        return super().why_not(name)


class MatchupsOfThrows(Matchups):
    """Policies of alternate throws against one another, and the best response to each."""

    match = DuelOfThrows
    word, numbers = "always", "always_1 with any allowed number of dice"

    def numbers_of(self, name: str) -> list[list[int]]:
        """The number of dice that a policy throws, with a row for each total of the mover and a column for each total
        of the opponent, or one column if these do not matter."""
        points, number = range(0, self.target, self.duel.unit_of_points), self.by_number(name)
        if number is not None:
            return [[number] for _ in points]
        dice = formula(self.formulas[name], ("me", "opponent", "target"), f"policies.{name}")
        return [[dice(me, opponent, self.target) for opponent in points] for me in points]

    def throws_of(self, name: str, best: Callable[[Game], list[int]]) -> list[list[int]]:
        """The indices in `choices` of the throws of a policy other than `optimal`, in the form of `numbers_of`. `best`
        returns the index of the first best action in each position of a game of one player."""
        if name == MINIMISE_TURNS:
            return [[throw] for throw in best(RaceOfThrows(self.rules, self.target))]
        if name == MAXIMISE_TURN:
            return [best(BestThrow(self.rules))] * self.duel.totals
        index = self.rules.choices.index
        return [[index(dice) for dice in row] for row in self.numbers_of(name)]

    @property
    def examples(self) -> tuple[str, ...]:
        return tuple(f"always_{choice}" for choice in self.rules.choices)

    def by_number(self, name: str) -> int | None:
        number = super().by_number(name)
        return number if number in self.rules.choices else None

    def why_not(self, name: str) -> str:
        if name == MINIMISE_TURNS and self.rules.wipes:
            return f"'{name}' needs rules under which a throw that scores nothing loses no banked points"
        if name in self.formulas:
            points = range(0, self.target, self.duel.unit_of_points)
            for me, row in zip(points, self.numbers_of(name), strict=True):
                for opponent, dice in zip(points, row, strict=True):
                    if dice not in self.rules.choices:
                        return f"'{name}' throws {dice} dice at me={me} opponent={opponent}; {self.numbers}"
        return super().why_not(name)


FORMATS = {RepeatedTurn: MatchupsOfTurns, Throw: MatchupsOfThrows}
