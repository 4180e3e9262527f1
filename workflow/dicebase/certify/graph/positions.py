"""Enumerate every position that play reaches, as arrays, to check tables of decisions and to play games.

Only the interface of vocabulary/game.py is used. A state has the number of its row in the published table; afterstates
are numbered in order of discovery, and play begins in afterstate 0. Unlike the solver, the certifier asks about states
in random order, so that rules whose answers depend on earlier calls cannot mislead both.
"""

import random
import sys
from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise, repeat
from operator import is_, length_hint
from typing import Any, NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import Column, ConfigurationError, Controller, DicebaseError, Game, State, in_one_line
from dicebase.vocabulary.arithmetic.numbering import Numbering
from dicebase.vocabulary.arithmetic.numbers import Numbers, keys_of_falls
from dicebase.vocabulary.contracts.board_contract import check_afterstate, check_rolls, check_states
from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.kernels import kernel

AT_ONCE = 500  # states per batch


class TooManyOutcomesError(DicebaseError):
    """Play has more outcomes than the caller of `discovered` allows."""


class Fall(NamedTuple):
    """The distribution of outcomes of an afterstate, without the next states."""

    weights: tuple[int, ...]  # positive, of any size
    rewards: tuple[int | Fraction, ...]  # earned by MAX
    signs: tuple[int, ...]  # -1 if the players change roles


@dataclass(frozen=True)
class Positions:
    """A game as arrays: actions lead from states to afterstates, and outcomes from these to states or to the end.

    first : (states + 1,), the actions of state s are first[s] to first[s + 1] - 1.
    after, of : (actions,), the afterstate that each action leads to, and its state.
    begin : (afterstates + 1,), the outcomes of afterstate b are begin[b] to begin[b + 1] - 1.
    to : (outcomes,), the next state, or -1 at the end. fall : (afterstates,), the index of its distribution in `falls`.
    sense : (states,), 1 if MAX moves, -1 if MIN does.
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
        """Where each afterstate's distribution begins in the concatenation of all distributions, (afterstates,)."""
        return np.cumsum([0, *(len(fall.weights) for fall in self.falls)])[self.fall]


def positions_of(game: Game, published: Published, fail: Fail) -> Positions:
    """Return the positions of a game, enumerated once; fail unless states and actions are as published."""
    if published.positions is None:
        published.positions = _positions(game, published, fail)
    return published.positions


def discovered(game: Game, fail: Fail, most: int = sys.maxsize) -> tuple[Positions, list[State], list[str]]:
    """Return the positions, states and texts of the actions of a game without a table, numbered in order of discovery;
    raise TooManyOutcomesError if its afterstates have more than `most` outcomes."""
    states = Discovered(game, most)
    p, _, action, names = _enumerated(game, states, fail)
    return p, states.found[1:], [*map(names.__getitem__, action.tolist())]


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
        new = _first_seen(states, found, len(self.found))
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


def _checked(afterstate: Hashable, fall: Fall) -> Fall:
    """Return the fall; raise ConfigurationError if a weight, a reward or a sign is not allowed."""
    wrong = "" if fall.weights else "there is none"
    if {*map(type, fall.weights)} != {int} or min(fall.weights) <= 0:
        wrong = wrong or "a weight is not a whole number from 1"
    if not {*map(type, fall.rewards)} <= {int, bool, Fraction}:
        wrong = wrong or "a reward is not a whole number or Fraction"
    if {*map(type, fall.signs)} != {int} or not {*fall.signs} <= {1, -1}:
        wrong = wrong or "a sign is not 1, or -1 for a change of roles"
    if wrong:
        raise ConfigurationError(f"outcomes({afterstate!r:.80}): {wrong}")
    return fall


def _first_seen(things: Sequence[Any], numbers: Sequence[int], known: int) -> list[Any]:
    """Return the things numbered `known` or higher, each once."""
    before = np.maximum.accumulate(np.append(known - 1, numbers))[:-1]
    return [things[i] for i in np.flatnonzero(numbers > before).tolist()]


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    """Return the positions; fail unless their actions are the published ones."""
    p, action, names = listed(game, published, fail)
    published.compare_actions(p.of, action, names, fail)
    return p


def listed(game: Game, published: Published, fail: Fail) -> tuple[Positions, np.ndarray, list[str]]:
    """Return the positions of a table, the number of each action's text, and the texts; fail at a row that play never
    reaches."""
    p, starts, action, names = _enumerated(game, Listed(game.columns, published, fail), fail)
    count = published.count
    reached, fallen, todo = np.zeros(count, bool), np.zeros(len(p.fall), bool), np.empty(count, int)
    _reach(starts, p.first, p.after, p.begin, p.to, reached, fallen, todo)
    refuse(published.keys, fail, ~reached, "the table has this state, but no play reaches it")
    return p, action, names


class _Asked(NamedTuple):
    """Answers of the rules for one batch of states."""

    counts: np.ndarray  # (states,), number of actions
    action: np.ndarray  # (actions,), the number of each action's text
    after: np.ndarray  # (actions,)
    least: bytes  # (states,), whether MIN moves


