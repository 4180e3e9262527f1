"""How far from the target do players of simultaneous Hog have to randomise?

For each largest number of dice, the table has the number of states with a mix, and in these states the most points that
one player lacks and the most points that both lack. It also answers for every smaller target, because only the missing
points count.
"""

import os
import sys
import time
from pathlib import Path

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import heading, number, table

from dicebase.games.hog import Rules
from dicebase.solvers.throws.duel import gain_probabilities
from dicebase.solvers.throws.simultaneous import solve_simultaneous

TARGET, DICE = 150, 20


def mixing(target: int, dice: int) -> list[str]:
    """Return one row: the number of states with a mix, the largest distances of one and of both players, and the least
    margin in these states."""
    rules = Rules(max_dice=dice)
    q = gain_probabilities([rules.gains(choice) for choice in rules.choices])
    stage = solve_simultaneous(q, target, False)
    used = stage.mix > 0
    missing = target - np.argwhere(used.sum(axis=2) > 1)
    if not len(missing):
        return ["0", "", "", ""]
    margins = np.where(used, stage.mix, stage.value[:, :, None] - stage.q).min(axis=2)
    margin = margins[used.sum(axis=2) > 1].min()
    return [str(len(missing)), str(missing.max()), str(missing.min(axis=1).max()), f"{margin:.0e}"]


def main(target: int = TARGET, dice: int = DICE) -> None:
    heading(f"Hog, simultaneous throws to {target}: states that need a mix")
    rows = []
    for most in range(1, dice + 1):
        started = time.process_time()
        row = mixing(target, most)
        rows.append([str(most), *row, number(time.process_time() - started)])
    table(["dice", "states", "one lacks", "both lack", "margin", "seconds"], rows)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
