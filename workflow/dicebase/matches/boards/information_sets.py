"""The information sets of a game of hidden information, with an equilibrium strategy of each player."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from typing import ClassVar

from dicebase.matches.boards.board import derive_format
from dicebase.vocabulary import Column, Controller, Game, Hidden, Objective, Outcome, State, answered, value_column


class InformationSets(Game):
    """The information sets of a game for one of its objectives; see `sets_for_objective`.

    As a game it is the whole position that play follows, seen by the mover; `row` is the part that the mover sees.
    """

    rules: Hidden
    tabulated_by, certified_by = "hidden.information_sets", "hidden.information_sets"
    words: ClassVar[str]
    hides = True
    more = (
        Column("reached", bool, "whether chance and the opponent's strategy lead here; if not, no value is claimed"),
    )
    rules_of_play = (
        "The table has an equilibrium: a strategy of each player that loses the least against every reply. Values and "
        "regrets hold against the other strategy of the table."
    )
    note = (
        "one equilibrium of possibly many: an extreme point that the simplex method finds, or in large games nearly "
        "one, the average of regret matching. If a strategy avoids a set, it plays a best response there; if the "
        "opponent's avoids it, value and regret are 0 and claim nothing, and the actions are those that make the "
        "opponent avoid it, or equally likely if both strategies do. The error bound is the gap: the sum of what best "
        "responses gain against both strategies"
    )

    def __init__(self, rules: Hidden) -> None:
        self.rules = rules
        self.columns = self.record_columns = (
            Column("player", int, "the player who decides: 1 moves first"),
            *rules.columns,
        )
        self.note = "; ".join(filter(None, (rules.note, type(self).note)))

    def start(self) -> Hashable:
        return 1, self.rules.chance.start()

    def controller(self, state: State) -> Controller:
        return Controller.MAX

    def actions(self, state: Hashable) -> Sequence[str]:
        return self.rules.actions(state)

    def afterstate(self, state: Hashable, action: str) -> Hashable:
        return self._role(state), self.rules.afterstate(state, action)

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        role, after = afterstate
        for weight, state, reward, _ in self.rules.chance.outcomes(after):
            yield Outcome(weight, state, role * reward, 1 if state is None else role * self._role(state))

    def row(self, state: Hashable) -> State:
        return self.rules.mover(state), *self.rules.seen(state)

    def _role(self, state: Hashable) -> int:
        return 3 - 2 * self.rules.mover(state)

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        return self.rules.chance.labels(afterstate[1])

    def why_missing(self, state: State) -> str:
        return answered("why_missing", self.rules.why_missing, state)


@cache
def sets_for_objective(objective: Objective) -> type[InformationSets]:
    """Return the match format of an objective: InformationSets with its words and unit."""
    words = f"the best {objective.words} of the player who decides"
    value = value_column(f"{words}, given this information, against the table's strategy", objective.unit)
    return derive_format(InformationSets, f"Strategies for {words}.", words=words, value=value)
