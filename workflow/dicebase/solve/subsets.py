"""A scorecard by dynamic programming over the sets of free slots, in integers.

    M[A] = sum over rolls x of P(x) * max over slots i in A of ( gain(i, x) + M[A without i] )

(equation (1) of Böcker 2015, with A the free slots and any gain in the place of i * x).
"""

from collections.abc import Callable, Mapping


def solve_subsets(weights: Mapping[int, int], slots: int, gain: Callable[[int, int], int]) -> list[int]:
    """M by bit mask of the free slots, as the numerator over (sum of weights) ** (number of free slots)."""
    total = sum(weights.values())
    values = [0] * (1 << slots)
    for free in range(1, 1 << slots):
        scale = total ** (free.bit_count() - 1)
        ahead = [(slot, values[free & ~(1 << slot - 1)]) for slot in range(1, slots + 1) if free >> slot - 1 & 1]
        values[free] = sum(
            weight * max(gain(slot, roll) * scale + rest for slot, rest in ahead) for roll, weight in weights.items()
        )
    return values
