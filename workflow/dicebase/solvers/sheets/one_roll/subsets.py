"""A scorecard solved by dynamic programming over the sets of free slots (docs/why/solvers.md, Scorecards)."""

from collections.abc import Callable, Mapping

import numpy as np

from dicebase.vocabulary.kernels import kernel


def solve_subsets(weights: Mapping[int, int], slots: int, gain: Callable[[int, int], int]) -> list[int]:
    """Return the numerators of M, by bit mask of free slots, over (sum of weights) ** (number of free slots)."""
    total = sum(weights.values())
    values = [0] * (1 << slots)
    for free in range(1, 1 << slots):
        scale = total ** (free.bit_count() - 1)
        ahead = [(slot, values[free & ~(1 << slot - 1)]) for slot in range(1, slots + 1) if free >> slot - 1 & 1]
        values[free] = sum(
            weight * max(gain(slot, roll) * scale + rest for slot, rest in ahead) for roll, weight in weights.items()
        )
    return values


def ranked_slots(weights: Mapping[int, int], slots: int, gain: Callable[[int, int], int]) -> np.ndarray:
    """Return the free slots, counted from 0, by expected score, best first, the lowest first among equals.

    The result, (2**slots, rolls, slots), is by bit mask of the free slots and number of the roll, and is 0 after the
    last free slot. Scores are compared in integers.
    """
    values, total = solve_subsets(weights, slots, gain), sum(weights.values())
    order = np.zeros((1 << slots, len(weights), slots), dtype=np.int8)
    for free in range(1, 1 << slots):
        own = [i for i in range(slots) if free >> i & 1]
        scale = total ** (len(own) - 1)
        for k, roll in enumerate(weights):
            worth = {i: -(gain(i + 1, roll) * scale + values[free ^ 1 << i]) for i in own}
            order[free, k, : len(own)] = sorted(own, key=worth.__getitem__)
    return order


@kernel(_nrt=True)
def subset_values(probabilities: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Return M in doubles, (2**slots,), for cards too large for integers.

    probabilities : (rolls,). gains : (slots, rolls).
    """
    slots, rolls = gains.shape
    values, best = np.zeros(1 << slots), np.empty(rolls)
    for free in range(1, len(values)):
        best[:] = -np.inf
        for slot in range(slots):
            if free >> slot & 1:
                rest = values[free ^ (1 << slot)]
                for x in range(rolls):  # rolls are independent, so the compiler vectorises this loop
                    worth = gains[slot, x] + rest
                    best[x] = worth if worth > best[x] else best[x]
        for x in range(rolls):
            values[free] += probabilities[x] * best[x]
    return values
