"""Ten Times Eighteen by two methods: time and memory by the number of slots, with three dice.

`subsets` solves equation (1) over the sets of free slots, in integers and in compiled code for doubles
(solvers/sheets/one_roll/subsets.py); `expected rolls` is recurrence (6), in rationals and in doubles (rank.py).
Each row gives the CPU time of one solve and its peak of allocated memory; the last column is the ratio of its time to
that of the previous row.
"""

import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
from _measure import cpu_seconds, heading, number, table

from dicebase.solvers.sheets.one_roll.rank import exact_expected_rolls, expected_rolls
from dicebase.solvers.sheets.one_roll.subsets import solve_subsets, subset_values
from dicebase.vocabulary import sums

WEIGHTS = sums(6, 3)


def subsets_in_doubles(slots: int) -> np.ndarray:
    """Return M by bit mask of the free slots."""
    probabilities = np.array(list(WEIGHTS.values())) / sum(WEIGHTS.values())
    return subset_values(probabilities, np.outer(np.arange(1.0, slots + 1), list(WEIGHTS)))


METHODS: dict[str, tuple[Callable[[int], object], tuple[int, ...]]] = {
    "subsets, integers": (
        lambda slots: solve_subsets(WEIGHTS, slots, lambda slot, roll: slot * roll),
        (4, 6, 8, 10, 12, 14),
    ),
    "subsets, doubles": (subsets_in_doubles, (4, 6, 8, 10, 12, 14, 16, 18, 20)),
    "expected rolls, rationals": (lambda slots: exact_expected_rolls(WEIGHTS, slots), (10, 20, 40, 80, 160)),
    "expected rolls, doubles": (lambda slots: expected_rolls(WEIGHTS, slots), (10, 20, 40, 80, 160, 320, 640, 1000)),
}


def peak_megabytes(function: Callable[[], object]) -> float:
    """Return the peak memory that one call allocates."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    heading(__doc__.splitlines()[0])
    subsets_in_doubles(1)  # to compile it
    for name, (solve, sizes) in METHODS.items():
        rows, before = [], None
        for slots in sizes:
            seconds = cpu_seconds(partial(solve, slots), repeats=3)
            memory = peak_megabytes(partial(solve, slots))
            growth = "" if before is None else number(seconds / before)
            rows.append([slots, number(seconds * 1000), number(memory), growth])
            before = seconds
        print(name)
        table(["slots", "ms", "MB", "times"], rows)


if __name__ == "__main__":
    main()
