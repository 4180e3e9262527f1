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


def best_slots(weights: Mapping[int, int], slots: int, gain: Callable[[int, int], int]) -> list[list[int]]:
    """The slot that maximises the expected score, by bit mask of the free slots and number of the roll; ties to the
    lowest slot, decided in integers. The empty set has an empty list."""
    values = solve_subsets(weights, slots, gain)
    total = sum(weights.values())
    best: list[list[int]] = [[]]
    for free in range(1, 1 << slots):
        scale = total ** (free.bit_count() - 1)
        ahead = [(slot, values[free & ~(1 << slot - 1)]) for slot in range(1, slots + 1) if free >> slot - 1 & 1]
        best.append([max(ahead, key=lambda a, x=roll: gain(a[0], x) * scale + a[1])[0] for roll in weights])
    return best
