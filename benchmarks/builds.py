"""CPU seconds and size of a build, table by table: an older commit compared with the working tree.

python benchmarks/builds.py                    existing results
python benchmarks/builds.py --before COMMIT [--config FILE] [--results DIR]

COMMIT is checked out into its own folder and builds its default configuration in this environment, with no kernel
compiled yet. The working tree then builds its own configuration or FILE, unless DIR holds a finished build of it. The
CPU seconds of tables come from the ends of their jobs' logs and exclude starting the processes; the seconds of the
whole build include every process.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from _measure import heading, number, table, taken
from _workflow import ROOT, run

BY_TABLE = {"tables", "actions", "values", "certificates", "mapped"}  # folders with a subfolder per table
OF_A_RUN = {"logs"}
NOTHING = (0.0, 0.0)
Figures = dict[str, tuple[float, float]]
"""CPU seconds of jobs and MB of files by table; parts without a table, such as the catalogue, have their own names."""


def figures(results: Path) -> Figures:
    """Return the figures of a finished build, without results of other configurations in its subfolders."""
    seconds, size = defaultdict(float), defaultdict(float)
    for path in (results / "logs").rglob("*.log"):
        parts = path.relative_to(results / "logs").with_suffix("").parts
        seconds[parts[1] if len(parts) > 2 else parts[0]] += taken(path).cpu
    for part in results.iterdir():
        if part.name not in OF_A_RUN and not (part / "dicebase.duckdb").exists():
            for path in filter(Path.is_file, part.rglob("*") if part.is_dir() else [part]):
                name = path.relative_to(part).parts[0] if part.name in BY_TABLE else part.name
                size[name] += path.stat().st_size / 1e6
    found = {name: (seconds[name], size[name]) for name in sorted({*seconds, *size})}
    return {name: pair for name, pair in found.items() if max(pair) >= 0.05}


def build(tree: Path, config: Path, folder: Path) -> tuple[float, float]:
    """Build a configuration with the code of a tree into a folder; returns (wall seconds, CPU seconds)."""
    os.environ["PYTHONPATH"] = str(tree / "workflow")
    words = ["--snakefile", tree / "Snakefile", "--workflow-profile", tree / "workflow/profiles/default"]
    words += ["--cores", "all", "--quiet", "rules", "progress", "--configfile", config, "--config", "results=results"]
    wall, cpu, _ = run([sys.executable, "-m", "snakemake", *map(str, words)], folder)
    return wall, cpu


def show(before: Figures, after: Figures) -> None:
    """Print both builds and their ratios, largest figures first."""
    rows = []
    for name in sorted({*before, *after}, key=lambda name: -max(*before.get(name, NOTHING), *after.get(name, NOTHING))):
        row = [name]
        for old, new in zip(before.get(name, NOTHING), after.get(name, NOTHING), strict=True):
            row += [number(old), number(new), number(old / new) if old and new else ""]
        rows.append(row)
    table(["", "CPU s before", "after", "ratio", "MB before", "after", "ratio"], rows)


def summed(build: Figures) -> Figures:
    """Return the figures together with their sums over all tables."""
    return build | {"all": tuple(map(math.fsum, zip(*build.values(), strict=True)))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", metavar="COMMIT")
    parser.add_argument("--config", type=Path, default=ROOT / "config/config.yaml")
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    if not options.before:
        heading("A build: CPU seconds of jobs and MB of files")
        found = summed(figures(options.results or ROOT / "results"))
        rows = [[name, *map(number, pair)] for name, pair in found.items()]
        table(["", "CPU s", "MB"], sorted(rows, key=lambda row: -max(found[row[0]])))
        return
    with tempfile.TemporaryDirectory() as name:
        tree, old, new = (Path(name) / part for part in ("tree", "before", "after"))
        for folder in (tree, old, new):
            folder.mkdir()
        archive = subprocess.run(["git", "archive", options.before], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x"], cwd=tree, input=archive.stdout, check=True)
        whole = [["before", *map(number, build(tree, tree / "config/config.yaml", old))]]
        if not options.results:
            whole.append(["after", *map(number, build(ROOT, options.config.resolve(), new))])
        heading(f"Builds, {options.before} before and the working tree after: CPU seconds of jobs and MB of files")
        show(summed(figures(old / "results")), summed(figures(options.results or new / "results")))
        table(["all processes", "seconds on the wall", "CPU seconds"], whole)


if __name__ == "__main__":
    main()
