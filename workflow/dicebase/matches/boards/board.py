"""All positions that play on a board can reach, with the value of each action."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar

from dicebase.vocabulary import (
    AnsweredBy,
    Board,
    Column,
    Game,
    Listing,
    Objective,
    Outcome,
    State,
    answered,
    value_column,
)


class BoardGame(Game):
    """The positions of a board for one of its objectives; see `for_objective`."""

    rules: Board
    tabulated_by = "boards.positions"
    answered_by = AnsweredBy("layers", ("layer",))
    words: ClassVar[str]  # the objective in words

    def __init__(self, rules: Board) -> None:
        self.rules, self.columns, self.unending = rules, tuple(map(stored_column, rules.columns)), rules.unending
        ends = "" if rules.unending is None else f"endless play pays {rules.unending}"
        share = "" if rules.discount == 1 else f"each decision multiplies later rewards by {rules.discount}"
        self.note = "; ".join(filter(None, (rules.note, ends, share)))

    # Use the rules' own methods without a wrapper, because they are called millions of times.
    start = property(lambda self: self.rules.chance.start)
    actions = property(lambda self: self.rules.actions)
    afterstate = property(lambda self: self.rules.afterstate)
    tuples = property(lambda self: self.rules.chance.outcomes)

    def outcomes(self, afterstate: Hashable) -> Iterable[Outcome]:
        return map(Outcome._make, self.tuples(afterstate))

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        if labels := self.rules.chance.labels(afterstate):
            return labels
        # Show the roll or, if there is none, the columns that differ between the positions.
        states = [outcome.state for outcome in self.outcomes(afterstate)]
        differ = [i for i in range(len(self.columns)) if len({s[i] for s in states if s}) > 1]
        rolls = [i for i, column in enumerate(self.columns) if column.name.startswith("roll")] or differ
        return ["-".join(str(s[i]) for i in rolls) if s else "end" for s in states] if len(states) > 1 else ()

    def why_missing(self, state: State) -> str:
        return answered("why_missing", self.rules.why_missing, state)


@dataclass(frozen=True)
class BoardListing(Listing):
    """A listing about a board under the published policy of its positions."""

    rules: Board

    positions: ClassVar[type[BoardGame]]  # the format of the positions

    @property
    def why_not_solved(self) -> str:
        """The reason why the listing is not made."""
        return "is not made for rules that state `unending`" if self.rules.unending is not None else ""

    @cached_property
    def game(self) -> BoardGame:
        """The board's positions."""
        return self.positions(self.rules)


def stored_column(column: Column) -> Column:
    """A column of a board as tables have it: a bool is 0 or 1, and the description gives the label and the words."""
    words = column.words or ({0: "no", 1: "yes"} if column.kind is bool else {})
    said = ": ".join(filter(None, (column.label, column.description)))
    said += f" ({', '.join(f'{int(n)} is {word}' for n, word in words.items())})" if words else ""
    return column._replace(kind=int if column.kind is bool else column.kind, description=said, words=words)


@cache
def for_objective(objective: Objective) -> type[BoardGame]:
    """Return the match format of an objective: BoardGame with its words, unit and sense."""
    words = f"the {'best' if objective.sense > 0 else 'least'} {objective.words}"
    value = value_column(f"{words}, from here on", objective.unit)
    return derive_format(BoardGame, f"T{words[1:]}.", words=words, sense=objective.sense, value=value)


def derive_format(base: type[Listing], doc: str, **said: Any) -> type[Listing]:
    """Derive a match format from another one by class attributes; `doc` is the first line of its description."""
    return type(base.__name__, (base,), {"__doc__": doc, "__module__": base.__module__} | said)
