"""What the checks of matches of single throws share: the rules as arrays, and the published rows as arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dicebase.game import Throw
from dicebase.published import Published


def gain_probabilities(rules: Throw, unit: int) -> np.ndarray:
    """By throw and gain in units, in the longest doubles of the machine; the gain of nothing is 0."""
    gains = [rules.gains(choice) for choice in rules.choices]
    found = np.zeros((len(gains), max(map(max, gains)) // unit + 1), np.longdouble)
    for row, weights in enumerate(gains):
        for points in weights:
            found[row, points // unit] = np.longdouble(weights[points]) / np.longdouble(sum(weights.values()))
    return found


def square(published: Published, states: list, choices: list[str], fail: Callable, column: str) -> np.ndarray:
    """A column of the actions of all pairs of totals, by (me, opponent, throw); fails where rows are not those."""
    side = round(len(states) ** 0.5)
    found = np.empty((len(states), len(choices)))
    for row, state in zip(found, states, strict=True):
        actions = published.actions.get(state, {})
        if list(actions) != choices:
            fail(state, f"the actions are {sorted(actions)}, the rules allow {choices}")
        row[:] = [actions[choice][column] for choice in choices]
    return found.reshape(side, side, len(choices))


def values_of(published: Published, states: list, fail: Callable) -> np.ndarray:
    """The published values of all pairs of totals, by (me, opponent); fails where the table has other states."""
    if odd := set(states) ^ published.values.keys():
        there = min(odd) in published.values
        fail(min(odd), "the table has this state, but no play reaches it" if there else "the table lacks this state")
    side = round(len(states) ** 0.5)
    return np.array([published.values[state] for state in states]).reshape(side, side)


def worst(difference: np.ndarray, states: list) -> tuple[float, Any]:
    """The largest entry of an array by (me, opponent, ...), and its state; what is no number is largest."""
    by_state = np.where(np.isnan(difference), np.inf, difference).reshape(len(states), -1).max(axis=1)
    row = int(by_state.argmax())
    return float(by_state[row]), states[row]
