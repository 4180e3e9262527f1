"""Every position of a board that play can reach, as flat arrays, in the order of their discovery."""

from array import array
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

import numpy as np

from dicebase.vocabulary import Board, ConfigurationError, State, in_one_line
from dicebase.vocabulary.lawful import need
from dicebase.vocabulary.laws_of_boards import check_actions, check_entries, check_fall, check_state, too_many
from dicebase.vocabulary.progress import reporter

NEW = -2  # instead of a number
LOOK = 2**16 - 1  # positions between two looks at how many there are


class Step(NamedTuple):
    """One step of play: states lead by actions to afterstates, and these by outcomes to states, or to the end.

    first : (S + 1,), the actions of state s are first[s] to first[s + 1] - 1.
    after : (A,), the afterstate that each leads to.
    begin : (B + 1,), the outcomes of afterstate b are begin[b] to begin[b + 1] - 1; play begins in afterstate 0.
    to : (O,), the next state, or -1.
    fall : (B,), where the following say how its dice fall: chance, the probability of each outcome; reward, paid to the
    mover; sign, -1 where the players change roles.
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
    """All positions of a board.

    states : S of them. names : the texts of actions. action : (A,), which of them each is.
    """

    states: list[State]
    names: list[str]
    action: np.ndarray
    step: Step


def positions_of(rules: Board) -> Positions:
    """Enumerate a board; raises ConfigurationError where rules break what binds them, or have too many positions."""
    kinds, report = tuple(c.kind for c in rules.columns), reporter("position")
    states: list[State] = []
    number: dict[State | None, int] = {None: -1}
    afterstates: dict[Hashable, int] = {}
    legal: dict[tuple[str, ...], list[int]] = {}  # the numbers of actions that come together
    names: dict[str, int] = {}
    falls: dict[tuple, int] = {}  # the ways in which dice fall, with where each begins
    first, action, after, begin, to, fall = (array(kind) for kind in "qiiqiq")
    actions_of, afterstate_of, outcomes_of = rules.actions, rules.afterstate, rules.outcomes
    first.append(0)
    begin.append(0)
    chance, reward, sign = array("d"), array("d"), array("d")

    def reach(afterstate: Hashable) -> int:
        found = afterstates[afterstate] = len(afterstates)
        if not (outcomes := [*zip(*outcomes_of(afterstate), strict=True)]):
            raise ConfigurationError(f"outcomes({afterstate!r:.80}): there is none")
        weights, ahead, paid, signs = outcomes
        numbers = [*map(number.get, ahead, repeat(NEW))]
        for i, state in enumerate(ahead) if NEW in numbers else ():
            if numbers[i] == NEW and state not in number:
                if type(state) is not tuple or tuple(map(type, state)) != kinds:
                    check_state(state, kinds)
                number[state] = len(states)
                states.append(state)
            numbers[i] = number[state]
        to.extend(numbers)
        begin.append(len(to))
        if (place := falls.get(way := (weights, paid, signs))) is None:
            check_fall(afterstate, *way)
            place = falls[way] = len(chance)
            total = sum(weights)
            chance.extend(weight / total for weight in weights)
            reward.extend(map(float, paid))
            sign.extend(map(float, signs))
        fall.append(place)
        return found

    place = "start"
    try:
        reach(rules.start())
        for done, state in enumerate(states):  # more of them as play goes on
            place = state
            if (numbers := legal.get(actions := tuple(actions_of(state)))) is None:
                check_actions(state, actions)
                numbers = legal[actions] = [names.setdefault(name, len(names)) for name in actions]
            action.extend(numbers)
            for name in actions:
                there = afterstates.get(afterstate := afterstate_of(state, name))
                after.append(reach(afterstate) if there is None else there)
            first.append(len(after))
            if done & LOOK == LOOK:
                report(done, len(states))
            if len(states) > rules.most_positions:
                raise ConfigurationError(too_many(rules, len(after) / (done + 1)))
    except ConfigurationError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigurationError(f"the rules fail in position {place!r:.80}: {in_one_line(error)}") from error
    need(bool(states), "start: play ends before anything is decided")
    check_entries(states, kinds)
    arrays = (action, first, after, begin, to, fall, chance, reward, sign)
    chosen, *step = (np.frombuffer(numbers, numbers.typecode) for numbers in arrays)
    return Positions(states, list(names), chosen, Step(*step))
