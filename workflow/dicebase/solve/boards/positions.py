"""Every position of a board that play can reach, as flat arrays, in the order of their discovery."""

import gc
from array import array
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicebase.vocabulary import Board, ConfigurationError, State
from dicebase.vocabulary.laws_of_boards import check_actions, check_paid, check_state, check_weights, need, too_many
from dicebase.vocabulary.progress import reporter

LOOK = 2**16 - 1  # positions between two looks at how many there are


@dataclass(frozen=True)
class Positions:
    """States lead by actions to afterstates, and these by outcomes to states, or to the end.

    states : S positions. names : the texts of actions.
    first : (S + 1,), the actions of state s are first[s] to first[s + 1] - 1.
    action : (A,), numbers of `names`. after : (A,), the afterstate that each leads to.
    begin : (B + 1,), the outcomes of afterstate b are begin[b] to begin[b + 1] - 1; play begins in afterstate 0.
    at : (B,), where `chance` has the probabilities of its outcomes.
    to : (O,), the next state, or -1. reward : (O,), paid to the mover. sign : (O,), -1 where the players change roles.
    """

    states: list[State]
    names: list[str]
    first: np.ndarray
    action: np.ndarray
    after: np.ndarray
    begin: np.ndarray
    at: np.ndarray
    chance: np.ndarray
    to: np.ndarray
    reward: np.ndarray
    sign: np.ndarray


def positions_of(rules: Board) -> Positions:
    """Enumerate a board; raises ConfigurationError where rules break what binds them, or have too many positions."""
    collects = gc.isenabled()
    gc.disable()  # of millions of tuples none is a cycle
    try:
        return _enumerate(rules)
    finally:
        if collects:
            gc.enable()


def _enumerate(rules: Board) -> Positions:
    kinds, report = tuple(c.kind for c in rules.columns), reporter("position")
    states: list[State] = []
    number: dict[State, int] = {}
    afterstates: dict[Hashable, int] = {}
    legal: dict[tuple[str, ...], list[int]] = {}  # the numbers of actions that come together
    names: dict[str, int] = {}
    dice: dict[tuple[int, ...], int] = {}
    rewards: dict[int | Fraction, int] = {}
    first, action, after = array("q", [0]), array("i"), array("i")
    begin, die = array("q", [0]), array("i")
    to, reward, sign = array("i"), array("i"), array("b")

    def fall(afterstate: Hashable) -> int:
        found = afterstates[afterstate] = len(afterstates)
        weights = []
        for weight, state, paid, changed in rules.outcomes(afterstate):
            weights.append(weight)
            if state is None:
                to.append(-1)
            else:
                if (there := number.get(state)) is None:
                    check_state(state, kinds)
                    there = number[state] = len(states)
                    states.append(state)
                to.append(there)
            reward.append(rewards.setdefault(paid, len(rewards)))
            sign.append(changed)
        begin.append(len(to))
        if (thrown := dice.get(fallen := tuple(weights))) is None:
            check_weights(afterstate, fallen)
            thrown = dice[fallen] = len(dice)
        die.append(thrown)
        return found

    place = "start"
    try:
        fall(rules.start())
        for done, state in enumerate(states):  # more of them as play goes on
            place = state
            if (numbers := legal.get(actions := tuple(rules.actions(state)))) is None:
                check_actions(state, actions)
                numbers = legal[actions] = [names.setdefault(name, len(names)) for name in actions]
            action.extend(numbers)
            for name in actions:
                there = afterstates.get(afterstate := rules.afterstate(state, name))
                after.append(fall(afterstate) if there is None else there)
            first.append(len(after))
            if done & LOOK == LOOK:
                report(done, len(states))
            if len(states) > rules.most_positions:
                raise ConfigurationError(too_many(rules, len(after) / (done + 1)))
        check_paid(rewards)
    except ConfigurationError:
        raise
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise ConfigurationError(f"the rules fail in position {place!r:.80}: {said}") from error
    need(bool(states), "start: play ends before anything is decided")
    signs = _array(sign)
    need(bool((np.abs(signs) == 1).all()), "outcomes: a sign is 1, or -1 where the players change roles")
    chance = np.array([weight / sum(die) for die in dice for weight in die])
    starts = np.cumsum([0, *map(len, dice)])[:-1]
    paid = np.array([float(reward) for reward in rewards])
    return Positions(
        states, list(names), _array(first), _array(action), _array(after), _array(begin), starts[_array(die)], chance,
        _array(to), paid[_array(reward)], signs,
    )  # fmt: skip


def _array(numbers: array) -> np.ndarray:
    return np.frombuffer(numbers, numbers.typecode)
