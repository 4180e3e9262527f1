"""Every position that play reaches, as arrays: what a table of decisions is held against, and what games are played on.

They are enumerated by what vocabulary/game.py says of a game, and nothing else. A state has the number of its row in
the published table, an afterstate that of its discovery: play begins in afterstate 0.
"""

from array import array
from bisect import bisect
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, repeat
from operator import is_, length_hint
from typing import Any, NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.numbering import Numbering
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import Controller, DicebaseError, Game, State, in_one_line
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.lawful import need
from dicebase.vocabulary.numbers import Numbers

AT_ONCE = 500  # rows


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
        published.positions = _positions(game, published, fail)
    return published.positions


def discovered(game: Game, fail: Fail) -> Positions:
    """The positions of a game where no table has them, numbered as they are found."""
    return _enumerated(game, Discovered(), fail)[0]


class Discovered:
    """The states of a game in the order of their discovery: whoever asks for a new one has found it."""

    def __init__(self) -> None:
        self.numbering, self.found = Numbering(), [None]
        self.numbering.numbers(self.found)

    def some(self, first: int) -> list[State]:
        """AT_ONCE states from this number on, or as many as there are."""
        return self.found[first + 1 : first + 1 + AT_ONCE]

    def numbers(self, states: Sequence[State | None]) -> np.ndarray:
        """(states,), the number of each, -1 of the end."""
        found = self.numbering.numbers(states)
        self.found += _first_seen(states, found, len(self.found))
        return found - 1


class Listed:
    """The states of a table, each with the number of its row; fails at others, which play reaches as well."""

    def __init__(self, published: Published, fail: Fail) -> None:
        self.published, self.fail = published, fail
        self.numbering = Numbering(published.count + 1, _as_stored)
        self.numbering.numbers([None])
        for first in range(0, published.count, AT_ONCE):
            self.numbering.numbers(self.some(first))

    def some(self, first: int) -> list[State]:
        """As Discovered has them."""
        return self.published.states_between(first, first + AT_ONCE)

    def numbers(self, states: Sequence[State | None]) -> np.ndarray:
        """As Discovered has them."""
        found = self.numbering.numbers(states, add=False) - 1
        if (found < -1).any():
            state = states[int(found.argmin())]
            if not isinstance(state, tuple) or len(state) != len(self.published.keys):
                self.fail(None, f"play reaches {state!r:.80}, which is no state of {len(self.published.keys)} columns")
            self.fail(state, "play reaches this state, but the table does not have it")
        return found


def _as_stored(state: State | None) -> State | list | None:
    """A plain tuple of what columns hold; of other entries a list, which no table has."""
    if state is None or (isinstance(state, tuple) and {*map(type, state)} <= {int, str}):
        return state and tuple(state)
    return []


def _first_seen(things: Sequence[Any], numbers: np.ndarray, known: int) -> list[Any]:
    """Those that got a number when so many had one."""
    before = np.maximum.accumulate(np.append(known - 1, numbers))[:-1]
    return [things[i] for i in np.flatnonzero(numbers > before).tolist()]


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    """Of each row what the rules say; then, whether play leads there."""
    p, starts, action, names = _enumerated(game, Listed(published, fail), fail)
    count = published.count
    reached, fallen, todo = np.zeros(count, bool), np.zeros(len(p.fall), bool), np.empty(count, int)
    _reach(starts, p.first, p.after, p.begin, p.to, reached, fallen, todo)
    refuse(published.keys, fail, ~reached, "the table has this state, but no play reaches it")
    published.compare_actions(p.of, action, names, fail)
    return p


