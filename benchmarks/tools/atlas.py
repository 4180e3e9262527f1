"""The atlas (config/atlas.yaml, thousands of small variants): time to plan, to build (compared with the cost model), to
run with nothing to do, and to add one value; then to query a catalogue of thousands of files.

python benchmarks/tools/atlas.py [FOLDER]     keeps the results in FOLDER, for costs.py and soak.py
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import heading, number, table
from _workflow import ROOT, SNAKEMAKE, least, run

import dicebase
from dicebase.pipeline import configuration, steps
from dicebase.pipeline.costs import all_jobs, estimate, read_costs
from dicebase.pipeline.plan import make_plan

ATLAS = ROOT / "config/atlas.yaml"
# One more value in a grid of slices, which must make exactly one slice.
ADDED = {"sides": 31, "target": 30, "slice_by": ["target", "dice"]}
# One slice per variant, with 3 files each.
FILES = {"hog_race": [{"target": {"from": 5, "to": 54}, "max_dice": {"from": 1, "to": 20}}]}
QUESTIONS = [
    ("pig_duel", {"sides": 17, "target": 50, "me": 10, "opponent": 20, "turn_total": 17}),
    ("forbidden_multiple_turn", {"multiple": 37, "sides": 12, "total": 30}),
    ("hog_duel", {"max_dice": 12, "target": 40, "me": 10, "opponent": 20}),
]


def workflow(*more: str) -> list[str]:
    """Return the command that runs Snakemake on the atlas, with results in results/atlas of the current folder."""
    return [*SNAKEMAKE, "--configfile", str(ATLAS), *more]


def planned(folder: Path, config: Path) -> dict[str, int]:
    """Return the number of jobs of each rule in a dry run."""
    words = [*SNAKEMAKE[: SNAKEMAKE.index("--quiet")], "--configfile", str(config), "-n"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", done.stdout, re.MULTILINE)}


def milliseconds(question, repeats: int) -> float:
    """Return the median time of a question, after a warm-up call."""
    question()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        question()
        taken.append(1000 * (time.perf_counter() - started))
    return statistics.median(taken)


def answers(results: Path, questions: list) -> list[list[object]]:
    """Return rows with the milliseconds to open a catalogue, to look up positions and to run SQL."""
    started = time.perf_counter()
    with dicebase.open(results) as db:
        rows = [["open", number(1000 * (time.perf_counter() - started))]]
        for name, position in questions:
            where = " AND ".join(f"{column} = {value!r}" for column, value in position.items())
            query = f"SELECT action FROM {name} WHERE {where}"
            rows.append([f"lookup {name}", number(milliseconds(lambda n=name, p=position: db.lookup(n, **p), 200))])
            rows.append([f"SQL {name}", number(milliseconds(lambda q=query: db.sql(q).fetchall(), 30))])
    return rows


def main(folder: Path) -> None:
    config = configuration.read([ATLAS])
    plan = make_plan(config)
    variants = sum(len(piece.variants) for piece in plan.slices.values())
    results = folder / config["results"]
    print(f"predicted: {estimate(read_costs().of(plan, all_jobs(plan)), 2)}\n", flush=True)

    measured = [["plan: snakemake -n, nothing built", *least(workflow("-n"), folder, 3)]]
    measured.append(["solve everything", *run(workflow("--until", "solve", "solve_decisions", "solve_values"), folder)])
    solving = measured[-1][2]
    measured.append(["certify, catalogue and the rest", *run(workflow(), folder)])
    measured.append(["plan: snakemake -n, all built", *least(workflow("-n"), folder, 3)])
    measured.append(["run with nothing to do", *least(workflow(), folder, 3)])
    heading(f"The atlas, {variants} variants in {len(plan.slices)} slices: seconds and MB")
    table(["what", "wall", "CPU", "peak of tree"], [[what, *map(number, figures)] for what, *figures in measured])

    with dicebase.open(results) as db:
        ((inside,),) = db.sql("SELECT sum(seconds) FROM tables").fetchall()
    print(
        f"overhead of solving: {1000 * (solving - inside) / variants:.1f} ms a variant "
        f"(CPU {solving:.0f} s, of which {inside:.0f} s are in the variants)\n"
    )
    heading("Its catalogue: milliseconds")
    table(["what", "ms"], answers(results, QUESTIONS))

    grown = config["tables"] | {"pig_duel": [*config["tables"]["pig_duel"], ADDED]}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as more:
        yaml.safe_dump(config | {"tables": grown}, more)
        more.flush()
        heading("One value more: jobs planned")
        table(["rule", "jobs"], sorted(planned(folder, Path(more.name)).items()))

    with tempfile.TemporaryDirectory() as name:
        many = make_plan({"tables": FILES})
        started = time.perf_counter()
        for (table_name, slice_name), piece in many.slices.items():
            steps.solve(Path(name), piece.key)
            steps.certify(Path(name), table_name, slice_name, piece.certificate_key)
        made = time.perf_counter() - started
        started = time.perf_counter()
        steps.catalog(Path(name), many.slices)
        steps.map_rows(Path(name), many.slices)
        rows = [["solve and certify, one process [s]", number(made)]]
        rows.append(["catalogue and mapped rows [s]", number(time.perf_counter() - started)])
        rows += [
            [f"{what} [ms]", ms]
            for what, ms in answers(Path(name), [("hog_race", {"target": 30, "max_dice": 10, "score": 12})])
        ]
        heading(f"A catalogue of {3 * len(many.slices)} files")
        table(["what", "taken"], rows)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
        main(Path(sys.argv[1]).resolve())
    else:
        with tempfile.TemporaryDirectory() as name:
            main(Path(name))
