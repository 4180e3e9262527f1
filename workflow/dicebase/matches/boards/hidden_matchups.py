"""Policies against one another in games of hidden information."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from dicebase.matches.boards.board import derive_format
from dicebase.matches.boards.board_matchups import BEST_RESPONSE, FIRST_LISTED, OPTIMAL, POLICIES
from dicebase.matches.boards.information_sets import InformationSets, sets_for_objective
from dicebase.vocabulary import Column, Hidden, Layout, Listing, Objective, State, answered, value_column
from dicebase.vocabulary.contracts.conditions import need


@dataclass(frozen=True)
class HiddenMatchups(Listing):
    """The pairs of policies, and the best response to each policy; see `matchups_of_sets`."""

    rules: Hidden

    sets: ClassVar[type[InformationSets]]
    layout = Layout.PAIRS
    tabulated_by = certified_by = "hidden.matchups"
    of_pairs = (Column("probability", float, "probability of this action in `policy`", "probability"),)
    note = (
        f"the value of the table is that of the best response to {OPTIMAL}, as player 1; a value is given that chance "
        "and the other policy lead to the set, and 0 if they never do"
    )

    @cached_property
    def game(self) -> InformationSets:
        """The information sets."""
        return self.sets(self.rules)

    @property
    def columns(self) -> tuple[Column, ...]:
        # In Liar's dice `first` is a parameter, the dice of player 1.
        said = [*POLICIES, *(f"{name} ({what})" for name, what in self.rules.people.items())]
        first = "first_policy" if "first" in vars(self.rules) else "first"
        return (
            Column("row_policy", str, f"policy whose value it is: {', '.join(said)} or {BEST_RESPONSE}"),
            Column("column_policy", str, "policy it plays against"),
            Column(first, str, "the policy of player 1: row or column"),
        )

    @property
    def places(self) -> tuple[Column, ...]:
        """The columns of an action at an information set."""
        return (*self.game.columns, Column("action", str, "action whose value it is, with `policy` afterwards"))

    @property
    def names(self) -> list[str]:
        """The policies except best responses."""
        return [*POLICIES, *self.rules.people]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs (row policy, column policy) in order."""
        return sorted((row, column) for row in (*self.names, BEST_RESPONSE) for column in self.names)

    def why_missing(self, state: State) -> str:
        names, first = ", ".join(self.names), self.columns[2].name
        return f"row_policy must be one of {names}, {BEST_RESPONSE}; {first} must be row or column"


def chosen(rules: Hidden, policy: str, seen: State, actions: Sequence[str]) -> int:
    """Return the index of the action of `first_listed` or of a policy of people. Raises ConfigurationError if it is not
    legal."""
    if policy == FIRST_LISTED:
        return 0
    action = answered("decide", rules.decide, policy, seen, actions)
    need(action in actions, f"decide('{policy}', {seen}): {action!r} is not one of {', '.join(actions)}")
    return actions.index(action)


@cache
def matchups_of_sets(objective: Objective) -> type[HiddenMatchups]:
    """Return the match format of an objective: HiddenMatchups with its words and unit."""
    value = value_column(f"what the row policy wins: {objective.words}", objective.unit)
    return derive_format(
        HiddenMatchups,
        f"Policies against one another: {objective.words}.",
        sets=sets_for_objective(objective),
        value=value,
    )
