"""The states of a game in batches, with their numbers: those of a table by row, or others in order of discovery."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published
from dicebase.vocabulary import Column, DicebaseError, Game, State
from dicebase.vocabulary.arithmetic.numbering import Numbering
from dicebase.vocabulary.contracts.board_contract import check_rolls, check_states

AT_ONCE = 500  # states per batch


class TooManyOutcomesError(DicebaseError):
    """Play has more outcomes than the caller of `discovered` allows."""


class Discovered:
    """The states of a game in order of discovery; looking up an unknown state adds it."""

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.found, self.asked = game, [None], 0
        self.left, self.most = most, most
        self.numbering = Numbering(lambda state: check_states([state], game.columns))
        self.numbering.numbers(self.found)

    def next(self) -> tuple[int, list[State]]:
        """Return the next batch of states as (number of its first state, states); it is empty at the end."""
        first, some = self.asked, self.some(self.asked)
        self.asked += len(some)
        return first, some

    def some(self, first: int) -> list[State]:
        """Return up to AT_ONCE states from number `first` on."""
        return self.found[first + 1 : first + 1 + AT_ONCE]

    def numbers(self, states: Sequence[State | None]) -> np.ndarray:
        """Return the number of each state, -1 for the end (None)."""
        self.left -= len(states)
        if self.left < 0:
            raise TooManyOutcomesError(f"has more than {self.most:,} outcomes")
        found = self.numbering.numbers(states)
        new = first_seen(states, found, len(self.found))
        if listed := [*filter(self.game.listed, new)]:  # others are of match formats, not of a rules file
            check_states([*map(self.game.row, listed)], self.game.columns)
        self.found += new
        return found - 1


class Listed:
    """The states of a table, numbered by row; looking up another state fails."""

    def __init__(self, columns: Sequence[Column], published: Published, fail: Fail) -> None:
        self.columns, self.published, self.fail = columns, published, fail
        for column, key in zip(columns, published.keys, strict=True):
            if column.name == "roll" and column.kind is str:
                check_rolls(column, {*key.tolist()})
        self.numbering = Numbering(lambda state: check_states([state], columns), published.count + 1)
        self.numbering.numbers([None])
        self.starts = [*range(0, published.count, AT_ONCE)]
        for first in self.starts:
            self.numbering.numbers(self.some(first))
        random.shuffle(self.starts)

    def next(self) -> tuple[int, list[State]]:
        """Return the next batch of states as (number of its first state, states); batches come in random order."""
        first = self.starts.pop() if self.starts else self.published.count
        return first, self.some(first)

    def some(self, first: int) -> list[State]:
        """Return up to AT_ONCE states from number `first` on."""
        return self.published.states_between(first, first + AT_ONCE)

    def numbers(self, states: Sequence[State | None]) -> np.ndarray:
        """Return the number of each state, -1 for the end (None)."""
        found = self.numbering.numbers(states, add=False) - 1
        if (found < -1).any():
            check_states([state := states[int(found.argmin())]], self.columns)
            self.fail(state, "play reaches this state, but the table does not have it")
        return found


def first_seen(things: Sequence[Any], numbers: Sequence[int], known: int) -> list[Any]:
    """Return the things numbered `known` or higher, each once."""
    before = np.maximum.accumulate(np.append(known - 1, numbers))[:-1]
    return [things[i] for i in np.flatnonzero(numbers > before).tolist()]
