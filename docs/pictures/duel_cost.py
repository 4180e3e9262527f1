"""The cost of a duel by target: CPU seconds measured now, with the fitted power of the target.

python docs/pictures/duel_cost.py results docs/pictures/duel_cost.png
"""

import sys
import time

import matplotlib
import numpy as np
from matplotlib import pyplot
from matplotlib.ticker import NullLocator

from dicebase.pipeline import configuration
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.duel import solve_duel
from dicebase.tables.names import find_table

matplotlib.use("Agg")

# Label, table, parameters, targets in points, points per unit.
LINES = [
    ("Pig", "pig_duel", {}, [25, 50, 100, 200, 400], 1),
    ("Pig, two dice", "pig_duel", {"dice": 2}, [25, 50, 100, 200], 1),
    ("Ten Thousand", "ten_thousand_duel", {}, [1250, 2500, 5000, 10_000], 50),
]


def main(results: str, path: str) -> None:
    """Measure and draw; `results` is not used."""
    definitions = configuration.read(["config/config.yaml"])["definitions"]
    figure, axis = pyplot.subplots(figsize=(7, 4.5), constrained_layout=True)
    for (label, name, given, targets, unit), marker in zip(LINES, "os^", strict=True):
        table = find_table(name)
        own = definitions.get(table.game, {})
        turn = compile_turn(table.build_rules(table.variant(given, own, name), own))
        totals = np.array(targets) / unit
        seconds = np.array([measured(turn, target) for target in targets])
        power, _ = np.polyfit(np.log(totals[-3:]), np.log(seconds[-3:]), 1)
        axis.loglog(totals, seconds, marker=marker, label=f"{label}: target to the power {power:.1f}")
    axis.set_xticks([25, 50, 100, 200, 400], labels=["25", "50", "100", "200", "400"], minor=False)
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set(xlabel="target, in units of points (1 in Pig, 50 in Ten Thousand)", ylabel="CPU seconds of one thread")
    axis.legend()
    axis.grid(which="both", alpha=0.3)
    figure.savefig(path, dpi=110)


def measured(turn, target: int) -> float:
    """Return the minimum of three runs, after one that compiles."""
    solve_duel(turn, min(target, 10 * turn.unit))
    seconds = []
    for _ in range(3):
        started = time.process_time()
        solve_duel(turn, target)
        seconds.append(time.process_time() - started)
    return min(seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
