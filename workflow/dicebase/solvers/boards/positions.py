"""Enumerate every position of a board that play can reach, as flat arrays in order of discovery."""

from array import array
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, pairwise
from operator import sub
from typing import Any, NamedTuple

import numpy as np

from dicebase.vocabulary import Board, ConfigurationError, State, in_one_line
from dicebase.vocabulary.arithmetic.components import solving_order
from dicebase.vocabulary.arithmetic.numbering import Numbering
from dicebase.vocabulary.arithmetic.numbers import Numbers, keys_of_falls
from dicebase.vocabulary.contracts.board_contract import (
    check_actions,
    check_afterstate,
    check_states,
    checked_moves,
    checked_outcomes,
    too_many,
)
from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.progress import reporter
from dicebase.vocabulary.rules.chance import check_fall

FEW = 100  # if an afterstate has more outcomes, equal ones are merged
AT_ONCE = 500  # positions per batch; larger batches would not stay in the cache


class Step(NamedTuple):
    """One step of play: actions lead from states to afterstates, and outcomes from these to states or to the end.

    first : (S + 1,), the actions of state s are first[s] to first[s + 1] - 1.
    after : (A,), the afterstate of each action.
    begin : (B + 1,), the outcomes of afterstate b are begin[b] to begin[b + 1] - 1; play begins in afterstate 0.
    to : (O,), the next state, or -1 at the end.
    fall : (B,), the index at which an afterstate's entries begin in the next three arrays.
    chance, reward, sign : the probability of each outcome, the mover's reward, and -1 if players change roles, else 1.
    """

    first: np.ndarray
    after: np.ndarray
    begin: np.ndarray
    to: np.ndarray
    fall: np.ndarray
    chance: np.ndarray
    reward: np.ndarray
    sign: np.ndarray


@dataclass(frozen=True)
class Positions:
    """All S positions of a board; `names` are the texts of actions, and `action`, (A,), is the number of each text."""

    states: Sequence[State]
    names: list[str]
    action: np.ndarray
    step: Step

    def columns(self) -> list[np.ndarray]:
        """Return the columns of all states, each (S,)."""
        parts = (self.states[first : first + AT_ONCE] for first in range(0, len(self.states), AT_ONCE))
        # Whole numbers of states fit in 32 bits.
        kinds = [np.int32 if type(entry) is int else None for entry in self.states[0]]
        columns = ([*map(np.array, zip(*part, strict=True), kinds)] for part in parts)
        return [*map(np.concatenate, zip(*columns, strict=True))]

    @cached_property
    def order(self) -> tuple[np.ndarray, np.ndarray]:
        """The states, component by component, each after all its successors, and the end of each component."""
        order, ends = solving_order(self.step)
        if len(ends) < len(order):  # in a component, states discovered later come first: they are usually later in play
            order = order[np.lexsort((-order, np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))))]
        return order, ends