def _enumerated(
    game: Game, states: Discovered | Listed, fail: Fail
) -> tuple[Positions, np.ndarray, np.ndarray, list[str]]:
    """(the positions, the afterstates that play may begin in, the number of each action's text, these texts), many
    asked for together; states may become more on the way."""
    afterstates, names, choices, falls = Numbering(room=states.numbering.count), Numbers(), Numbers(), Numbers()
    begin, to, fall = array("q", [0]), array("i"), array("i")
    first, after, action, least = array("q", [0]), array("i"), array("i"), bytearray()
    legal: list[bytes] = []  # of the choices there are, the numbers of their actions
    outcomes_of, actions_of, afterstate_of, controller = game.tuples, game.actions, game.afterstate, game.controller
    one = Game.controller(game, ()) if type(game).controller is Game.controller else None  # who moves in every state
    some: list[State | None] = [None]
    thrown: list[Hashable] = []
    asked: Iterator[Any] = iter(())  # of what the rules are asked, one by one
    try:
        thrown = [*({game.start(): None} | dict.fromkeys(game.starts()))]
        starts = afterstates.numbers(thrown)
        while some:
            said: list[tuple] = []  # of all outcomes in turn: weight, state, reward, sign
            ends, asked = [0], iter(thrown)
            for afterstate in asked:
                said += outcomes_of(afterstate)
                ends.append(len(said))
            weights, ahead, rewards, signs = zip(*said, strict=True) if said else [()] * 4
            to.frombytes(states.numbers(ahead).tobytes())
            fall += array("i", [falls[weights[i:j] + rewards[i:j] + signs[i:j]] for i, j in pairwise(ends)])
            begin.frombytes((begin[-1] + np.array(ends[1:], np.int64)).tobytes())
            thrown, some = [], states.some(len(first) - 1)
            reached, chosen, asked = [], [], iter(some)
            for place in asked:
                actions = tuple(actions_of(place))
                for name in actions:  # a comprehension is a call
                    reached.append(afterstate_of(place, name))
                chosen.append(actions)
            together = [*map(choices.__getitem__, chosen)]
            legal += [array("i", map(names.__getitem__, new)).tobytes() for new in choices.since(len(legal))]
            action.frombytes(b"".join(map(legal.__getitem__, together)))
            first.frombytes((first[-1] + np.cumsum([*map(len, chosen)], dtype=np.int64)).tobytes())
            movers = repeat(one, len(some)) if one else map(controller, some)
            least += bytes(map(is_, movers, repeat(Controller.MIN)))
            known = afterstates.count
            numbered = afterstates.numbers(reached)
            after.frombytes(numbered.tobytes())
            thrown, asked = _first_seen(reached, numbered, known), iter(())
    except DicebaseError:
        raise
    except (Exception, SystemExit) as error:
        # Which one they were asked of last; where dice fall, a state that leads there.
        at = len(thrown or some) - 1 - length_hint(asked)
        if thrown:
            leads = np.flatnonzero(_array(after) == len(fall) + at)
            some, at = states.some(bisect(first, leads[0]) - 1) if len(leads) else [None], 0
        fail(some[at], f"the table has this state, of which the rules say {in_one_line(error)}")
    ways = [Fall(way[:n], way[n : 2 * n], way[2 * n :]) for way in falls for n in [len(way) // 3]]
    weights, rewards, signs = ({entry for way in ways for entry in way[i]} for i in range(3))
    need(all(type(weight) is int and weight > 0 for weight in weights), "outcomes: a weight is no whole number from 1")
    need(all(type(reward) in (int, Fraction) for reward in rewards), "outcomes: a reward is no rational")
    need(signs <= {1, -1}, "outcomes: a sign is not 1, or -1 for a change of roles")
    need(all(way.weights for way in ways), "outcomes: there is none")
    first, after, begin, to, fall = (_array(numbers) for numbers in (first, after, begin, to, fall))
    sense = 1 - 2 * np.frombuffer(least, np.int8)
    of = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
    return Positions(first, after, of, begin, to, fall, sense, ways), starts.astype(int), _array(action), list(names)


@kernel
def _reach(starts, first, after, begin, to, reached, fallen, todo):
    """Mark the states that play reaches from some afterstates; `todo` is room for as many states as there are."""
    found, done, k, last = 0, 0, 0, len(starts)
    while k < last or done < found:
        if k == last:
            k, last = first[todo[done]], first[todo[done] + 1]
            done += 1
            continue
        b = starts[k] if done == 0 else after[k]
        k += 1
        if fallen[b]:
            continue
        fallen[b] = True
        for o in range(begin[b], begin[b + 1]):
            if to[o] >= 0 and not reached[to[o]]:
                reached[to[o]], todo[found] = True, to[o]
                found += 1


def _array(numbers: array) -> np.ndarray:
    return np.frombuffer(numbers, numbers.typecode) if numbers else np.empty(0, numbers.typecode)
