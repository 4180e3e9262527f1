"""Enumerate every position that play reaches, as arrays, to check tables of decisions and to play games.

Only the interface of vocabulary/game.py is used. A state has the number of its row in the published table; afterstates
are numbered in order of discovery, and play begins in afterstate 0. Unlike the solver, the certifier asks about states
in random order, so that rules whose answers depend on earlier calls cannot mislead both.
"""

import random
import sys
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise, repeat
from operator import is_, length_hint
from typing import Any, NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.graph.states import Discovered, Listed, first_seen
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import ConfigurationError, Controller, DicebaseError, Game, State, in_one_line
from dicebase.vocabulary.arithmetic.numbering import Numbering
from dicebase.vocabulary.arithmetic.numbers import Numbers, keys_of_falls
from dicebase.vocabulary.contracts.board_contract import check_afterstate
from dicebase.vocabulary.contracts.conditions import need
from dicebase.vocabulary.kernels import kernel


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


Enumerated = tuple[Positions, np.ndarray, np.ndarray, list[str]]
"""Positions, the possible first afterstates, the number of each action's text, (A,), and the texts."""


def _enumerated(game: Game, states: Discovered | Listed, fail: Fail) -> Enumerated:
    """Ask the rules in batches. If `states` is a Discovered, states found on the way are added to it."""
    afterstates = Numbering(check_afterstate, states.numbering.count)
    names, choices, falls, ways = Numbers(), Numbers(), Numbers(), []
    begin, to, fall = array("q", [0]), array("i"), array("i")
    found: dict[int, _Asked] = {}  # by number of the batch's first state
    legal: list[bytes] = []  # for each tuple of actions, the numbers of their texts
    outcomes_of, actions_of, afterstate_of, movers_of = game.tuples, game.actions, game.afterstate, _movers_of(game)
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
                for place, (i, j) in first_seen([*zip(thrown, pairwise(ends), strict=True)], numbered, len(ways)):
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
            _check_texts(texts)
            together = [*map(choices.__getitem__, chosen)]
            legal += [array("i", map(names.__getitem__, new)).tobytes() for new in choices.since(len(legal))]
            action = np.frombuffer(b"".join(map(legal.__getitem__, together)), np.int32)
            least, known = bytes(map(is_, movers_of(some), repeat(Controller.MIN))), afterstates.count
            numbered = afterstates.numbers(reached := [*chain.from_iterable(after)])
            found[first] = _Asked(np.array([*map(len, chosen)], np.int64), action, numbered, least)
            thrown, asked = first_seen(reached, numbered, known), iter(())
    except ConfigurationError as error:
        fail(None, str(error))
    except (DicebaseError, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Name the state of the last question; if it was about an afterstate, name a state that leads there.
        at = order[len(order) - 1 - length_hint(asked)]
        state = _leading_to(len(fall) + at, found, states) if thrown else some[at]
        fail(state, f"the table has this state, for which the rules fail: {in_one_line(error)}")
    first, after, of, sense, action = _in_order([part for _, part in sorted(found.items())])
    arrays = (np.frombuffer(numbers, numbers.typecode) for numbers in (begin, to, fall))
    return Positions(first, after, of, *arrays, sense, ways), starts.astype(int), action, list(names)


def _in_order(parts: list[_Asked]) -> tuple[np.ndarray, ...]:
    """Return the arrays `first`, `after`, `of` and `sense` of Positions, and the number of each action's text, (A,),
    from the answers about all states, batch by batch."""
    counts, action, after = (np.concatenate([part[i] for part in parts]) for i in range(3))
    sense = 1 - 2 * np.frombuffer(b"".join(part.least for part in parts), np.int8)
    of = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    return np.concatenate([[0], np.cumsum(counts)]), after, of, sense, action


def _movers_of(game: Game) -> Callable[[list[State]], Iterable[Controller]]:
    """Return a function from states to their movers. Many games have only one mover, who is not asked for again."""
    if type(game).controller is not Game.controller:
        return partial(map, game.controller)
    one = game.controller(())
    return lambda states: repeat(one, len(states))


def _check_texts(texts: list[str]) -> None:
    """Raise ConfigurationError for an action that is not a str, or of a subclass of it."""
    if [*map(type, texts)].count(str) < len(texts):
        need(False, f"action {next(t for t in texts if type(t) is not str)!r:.80} is not a plain str of Python")


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
