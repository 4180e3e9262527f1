"""Every position that play reaches, as arrays: what a table of decisions is held against, and what games are played on.

They are enumerated by what vocabulary/game.py says of a game, and nothing else. A state has the number of its row in
the published table, an afterstate that of its discovery: play begins in afterstate 0.
"""

import gc
from array import array
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import CertificationError, Published, check_keys
from dicebase.vocabulary import Controller, DicebaseError, Game, State
from dicebase.vocabulary.lawful import need

UNKNOWN = -2


class Fall(NamedTuple):
    """A way in which dice fall, outcome by outcome."""

    weights: tuple[int, ...]  # positive, of any size
    rewards: tuple[int | Fraction, ...]  # paid to MAX on the way
    signs: tuple[int, ...]  # -1 where the players change roles


@dataclass(frozen=True)
class Positions:
    """A game as arrays: states lead by actions to afterstates, and these by outcomes to states, or to the end.

    first : (states + 1,), the actions of state s are those from first[s] to first[s + 1].
    after : (actions,), the afterstate of each; `of` is its state.
    begin : (afterstates + 1,), the outcomes of afterstate b are those from begin[b] to begin[b + 1].
    to : (outcomes,), the next state, or -1. fall : (afterstates,), which of `falls` its outcomes are.
    sense : (states,), 1 where MAX moves, -1 where MIN does.
    """

    first: np.ndarray
    after: np.ndarray
    of: np.ndarray
    begin: np.ndarray
    to: np.ndarray
    fall: np.ndarray
    sense: np.ndarray
    falls: list[Fall]

    @property
    def falls_at(self) -> np.ndarray:
        """(afterstates,), where its fall begins in a list of all."""
        return np.cumsum([0, *(len(fall.weights) for fall in self.falls)])[self.fall]


def positions_of(game: Game, published: Published, fail: Fail) -> Positions:
    """The positions of a game, which must be those of the published table, with the same actions; enumerated once."""
    if published.positions is None:
        collects = gc.isenabled()
        gc.disable()  # of millions of tuples none is in a cycle
        try:
            published.positions = _positions(game, published, fail)
        finally:
            if collects:
                gc.enable()
    return published.positions


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    number: dict[State | None, int] = {None: -1}
    afterstates: dict[Hashable, int] = {}
    names: dict[str, int] = {}
    legal: dict[tuple[str, ...], list[int]] = {}
    falls: dict[tuple, int] = {}
    states: list[State] = []
    begin, to, fall = array("q", [0]), array("i"), array("i")
    counts, after, action, sense = array("q"), array("i"), array("i"), array("b")
    missing = "play reaches this state, but the table does not have it"
    outcomes_of, actions_of, afterstate_of = game.outcomes, game.actions, game.afterstate

    def add(afterstate: Hashable) -> int:
        found = afterstates[afterstate] = len(afterstates)
        weights, ahead, paid, signs = zip(*outcomes_of(afterstate), strict=True)
        there = [*map(number.get, ahead, repeat(UNKNOWN))]
        while UNKNOWN in there:
            i = there.index(UNKNOWN)
            if ahead[i] not in number:
                number[ahead[i]] = len(states)
                states.append(ahead[i])
            there[i] = number[ahead[i]]
        to.extend(there)
        begin.append(len(to))
        fall.append(falls.setdefault((weights, paid, signs), len(falls)))
        if len(states) > published.count:  # there may be no end of them
            check_keys(published, {*states, *published.states}, fail, missing)
        return found

    place: State | None = None
    try:
        for start in {game.start(): None} | dict.fromkeys(game.starts()):
            add(start)
        for place in states:  # more of them as play goes on
            if (numbers := legal.get(actions := tuple(actions_of(place)))) is None:
                numbers = legal[actions] = [names.setdefault(name, len(names)) for name in actions]
            action.extend(numbers)
            for name in actions:
                there = afterstates.get(afterstate := afterstate_of(place, name))
                after.append(add(afterstate) if there is None else there)
            counts.append(len(actions))
            sense.append(-1 if game.controller(place) is Controller.MIN else 1)
    except DicebaseError:
        raise
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise CertificationError(f"the rules fail in position {place!r:.80}: {said}") from error
    weights, rewards, signs = ({entry for way in falls for entry in way[i]} for i in range(3))
    need(all(type(weight) is int and weight > 0 for weight in weights), "outcomes: a weight is no whole number from 1")
    need(all(type(reward) in (int, Fraction) for reward in rewards), "outcomes: a reward is no rational")
    need(signs <= {1, -1}, "outcomes: a sign is not 1, or -1 for a change of roles")
    number.clear()
    afterstates.clear()
    keys = [_column(map(itemgetter(i), states), key) for i, key in enumerate(published.keys)]
    order = np.lexsort(keys[::-1]) if keys else np.arange(len(states))
    if len(order) != published.count or any(
        (key[order] != theirs).any() for key, theirs in zip(keys, published.keys, strict=True)
    ):
        check_keys(published, states, fail, missing, "the table has this state, but no play reaches it")
    states.clear()
    # From the order of discovery to that of the rows.
    row = np.empty(len(order) + 1, np.int32)
    row[order], row[-1] = np.arange(len(order)), -1
    counted = _array(counts)
    first = np.cumsum([0, *counted[order]])
    of = np.repeat(np.arange(len(order), dtype=np.int32), counted[order])
    acts = (np.cumsum(counted) - counted)[order][of] + np.arange(len(of)) - first[of]
    published.compare_actions(of, np.array(list(names), object)[_array(action)[acts]], fail)
    return Positions(
        first, _array(after)[acts], of, _array(begin), row[_array(to)], _array(fall), _array(sense)[order],
        [Fall(*way) for way in falls],
    )  # fmt: skip


def _array(numbers: array) -> np.ndarray:
    return np.frombuffer(numbers, numbers.typecode) if numbers else np.empty(0, numbers.typecode)


def _column(entries: Iterable[int | str], theirs: np.ndarray) -> np.ndarray:
    """A column of states: whole numbers, or texts."""
    if theirs.dtype != object:
        return np.fromiter(entries, np.int64)
    return np.array([*entries], object)
