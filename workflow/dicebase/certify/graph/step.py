"""One step of the rules as arrays of doubles, and the results of checking published values with it."""

from typing import NamedTuple

import numpy as np

from dicebase.certify.graph.positions import Positions


class Step(NamedTuple):
    """One step of the rules in doubles; see positions.Positions for the first four."""

    first: np.ndarray
    after: np.ndarray
    begin: np.ndarray
    to: np.ndarray
    weight: np.ndarray  # of all falls, concatenated, like rewards and signs
    reward: np.ndarray
    sign: np.ndarray
    fall: np.ndarray  # (afterstates,), where the weights of its outcomes begin
    total: np.ndarray  # (afterstates,), the sum of these weights

    @classmethod
    def of(cls, p: Positions) -> "Step":
        """Convert positions. Weights are exact if they sum to at most 2**53, and rounded probabilities otherwise."""
        sums = [sum(fall.weights) for fall in p.falls]
        large = [1 if total <= 2**53 else total for total in sums]
        weight = np.array([w / by for fall, by in zip(p.falls, large, strict=True) for w in fall.weights], float)
        reward = np.array([float(paid) for fall in p.falls for paid in fall.rewards])
        sign = np.array([sign for fall in p.falls for sign in fall.signs], float)
        totals = np.array([total / by for total, by in zip(sums, large, strict=True)], float)
        return cls(p.first, p.after, p.begin, p.to, weight, reward, sign, p.falls_at, totals[p.fall])


class Checked(NamedTuple):
    """Results of the check, by action and by state."""

    again: np.ndarray  # (actions,), the q-value computed from the published values
    rounding: np.ndarray  # (actions,), bound on the error of computing it
    share: np.ndarray  # (actions,), as one_step.ahead returns it
    residuals: np.ndarray  # (states,)
    errors: np.ndarray  # (states,), bound on the error of computing the best q-value
    bounds: np.ndarray  # (states,)
    margin: np.ndarray  # (states,), slack added to the bounds of a component
