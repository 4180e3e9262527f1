"""Every position that play reaches, as arrays: what a table of decisions is held against, and what games are played on.

They are enumerated by what vocabulary/game.py says of a game, and nothing else. A state has the number of its row in
the published table, an afterstate that of its discovery: play begins in afterstate 0.

The rules are asked in random order: the solver asked them in the order of discovery, and rules that remember what they
were asked before would give both the same wrong answers.
"""

import random
from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise, repeat
from operator import is_, length_hint
from typing import Any, NamedTuple

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.numbering import Numbering
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import Column, ConfigurationError, Controller, DicebaseError, Game, State, in_one_line
from dicebase.vocabulary.board_contract import check_afterstate, check_rolls, check_states
from dicebase.vocabulary.conditions import need
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.numbers import Numbers, keys_of_falls

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


def discovered(game: Game, fail: Fail) -> tuple[Positions, list[State]]:
    """(the positions of a game where no table has them, numbered as they are found; their states)."""
    states = Discovered(game.columns)
    return _enumerated(game, states, fail)[0], states.found[1:]


class Discovered:
    """The states of a game in the order of their discovery: whoever asks for a new one has found it."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns, self.found, self.asked = columns, [None], 0
        self.numbering = Numbering(lambda state: check_states([state], columns))
        self.numbering.numbers(self.found)

    def next(self) -> tuple[int, list[State]]:
        """(the number of the first, states whose actions have not been asked for); none when there are no more."""
        first, some = self.asked, self.some(self.asked)
        self.asked += len(some)
        return first, some

    def some(self, first: int) -> list[State]:
        """AT_ONCE states from this number on, or as many as there are."""
        return self.found[first + 1 : first + 1 + AT_ONCE]

    def numbers(self, states: Sequence[State | None]) -> np.ndarray:
        """(states,), the number of each, -1 of the end."""
        found = self.numbering.numbers(states)
        if new := _first_seen(states, found, len(self.found)):
            check_states(new, self.columns)
        self.found += new
        return found - 1


class Listed:
    """The states of a table, each with the number of its row; fails at others that play reaches."""

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
        """As Discovered has it, in random order."""
        first = self.starts.pop() if self.starts else self.published.count
        return first, self.some(first)

    def some(self, first: int) -> list[State]:
        """As Discovered has them."""
        return self.published.states_between(first, first + AT_ONCE)

    def numbers(self, states: Sequence[State | None]) -> np.ndarray:
        """As Discovered has them."""
        found = self.numbering.numbers(states, add=False) - 1
        if (found < -1).any():
            check_states([state := states[int(found.argmin())]], self.columns)
            self.fail(state, "play reaches this state, but the table does not have it")
        return found


def _checked(afterstate: Hashable, fall: Fall) -> Fall:
    """Return the fall; raise ConfigurationError if a weight, a reward or a sign is not of its kind."""
    wrong = "" if fall.weights else "there is none"
    if {*map(type, fall.weights)} != {int} or min(fall.weights) <= 0:
        wrong = wrong or "a weight is not a whole number from 1"
    if not {*map(type, fall.rewards)} <= {int, Fraction}:
        wrong = wrong or "a reward is not a whole number or Fraction"
    if {*map(type, fall.signs)} != {int} or not {*fall.signs} <= {1, -1}:
        wrong = wrong or "a sign is not 1, or -1 for a change of roles"
    if wrong:
        raise ConfigurationError(f"outcomes({afterstate!r:.80}): {wrong}")
    return fall


def _first_seen(things: Sequence[Any], numbers: Sequence[int], known: int) -> list[Any]:
    """Those that got a number when so many had one."""
    before = np.maximum.accumulate(np.append(known - 1, numbers))[:-1]
    return [things[i] for i in np.flatnonzero(numbers > before).tolist()]


def _positions(game: Game, published: Published, fail: Fail) -> Positions:
    """The positions, which must have the published actions."""
    p, action, names = listed(game, published, fail)
    published.compare_actions(p.of, action, names, fail)
    return p


def listed(game: Game, published: Published, fail: Fail) -> tuple[Positions, np.ndarray, list[str]]:
    """(positions, the number of each action's text, these texts): what the rules say of each row; fails at a row that
    play does not reach."""
    p, starts, action, names = _enumerated(game, Listed(game.columns, published, fail), fail)
    count = published.count
    reached, fallen, todo = np.zeros(count, bool), np.zeros(len(p.fall), bool), np.empty(count, int)
    _reach(starts, p.first, p.after, p.begin, p.to, reached, fallen, todo)
    refuse(published.keys, fail, ~reached, "the table has this state, but no play reaches it")
    return p, action, names


class _Asked(NamedTuple):
    """What the rules say of some states that follow one another."""

    counts: np.ndarray  # (states,), of actions
    action: np.ndarray  # (actions,), the number of the text of each
    after: np.ndarray  # (actions,)
    least: bytes  # (states,), whether MIN moves


def _enumerated(
    game: Game, states: Discovered | Listed, fail: Fail
) -> tuple[Positions, np.ndarray, np.ndarray, list[str]]:
    """(the positions, the afterstates that play may begin in, the number of each action's text, these texts), many
    asked for together; states may become more on the way."""
    afterstates = Numbering(check_afterstate, states.numbering.count)
    names, choices, falls, ways = Numbers(), Numbers(), Numbers(), []
    begin, to, fall = array("q", [0]), array("i"), array("i")
    found: dict[int, _Asked] = {}  # by the number of the first state
    legal: list[bytes] = []  # of the choices there are, the numbers of their actions
    outcomes_of, actions_of, afterstate_of, controller = game.tuples, game.actions, game.afterstate, game.controller
    one = Game.controller(game, ()) if type(game).controller is Game.controller else None  # who moves in every state
    some: list[State | None] = [None]
    thrown: list[Hashable] = []
    order, asked = [0], iter(())  # of what the rules are asked, one by one
    last: tuple[str, ...] = ()
    try:
        thrown = [*({game.start(): None} | dict.fromkeys(game.starts()))]
        starts = afterstates.numbers(thrown)
        while some:
            outcomes: list[Any] = [()] * len(thrown)  # weight, state, reward, sign of each
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
                if (actions := tuple(actions_of(some[i]))) is not last:  # often the same tuple in many states
                    texts += (last := actions)
                chosen[i] = actions
                after[i] = [afterstate_of(some[i], name) for name in actions]
            if [*map(type, texts)].count(str) < len(texts):
                need(False, f"action {next(t for t in texts if type(t) is not str)!r:.80} is no text of Python's own")
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
        # Which one they were asked of last; where dice fall, a state that leads there.
        at = order[len(order) - 1 - length_hint(asked)]
        state = _leading_to(len(fall) + at, found, states) if thrown else some[at]
        fail(state, f"the table has this state, of which the rules say {in_one_line(error)}")
    begin, to, fall = (np.frombuffer(numbers, numbers.typecode) for numbers in (begin, to, fall))
    counts, action, after = (np.concatenate([part[i] for _, part in sorted(found.items())]) for i in range(3))
    sense = 1 - 2 * np.frombuffer(b"".join(part.least for _, part in sorted(found.items())), np.int8)
    of = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    first = np.concatenate([[0], np.cumsum(counts)])
    return Positions(first, after, of, begin, to, fall, sense, ways), starts.astype(int), action, list(names)


def _shuffled(things: Sequence) -> list[int]:
    """Their places in random order."""
    return random.sample(range(len(things)), len(things))


def _leading_to(afterstate: int, found: dict[int, _Asked], states: Discovered | Listed) -> State | None:
    """A state with an action that leads to an afterstate of this number."""
    for first, asked in found.items():
        if len(leads := np.flatnonzero(asked.after == afterstate)):
            return states.some(first + int(np.searchsorted(np.cumsum(asked.counts), leads[0], "right")))[0]
    return None


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
