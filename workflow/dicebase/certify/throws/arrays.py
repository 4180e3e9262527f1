"""What the checks of matches of single throws share: the rules as arrays, and the published rows as arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.published import Published, check_keys
from dicebase.vocabulary import Throw

SWEEPS = 10_000
LARGEST = 1e-9
"""Where less than this is proved of the values, the certificate is refused."""


def gain_probabilities(rules: Throw, unit: int) -> np.ndarray:
    """By throw and gain in units, in the longest doubles of the machine; the gain of nothing is 0."""
    gains = [rules.gains(choice) for choice in rules.choices]
    found = np.zeros((len(gains), max(map(max, gains)) // unit + 1), np.longdouble)
    for row, weights in enumerate(gains):
        for points in weights:
            found[row, points // unit] = np.longdouble(weights[points]) / np.longdouble(sum(weights.values()))
    return found


def square(published: Published, states: list, choices: list[str], fail: Fail, column: str) -> np.ndarray:
    """A column of the actions of all pairs of totals, by (me, opponent, throw); fails where rows are not those."""
    side = round(len(states) ** 0.5)
    found = np.empty((len(states), len(choices)))
    for row, state in zip(found, states, strict=True):
        actions = published.actions.get(state, {})
        if list(actions) != choices:
            fail(state, f"the actions are {sorted(actions)}, the rules allow {choices}")
        row[:] = [actions[choice][column] for choice in choices]
    return found.reshape(side, side, len(choices))


def values_of(published: Published, states: list, fail: Fail) -> np.ndarray:
    """The published values of all pairs of totals, by (me, opponent); fails where the table has other states."""
    check_keys(
        published, states, fail, "the table lacks this state", "the table has this state, but no play reaches it"
    )
    side = round(len(states) ** 0.5)
    return np.array([published.values[state] for state in states]).reshape(side, side)


def check_mix(published: Published, state: Any, used: list[str], fail: Fail) -> None:
    """That the rows of a state say which actions its mix uses."""
    for action, row in published.actions[state].items():
        if row["optimal"] != (action in used) or row["undecided"]:
            fail(state, f"'{action}' has probability {row['probability']!r} and optimal = {row['optimal']}")
    if published.best[state] != (used[0] if len(used) == 1 else "mixed"):
        fail(state, f"action is '{published.best[state]}', but the probabilities say otherwise")


def worst(difference: np.ndarray, states: list) -> tuple[float, Any]:
    """The largest entry of an array by (me, opponent, ...), and its state; what is no number is largest."""
    by_state = np.where(np.isnan(difference), np.inf, difference).reshape(len(states), -1).max(axis=1)
    row = int(by_state.argmax())
    return float(by_state[row]), states[row]


def longest_play(sweep: Callable[[np.ndarray], np.ndarray], lengths: np.ndarray) -> float:
    """An upper bound on the longest expected play from anywhere; infinite if none is found.

    `sweep` makes expected lengths one step longer, in the rules' way or in place from one state to the next. Lengths h
    with sweep(h) <= h are no shorter than those of any play. From nought, sweeps grow by a geometric series in the end:
    its rest is added at once, and a tenth of all.
    """
    last = np.inf
    for number in range(1, SWEEPS):
        before, lengths = lengths, sweep(lengths)
        grown = lengths - before
        ratio, last = grown.max() / last, grown.max()
        if number % 5 == 0 and ratio < 1:
            bound = 1.1 * (lengths + grown * ratio / (1 - ratio))
            if (sweep(bound) <= bound).all():
                return float(bound.max())
    return float("inf")


def check_bound(bound: float, fail: Fail) -> None:
    """Refuse what proves nothing: matches so long that the rounding of their throws adds up."""
    if not bound <= LARGEST:
        fail(None, f"matches are so long that rounding leaves values uncertain by {bound:.3g}")
