"""The budget of the default build: CPU seconds and MB by table, in .ci/budget.json.

Machines differ, so the budget's CPU seconds are first multiplied by the pace: how many times its budget the median
table takes. benchmarks/builds.py --before shows whether all tables became slower.

python benchmarks/tools/budget.py [RESULTS]           fail if a finished build exceeds the budget by more than a quarter
python benchmarks/tools/budget.py [RESULTS] --write   make the figures of this build the budget
"""

import json
import math
import sys
from pathlib import Path
from statistics import median_low

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import number
from builds import ROOT, Figures, figures

BUDGET = ROOT / ".ci/budget.json"
MARGIN = 1.25
QUANTITIES = ("CPU seconds", "MB")
LONG = 1.0  # CPU seconds in the budget of tables that measure the pace


def overruns(budget: Figures, spent: Figures) -> list[str]:
    """Return a line for each quantity of the whole build that exceeds the margin, with the tables that grew."""
    found, pace = [], pace_of(budget, spent)
    budget = {name: (cpu * pace, size) for name, (cpu, size) in budget.items()}
    for i, quantity in enumerate(QUANTITIES):
        allowed, took = (math.fsum(figure[i] for figure in build.values()) for build in (budget, spent))
        if took > MARGIN * allowed:
            more = {name: figure[i] - budget.get(name, (0.0, 0.0))[i] for name, figure in spent.items()}
            grew = sorted((name for name in more if more[name] > (took - allowed) / 20), key=more.get, reverse=True)
            which = ", ".join(f"{name} by {number(more[name])}" for name in grew)
            found.append(f"{quantity}: {number(took)}, the budget is {number(allowed)}; more for {which}")
    return found


def pace_of(budget: Figures, spent: Figures) -> float:
    """Return how many times its budget the median table takes on this machine, at least 1."""
    ratios = [spent[name][0] / cpu for name, (cpu, _) in budget.items() if cpu >= LONG and name in spent]
    return max(1.0, median_low(ratios or [1.0]))


def main(words: list[str]) -> int:
    folders = [Path(word) for word in words if word != "--write"]
    spent = figures(folders[0] if folders else ROOT / "results")
    if "--write" in words:
        lines = (f'  "{name}": [{cpu:.1f}, {size:.1f}]' for name, (cpu, size) in spent.items())
        BUDGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    found = overruns(json.loads(BUDGET.read_text(encoding="utf-8")), spent)
    for line in found:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
