"""Write `pipeline/costs.csv`, the cost of every job of finished builds.

python benchmarks/tools/costs.py CONFIG=RESULTS...   (for instance config/full.yaml=results)

Build on a quiet machine, from an empty folder. Seconds and memory of a job come from the end of its log; if a job had
to wait, its CPU seconds are used. Lines of slices that none of the builds contains are kept.
"""

import csv
import math
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the folder of _measure.py

from _measure import taken

from dicebase.pipeline import configuration
from dicebase.pipeline.costs import COSTS, RULES, Cost, model_of, size_of
from dicebase.pipeline.plan import READERS, Plan, make_plan
from dicebase.tables import layout

WAITED = 0.1  # seconds that a small job spends waiting for its files
WRITTEN = {
    "catalog": [layout.CATALOG],
    "map": [layout.MAPPED],
    "datapackage": [layout.DATAPACKAGE, layout.SCHEMAS],
    "audit": [layout.AUDIT],
    "report": [layout.PICTURES, layout.PAGES],
    "explorer": [layout.EXPLORER],
}
HEAD = ["rule", "table", "slice", "size", "seconds", "memory", "disk"]


def measured(results: Path, plan: Plan) -> Iterator[list[object]]:
    """Yield the lines for the jobs of one build."""
    written = 0.0
    for (table, name), piece in plan.slices.items():
        disk = math.fsum(megabytes(results / path) for path in piece.files)
        written += disk
        for rule in RULES:
            cost = spent(results / "logs" / rule / table / f"{name}.log", disk if rule == "solve" else 0.0)
            yield line(rule, model_of(piece), name, f"{size_of(piece):.0f}", cost)
    for rule in READERS:
        cost = spent(results / "logs" / f"{rule}.log", math.fsum(megabytes(results / path) for path in WRITTEN[rule]))
        yield line(rule, "", "", f"{written:.6g}", cost)


def line(rule: str, table: str, name: str, size: str, cost: Cost) -> list[object]:
    return [rule, table, name, size, f"{cost.seconds:.2f}", f"{cost.memory:.0f}", f"{cost.disk:.2f}"]


def megabytes(path: Path) -> float:
    """Return the size of a file, or of all files in a folder."""
    return math.fsum(file.stat().st_size for file in (path.rglob("*") if path.is_dir() else [path])) / 1e6


def spent(log: Path, disk: float) -> Cost:
    """Return what a job took according to its log."""
    took = taken(log)
    return Cost(min(took.seconds, took.cpu + WAITED), took.megabytes, disk)


def main(builds: list[str]) -> None:
    with COSTS.open(encoding="utf-8", newline="") as file:
        found = {tuple(row[:3] if row[1] else row[:4]): row for row in csv.reader(file) if row != HEAD}
    for config, results in (build.split("=") for build in builds):
        for row in measured(Path(results), make_plan(configuration.read([Path(config)]))):
            found[tuple(row[:3] if row[1] else row[:4])] = row
    with COSTS.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *(found[key] for key in sorted(found))])


if __name__ == "__main__":
    main(sys.argv[1:])
