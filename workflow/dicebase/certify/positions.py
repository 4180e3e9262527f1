"""Every position that play reaches, as arrays: what a table of decisions is held against, and what games are played on.

They are enumerated by what vocabulary/game.py says of a game, and nothing else. A state has the number of its row in
the published table, an afterstate that of its discovery: play begins in afterstate 0.
"""

from array import array
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, check_keys
from dicebase.vocabulary import Controller, Game, State


@dataclass(frozen=True)
class Positions:
    """A game as arrays: states lead by actions to afterstates, and these by outcomes to states, or to the end.

    first : (states + 1,), the actions of state s are those from first[s] to first[s + 1].
    after : (actions,), the afterstate of each; `of` is its state.
    begin : (afterstates + 1,), the outcomes of afterstate b are those from begin[b] to begin[b + 1].
    die : (afterstates,), which of `dice` falls: the weights of its outcomes, positive integers of any size.
    to : (outcomes,), the next state, or -1. reward : which of `rewards` is paid to MAX on the way.
    sign : (outcomes,), -1 where the players change roles.
    sense : (states,), 1 where MAX moves, -1 where MIN does.
    """

    first: np.ndarray
    after: np.ndarray
    of: np.ndarray
    begin: np.ndarray
    die: np.ndarray
    to: np.ndarray
    reward: np.ndarray
    sign: np.ndarray
    sense: np.ndarray
    dice: list[tuple[int, ...]]
    rewards: list[int | Fraction]


def positions_of(game: Game, published: Published, fail: Fail) -> Positions:
    """The positions of a game, which must be those of the published table, with the same actions; enumerated once."""
    if published.positions is None:
        published.positions = _positions(game, published, fail)
    return published.positions


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    number: dict[State, int] = {}
    afterstates: dict[Hashable, int] = {}
    names: dict[str, int] = {}
    dice: dict[tuple[int, ...], int] = {}
    rewards: dict[int | Fraction, int] = {}
    states: list[State] = []
    begin, die, to, reward, sign = array("q", [0]), array("i"), array("i"), array("i"), array("b")
    counts, after, action, sense = array("q"), array("i"), array("i"), array("b")
    missing = "play reaches this state, but the table does not have it"

    def fall(afterstate: Hashable) -> int:
        found = afterstates[afterstate] = len(afterstates)
        weights = []
        for weight, state, paid, changed in game.outcomes(afterstate):
            weights.append(weight)
            if state is None:
                to.append(-1)
            else:
                if (there := number.get(state)) is None:
                    there = number[state] = len(states)
                    states.append(state)
                to.append(there)
            reward.append(rewards.setdefault(paid, len(rewards)))
            sign.append(changed)
        begin.append(len(to))
        die.append(dice.setdefault(tuple(weights), len(dice)))
        if len(states) > published.count:  # there may be no end of them
            check_keys(published, {*states, *published.states}, fail, missing)
        return found

    for start in {game.start(): None} | dict.fromkeys(game.starts()):
        fall(start)
    for state in states:  # more of them as play goes on
        for name in (actions := game.actions(state)):
            afterstate = game.afterstate(state, name)
            there = afterstates.get(afterstate)
            after.append(fall(afterstate) if there is None else there)
            action.append(names.setdefault(name, len(names)))
        counts.append(len(actions))
        sense.append(-1 if game.controller(state) is Controller.MIN else 1)
    keys = [np.array(column) for column in zip(*states, strict=True)]
    order = np.lexsort(keys[::-1]) if keys else np.arange(len(states))
    theirs = published.keys
    if len(order) != published.count or any(
        (one[order] != other).any() for one, other in zip(keys, theirs, strict=True)
    ):
        check_keys(published, states, fail, missing, "the table has this state, but no play reaches it")
    # From the order of discovery to that of the rows.
    row = np.empty(len(order) + 1, np.int32)
    row[order], row[-1] = np.arange(len(order)), -1
    counted = _array(counts)
    first = np.cumsum([0, *counted[order]])
    of = np.repeat(np.arange(len(order)), counted[order])
    acts = (np.cumsum(counted) - counted)[order][of] + np.arange(len(of)) - first[of]
    published.compare_actions(of, np.array(list(names), object)[_array(action)[acts]], fail)
    return Positions(
        first, _array(after)[acts], of, _array(begin), _array(die), row[_array(to)], _array(reward), _array(sign),
        _array(sense)[order], list(dice), list(rewards),
    )  # fmt: skip


def _array(numbers: array) -> np.ndarray:
    return np.frombuffer(numbers, numbers.typecode) if numbers else np.empty(0, numbers.typecode)