def positions_of(rules: Board) -> Positions:
    """Enumerate a board; raise ConfigurationError if the rules are invalid or have too many positions. The rules are
    called for one position at a time; their answers are numbered and checked in batches."""
    columns, report, flat, names = rules.columns, reporter("position"), chain.from_iterable, Numbers()
    states, afterstates = Numbering(lambda state: check_states([state], columns)), Numbering(check_afterstate)
    legal: dict[tuple[str, ...], list[int]] = {}  # for each tuple of actions, the numbers of their texts
    first, action, after, begin, to, fall = (array(kind) for kind in "qiiqiq")
    chances = rules.chance
    falls = _Falls(chances.most)
    actions_of, afterstate_of, outcomes_of = rules.actions, rules.afterstate, chances.outcomes
    first.append(0)
    begin.append(0)
    thrown: list[Hashable] = []
    place: Any = "start"
    try:
        thrown.append(chances.start())
        afterstates.numbers(thrown)
        while thrown or len(first) <= len(states):
            said, ends = [], [0]  # weight, state, reward and sign, outcome by outcome
            for place in thrown:
                said += flat(outcomes_of(place))
                ends.append(len(said) // 4)
            known, goes_on = len(states), np.array([state is not None for state in said[1::4]], bool)
            ahead = np.full(ends[-1], -1, np.int32)
            ahead[goes_on] = states.numbers([*compress(said[1::4], goes_on)])
            if len(states) > known:
                check_states(states[known:], columns)
            fallen_by = said[::4], said[2::4], said[3::4]
            if max(map(sub, ends[1:], ends), default=0) > FEW:
                ahead, ends, fallen_by = _merged(thrown, ahead.tolist(), ends, fallen_by, chances.most)
            to.frombytes(np.asarray(ahead, np.int32).tobytes())
            begin.extend([begin[-1] + end for end in ends[1:]])
            fall.extend(falls.numbers(thrown, ends, fallen_by))
            done, reached = len(first) - 1, []
            for place in states[done : done + AT_ONCE]:
                if (numbers := legal.get(actions := tuple(asked := actions_of(place)))) is None:
                    check_actions(place, asked)
                    numbers = legal[actions] = [names[name] for name in actions]
                action.extend(numbers)
                for name in actions:
                    reached.append(afterstate_of(place, name))
                first.append(len(action))
            known = len(afterstates)
            after.frombytes(afterstates.numbers(reached).tobytes())
            thrown = afterstates[known:]
            report(done, len(states))
            if len(states) > rules.most_positions:
                raise ConfigurationError(too_many(rules, len(after) / len(first)))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        _name_the_fault(rules, thrown, states[max(0, len(first) - AT_ONCE) :])
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(f"the rules fail in position {place!r:.80}: {in_one_line(error)}") from error
    need(len(states) > 0, "start: play ends before anything is decided")
    arrays = (action, first, after, begin, to, fall, *falls.columns)
    chosen, *step = (np.frombuffer(numbers, numbers.typecode) for numbers in arrays)
    return Positions(states, list(names), chosen, Step(*step))


class _Falls:
    """Different distributions of outcomes, one after the other; `columns` are probabilities, rewards and signs."""

    def __init__(self, most: float) -> None:
        self.most, self.begins = most, dict[Hashable, int]()
        self.columns = array("d"), array("d"), array("d")

    def numbers(self, thrown: list[Hashable], ends: list[int], fallen_by: tuple[list, list, list]) -> Iterator[int]:
        """Yield the index where the distribution of each afterstate in `thrown` begins; add those that are new.

        ends : where each afterstate's outcomes end in the lists of `fallen_by`, weights, rewards and signs.
        """
        for place, (i, j), key in zip(thrown, pairwise(ends), keys_of_falls(ends, *fallen_by), strict=True):
            if (begin := self.begins.get(key)) is None:
                weights, rewards, signs = (column[i:j] for column in fallen_by)
                check_fall(place, weights, rewards, signs, self.most)
                begin, total = len(self.columns[0]), sum(weights)
                self.begins[key] = begin
                chances = [weight / total for weight in weights]
                for column, numbers in zip(self.columns, (chances, rewards, signs), strict=True):
                    column.extend(map(float, numbers))
            yield begin


def _name_the_fault(rules: Board, thrown: Sequence[Hashable], states: Sequence[State]) -> None:
    """Ask for each position of a batch again, because batches are checked together. Raises ConfigurationError, which
    names the position, if the rules are invalid there."""
    for afterstate in thrown:
        checked_outcomes(rules, afterstate)
    for state in states:
        checked_moves(rules, state)


def _merged(
    thrown: list[Hashable], ahead: list[int], ends: list[int], fallen_by: tuple[list, list, list], most: float
) -> tuple[list[int], list[int], tuple[list, list, list]]:
    """Add up the weights of equal outcomes of each afterstate, because long sums have more rounding errors.

    Returns the next states, the index at which each afterstate's outcomes end, and (weights, rewards, signs).
    """
    states, until, merged = [], [0], ([], [], [])
    for place, (i, j) in zip(thrown, pairwise(ends), strict=True):
        check_fall(place, *(column[i:j] for column in fallen_by), most)
        together: dict[tuple, int] = {}
        for weight, *outcome in zip(*(column[i:j] for column in (fallen_by[0], ahead, *fallen_by[1:])), strict=True):
            together[*outcome] = together.get((*outcome,), 0) + weight
        for column, entries in zip((states, *merged[1:]), zip(*together, strict=True), strict=False):
            column += entries
        merged[0].extend(together.values())
        until.append(len(states))
    return states, until, merged
