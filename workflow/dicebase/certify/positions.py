"""Every position that play reaches, as arrays: what a table of decisions is held against, and what games are played on.

They are enumerated by what vocabulary/game.py says of a game, and nothing else. A state has the number of its row in
the published table, an afterstate that of its discovery: play begins in afterstate 0.
"""

from array import array
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dicebase.certify.chance import kernel
from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import Controller, DicebaseError, Game, State, in_one_line
from dicebase.vocabulary.lawful import need


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


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    """Of each row what the rules say; then, whether play leads there."""
    number: dict[State | None, int] = {state: row for row, state in enumerate(published.states)}
    number[None] = -1
    count = published.count
    afterstates: dict[Hashable, int] = {}
    names: dict[str, int] = {}
    legal: dict[tuple[str, ...], list[int]] = {}
    falls: dict[tuple, int] = {}
    begin, to, fall = array("q", [0]), array("i"), array("i")
    counts, after, action, sense = array("q"), array("i"), array("i"), array("b")
    outcomes_of, actions_of, afterstate_of, row_of = game.outcomes, game.actions, game.afterstate, number.__getitem__

    def add(afterstate: Hashable) -> int:
        found = afterstates[afterstate] = len(afterstates)
        weights, ahead, paid, signs = zip(*outcomes_of(afterstate), strict=True)
        try:
            to.extend(map(row_of, ahead))
        except KeyError:
            missing = next(state for state in ahead if state not in number)
            fail(missing, "play reaches this state, but the table does not have it")
        begin.append(len(to))
        fall.append(falls.setdefault((weights, paid, signs), len(falls)))
        return found

    place: State | None = None
    try:
        starts = [add(start) for start in {game.start(): None} | dict.fromkeys(game.starts())]
        for place in published.states:
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
        fail(place, f"the table has this state, of which the rules say {in_one_line(error)}")
    weights, rewards, signs = ({entry for way in falls for entry in way[i]} for i in range(3))
    need(all(type(weight) is int and weight > 0 for weight in weights), "outcomes: a weight is no whole number from 1")
    need(all(type(reward) in (int, Fraction) for reward in rewards), "outcomes: a reward is no rational")
    need(signs <= {1, -1}, "outcomes: a sign is not 1, or -1 for a change of roles")
    first = np.cumsum([0, *counts])
    of = np.repeat(np.arange(count, dtype=np.int32), counts)
    del published.states  # millions of tuples, made again if somebody asks
    arrays = first, _array(after), of, _array(begin), _array(to), _array(fall), _array(sense)
    reached, fallen, todo = np.zeros(count, bool), np.zeros(len(fall), bool), np.empty(count, int)
    _reach(np.array(starts), first, _array(after), _array(begin), _array(to), reached, fallen, todo)
    refuse(published.keys, fail, ~reached, "the table has this state, but no play reaches it")
    published.compare_actions(of, np.array(list(names), object)[_array(action)], fail)
    return Positions(*arrays, [Fall(*way) for way in falls])


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
