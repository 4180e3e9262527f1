"""Every position that play reaches, as arrays: what a table of decisions is held against, and what games are played on.

They are enumerated by what vocabulary/game.py says of a game, and nothing else. A state has the number of its row in
the published table, an afterstate that of its discovery: play begins in afterstate 0.
"""

from array import array
from bisect import bisect
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, pairwise, repeat
from operator import is_
from typing import Any, NamedTuple

import numpy as np

from dicebase.certify.chance import kernel
from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import Controller, DicebaseError, Game, State, in_one_line
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
    number = Discovered()
    return _enumerated(game, number, number.states, fail)[0]


class Discovered(dict[State | None, int]):
    """The numbers of states in the order of their discovery: whoever asks for a new one has found it."""

    def __init__(self) -> None:
        super().__init__({None: -1})
        self.states: list[State] = []

    def __missing__(self, state: State) -> int:
        found = self[state] = len(self.states)
        self.states.append(state)
        return found


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    """Of each row what the rules say; then, whether play leads there."""
    states, count = published.states, published.count
    rows: dict[State | None, int] = dict(zip(states, range(count), strict=True))
    rows[None] = -1
    p, starts, action, names = _enumerated(game, rows, states, fail)
    del published.states, states, rows  # millions of tuples, made again if somebody asks
    reached, fallen, todo = np.zeros(count, bool), np.zeros(len(p.fall), bool), np.empty(count, int)
    _reach(np.array(starts), p.first, p.after, p.begin, p.to, reached, fallen, todo)
    refuse(published.keys, fail, ~reached, "the table has this state, but no play reaches it")
    published.compare_actions(p.of, action, names, fail)
    return p


def _enumerated(
    game: Game, rows: dict[State | None, int], states: Sequence[State], fail: Fail
) -> tuple[Positions, list[int], np.ndarray, list[str]]:
    """(the positions, the afterstates that play may begin in, the number of each action's text, these texts) of
    numbered states, many of them together; they may become more on the way."""
    afterstates, names, falls = Numbers(), Numbers(), Numbers()
    begin, to, fall = array("q", [0]), array("i"), array("i")
    first, after, action, least = array("q", [0]), array("i"), array("i"), bytearray()
    legal: dict[tuple[str, ...], list[int]] = {}  # the numbers of actions that come together
    outcomes_of, actions_of, afterstate_of, controller = game.tuples, game.actions, game.afterstate, game.controller
    place: State | None = None
    thrown: list[Hashable] = []
    said: list[Any] = []  # of all outcomes in turn: weight, state, reward, sign
    try:
        starts = [afterstates[start] for start in {game.start(): None} | dict.fromkeys(game.starts())]
        thrown = afterstates.since(0)
        some, done = [None], 0
        while some:
            said, ends = [], [0]
            for afterstate in thrown:
                said += chain.from_iterable(outcomes_of(afterstate))
                ends.append(len(said))
            begin.frombytes((begin[-1] + np.array(ends[1:], np.int64) // 4).tobytes())
            ahead, said[1::4] = said[1::4], repeat(None, len(said) // 4)
            try:
                to.frombytes(np.fromiter(map(rows.__getitem__, ahead), np.int32, len(ahead)).tobytes())
            except KeyError:
                missing = next(state for state in ahead if state not in rows)
                fail(missing, "play reaches this state, but the table does not have it")
            fall += array("i", [falls[tuple(said[i:j])] for i, j in pairwise(ends)])
            reached, chosen, thrown = [], [], []
            some = states[done : done + AT_ONCE]
            for place in some:
                actions = tuple(actions_of(place))
                reached += [afterstate_of(place, name) for name in actions]
                chosen.append(actions)
            legal |= {actions: [*map(names.__getitem__, actions)] for actions in {*chosen} if actions not in legal}
            action += array("i", [*chain.from_iterable(map(legal.__getitem__, chosen))])
            first += array("q", [*accumulate(map(len, chosen), initial=first.pop())])
            least += bytes(map(is_, map(controller, some), repeat(Controller.MIN)))
            known = len(afterstates)
            after.frombytes(np.fromiter(map(afterstates.__getitem__, reached), np.int32, len(reached)).tobytes())
            thrown, done = afterstates.since(known), done + len(some)
    except DicebaseError:
        raise
    except (Exception, SystemExit) as error:
        if len(ends) <= len(thrown):  # not of the last state that was asked of, but where dice fall
            leads = np.flatnonzero(_array(after) == afterstates[thrown[len(ends) - 1]])
            place = states[bisect(first, leads[0]) - 1] if len(leads) else None
        fail(place, f"the table has this state, of which the rules say {in_one_line(error)}")
    ways = [Fall(way[0::4], way[2::4], way[3::4]) for way in falls]
    weights, rewards, signs = ({entry for way in ways for entry in way[i]} for i in range(3))
    need(all(type(weight) is int and weight > 0 for weight in weights), "outcomes: a weight is no whole number from 1")
    need(all(type(reward) in (int, Fraction) for reward in rewards), "outcomes: a reward is no rational")
    need(signs <= {1, -1}, "outcomes: a sign is not 1, or -1 for a change of roles")
    need(all(way.weights for way in ways), "outcomes: there is none")
    first, after, begin, to, fall = (_array(numbers) for numbers in (first, after, begin, to, fall))
    sense = 1 - 2 * np.frombuffer(least, np.int8)
    of = np.repeat(np.arange(len(sense), dtype=np.int32), np.diff(first))
    return Positions(first, after, of, begin, to, fall, sense, ways), starts, _array(action), list(names)


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