def _enumerated(
    game: Game, states: Discovered | Listed, fail: Fail
) -> tuple[Positions, np.ndarray, np.ndarray, list[str]]:
    """Ask the rules in batches; return the positions, the possible first afterstates, the number of each action's text,
    and the texts. If `states` is a Discovered, states found on the way are added to it."""
    afterstates = Numbering(check_afterstate, states.numbering.count)
    names, choices, falls, ways = Numbers(), Numbers(), Numbers(), []
    begin, to, fall = array("q", [0]), array("i"), array("i")
    found: dict[int, _Asked] = {}  # by number of the batch's first state
    legal: list[bytes] = []  # for each tuple of actions, the numbers of their texts
    outcomes_of, actions_of, afterstate_of, controller = game.tuples, game.actions, game.afterstate, game.controller
    one = Game.controller(game, ()) if type(game).controller is Game.controller else None  # the only mover
    some: list[State | None] = [None]
    thrown: list[Hashable] = []
    order, asked = [0], iter(())  # indices in the order of asking
    last: tuple[str, ...] = ()
    try:
        thrown = [*({game.start(): None} | dict.fromkeys(game.starts()))]
        starts = afterstates.numbers(thrown)
        while some:
            outcomes: list[Any] = [()] * len(thrown)  # (weight, state, reward, sign)
            asked = iter(order := _shuffled(thrown))
            for i in asked:
                outcomes[i] = [*outcomes_of(thrown[i])]
            ends = np.cumsum([0, *map(len, outcomes)])
            weights, ahead, rewards, signs = zip(*chain.from_iterable(outcomes), strict=True) if ends[-1] else [()] * 4
            to.frombytes(states.numbers(ahead).tobytes())
            numbered = [*map(falls.__getitem__, keys_of_falls(ends.tolist(), weights, rewards, signs))]
            if len(falls) > len(ways):
                for place, (i, j) in _first_seen([*zip(thrown, pairwise(ends), strict=True)], numbered, len(ways)):
                    ways.append(_checked(place, Fall(weights[i:j], rewards[i:j], signs[i:j])))
            fall += array("i", numbered)
            begin.frombytes((begin[-1] + ends[1:]).tobytes())
            thrown, (first, some) = [], states.next()
            chosen: list[tuple[str, ...]] = [()] * len(some)
            after: list[list[Hashable]] = [[]] * len(some)
            texts: list[str] = []
            asked = iter(order := _shuffled(some))
            for i in asked:
                if (actions := tuple(actions_of(some[i]))) is not last:  # states often share one tuple
                    texts += (last := actions)
                chosen[i] = actions
                after[i] = [afterstate_of(some[i], name) for name in actions]
            if [*map(type, texts)].count(str) < len(texts):
                need(False, f"action {next(t for t in texts if type(t) is not str)!r:.80} is not a plain str of Python")
            together = [*map(choices.__getitem__, chosen)]
            legal += [array("i", map(names.__getitem__, new)).tobytes() for new in choices.since(len(legal))]
            action = np.frombuffer(b"".join(map(legal.__getitem__, together)), np.int32)
            movers = repeat(one, len(some)) if one else map(controller, some)
            least, known = bytes(map(is_, movers, repeat(Controller.MIN))), afterstates.count
            numbered = afterstates.numbers(reached := [*chain.from_iterable(after)])
            found[first] = _Asked(np.array([*map(len, chosen)], np.int64), action, numbered, least)
            thrown, asked = _first_seen(reached, numbered, known), iter(())
    except ConfigurationError as error:
        fail(None, str(error))
    except (DicebaseError, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Name the state of the last question; if it was about an afterstate, name a state that leads there.
        at = order[len(order) - 1 - length_hint(asked)]
        state = _leading_to(len(fall) + at, found, states) if thrown else some[at]
        fail(state, f"the table has this state, for which the rules fail: {in_one_line(error)}")
    begin, to, fall = (np.frombuffer(numbers, numbers.typecode) for numbers in (begin, to, fall))
    counts, action, after = (np.concatenate([part[i] for _, part in sorted(found.items())]) for i in range(3))
    sense = 1 - 2 * np.frombuffer(b"".join(part.least for _, part in sorted(found.items())), np.int8)
    of = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    first = np.concatenate([[0], np.cumsum(counts)])
    return Positions(first, after, of, begin, to, fall, sense, ways), starts.astype(int), action, list(names)


def _shuffled(things: Sequence) -> list[int]:
    """Return the indices of `things` in random order."""
    return random.sample(range(len(things)), len(things))


def _leading_to(afterstate: int, found: dict[int, _Asked], states: Discovered | Listed) -> State | None:
    """Return a state with an action that leads to this afterstate."""
    for first, asked in found.items():
        if len(leads := np.flatnonzero(asked.after == afterstate)):
            return states.some(first + int(np.searchsorted(np.cumsum(asked.counts), leads[0], "right")))[0]
    return None


@kernel
def _reach(starts, first, after, begin, to, reached, fallen, todo):
    """Mark, in `reached` (S,) and `fallen`, the states and afterstates that play reaches from the afterstates `starts`;
    `todo` (S,) is a work array."""
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
