"""The budget of the default build: CPU seconds and MB by table, in .ci/budget.json.

python benchmarks/tools/budget.py [RESULTS]           fail if a finished build exceeds the budget by more than a quarter
python benchmarks/tools/budget.py [RESULTS] --write   make the figures of this build the budget
"""

import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import number
from builds import ROOT, Figures, figures

BUDGET = ROOT / ".ci/budget.json"
MARGIN = 1.25
QUANTITIES = ("CPU seconds", "MB")


def overruns(budget: Figures, spent: Figures) -> list[str]:
    """Return a line for each quantity of the whole build that exceeds the margin, with the tables that grew."""
    found = []
    for i, quantity in enumerate(QUANTITIES):
        allowed, took = (math.fsum(figure[i] for figure in build.values()) for build in (budget, spent))
        if took > MARGIN * allowed:
            more = {name: figure[i] - budget.get(name, (0.0, 0.0))[i] for name, figure in spent.items()}
            grew = sorted((name for name in more if more[name] > (took - allowed) / 20), key=more.get, reverse=True)
            which = ", ".join(f"{name} by {number(more[name])}" for name in grew)
            found.append(f"{quantity}: {number(took)}, the budget is {number(allowed)}; more for {which}")
    return found


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
