"""The cost model: fit what jobs took to the parameters of their variants, write `pipeline/costs.json`, draw the growth.

python benchmarks/tools/costs.py CONFIG...   (default: those of config/ and calibration.yaml beside this)
python benchmarks/tools/costs.py --new CONFIG=RESULTS...   fit what was built of them there; --new: of what has no model

Without RESULTS what is not built is built first: give it a quiet machine, and remove what an older version built.
Seconds and resident sets are those that their logs end with; of a job that waited, its CPU seconds. The
model is that of dicebase.pipeline.costs, fitted to the logarithms, so that being wrong by a factor of two counts the
same for small jobs and large ones. A table that is in none of the configurations keeps its model.
"""

import json
import math
import platform
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from itertools import groupby
from pathlib import Path

import matplotlib
import numpy as np
import psutil
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from scipy.optimize import least_squares, nnls

sys.path.insert(0, str(Path(__file__).parents[1]))  # of the folder above

from _measure import heading, number, table, taken

from dicebase.pipeline import configuration
from dicebase.pipeline.costs import COSTS, RULES, Growth, model_of
from dicebase.pipeline.plan import READERS, Plan, Slice, make_plan
from dicebase.show.pictures.draw import STYLE
from dicebase.tables import layout
from dicebase.tables.names import Variant

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ["config/config.yaml", "config/full.yaml", "config/atlas.yaml", "benchmarks/tools/calibration.yaml"]
PRIOR = 0.02  # weight of the prior that powers are 1, against a job whose logarithm is wrong by one
LEAST_START = {"seconds": 0.1, "memory": 50.0, "megabytes": 0.001}
WAITED = 0.1  # seconds that a small job waits for its files
LOADED = 100.0  # MB, where nobody knows
MOST = {"seconds": False, "memory": True, "megabytes": False}  # whether the largest variant counts, or the sum
# Of Okabe and Ito (2008): told apart by the colour-blind too.
COLOURS = {"solve": ("#0072B2", "o"), "certify": ("#D55E00", "^"), "files": ("#009E73", "s")}
TITLES = {"seconds": "Time of a job", "memory": "Largest resident set", "megabytes": "Size of the files"}
# The parameter that costs most, of the tables that take longest.
SHOWN = [
    ("pig_duel", "target"),
    ("ten_thousand_duel", "target"),
    ("hog_duel", "target"),
    ("hog_simultaneous", "target"),
    ("ten_times_eighteen_score", "slots"),
    ("ten_times_eighteen_exceed", "slots"),
]
LEFT = {
    "catalog": [layout.CATALOG],
    "map": [layout.MAPPED],
    "datapackage": [layout.DATAPACKAGE, layout.SCHEMAS],
    "audit": [layout.AUDIT],
    "report": [layout.PICTURES, layout.PAGES],
    "explorer": [layout.EXPLORER],
}
"""What the rules leave that read all tables."""
Jobs = list[tuple[tuple[Variant, ...], float]]
"""What jobs took: (their variants, the quantity)."""


def measured(results: Path, plan: Plan) -> tuple[dict[tuple[str, str, str], Jobs], list[tuple[str, dict]]]:
    """What the jobs of one run took, by (model, rule, quantity), and what the rules took that read all tables."""
    found: dict[tuple[str, str, str], Jobs] = defaultdict(list)
    for (name, slice_name), job in plan.slices.items():
        variants = job.sized
        for rule in RULES:
            took = spent(results / "logs" / rule / name / f"{slice_name}.log")
            found[model_of(job), rule, "seconds"].append((variants, took["s"]))
            found[model_of(job), rule, "memory"].append((variants, took["max_rss"]))
        found[model_of(job), "files", "megabytes"].append((variants, size(results, job)))
    megabytes = sum(size(results, job) for job in plan.slices.values())
    after = []
    for rule in READERS:
        took = spent(results / "logs" / f"{rule}.log")
        took |= {"megabytes": math.fsum(megabytes_of(results / name) for name in LEFT[rule])}
        after.append((rule, {"start": 1.0, "megabyte": megabytes, "slice": len(plan.slices)} | took))
    return found, after


def megabytes_of(path: Path) -> float:
    """The size of a file, or of all in a folder."""
    return math.fsum(file.stat().st_size for file in (path.rglob("*") if path.is_dir() else [path])) / 1e6


def spent(log: Path) -> dict[str, float]:
    """Seconds and resident set of a job, as its log says."""
    took = taken(log)
    return {"s": min(took.seconds, took.cpu + WAITED), "max_rss": took.megabytes}


def size(results: Path, job: Slice) -> float:
    """MB of a slice's files."""
    return sum((results / path).stat().st_size for path in job.files) / 1e6


def fit(quantity: str, jobs: Jobs) -> Growth:
    """The growth that fits best; a parameter is an exponent where that fits clearly better than a power. Where jobs are
    few for what their parameters are, it is that of the bytes."""
    jobs = [job for job in jobs if np.isfinite(job[1])] or [(jobs[0][0], LOADED)]
    variants = [v for job, _ in jobs for v in job]
    known = {p: {v[p] for v in variants} for p in variants[0]}
    counts = [p for p in known if p != "bytes" and isinstance(variants[0][p], int) and len(known[p]) > 1]
    words = [p for p in known if isinstance(variants[0][p], str) and len(known[p]) > 1]
    if min(known["bytes"]) and len(counts) + sum(len(known[p]) - 1 for p in words) >= len(jobs) / 3:
        counts, words = ["bytes"], []  # the parameters are too many
    best, error = _fit(quantity, jobs, counts, [], words)
    for name in counts:
        if len(known[name]) > 2:
            other, wrong = _fit(quantity, jobs, [p for p in counts if p != name], [name], words)
            if wrong < 0.7 * error:
                best, error = other, wrong
    return best


def _fit(quantity: str, jobs: Jobs, powers: list, rates: list, words: list) -> tuple[Growth, float]:
    variants = [v for job, _ in jobs for v in job]
    owners = np.repeat(np.arange(len(jobs)), [len(job) for job, _ in jobs])
    known = {name: sorted({v[name] for v in variants}) for name in words}
    columns = [[np.log(v[name]) for v in variants] for name in powers]
    columns += [[float(v[name]) for v in variants] for name in rates]
    columns += [[float(v[name] == word) for v in variants] for name in words for word in known[name][1:]]
    matrix = np.array(columns, dtype=float).reshape(len(columns), len(variants)).T
    logs = np.log([took for _, took in jobs])
    expected = np.array([1.0] * len(powers) + [0.0] * (len(columns) - len(powers)))
    scales = np.array([1.0] * len(powers) + [np.ptp(matrix[:, i]) for i in range(len(powers), len(columns))])

    numbers = np.bincount(owners)
    count = 2 if MOST[quantity] or numbers.max() == 1 else 3  # start, scale and, where it can be told apart, each

    def predicted(at: np.ndarray) -> np.ndarray:
        one = np.exp(np.clip(at[1] + matrix @ at[count:], -700, 700))
        if MOST[quantity]:
            whole = np.zeros(len(jobs))
            np.maximum.at(whole, owners, one)
        else:
            whole = np.bincount(owners, one, len(jobs))
        if count == 3:
            whole += numbers * np.exp(at[2])
        return np.log(np.exp(at[0]) + whole)

    def wrong(at: np.ndarray) -> np.ndarray:
        return np.concatenate([predicted(at) - logs, PRIOR * scales * (at[count:] - expected)])

    words_from = len(powers) + len(rates)
    low = [np.log(LEAST_START[quantity]), -60.0, -20.0][:count]
    low += [0.0] * words_from + [-10.0] * (len(columns) - words_from)
    high = [max(np.log(10.0) + logs.min(), low[0] + 1.0), 20.0, 0.0][:count]
    high += [8.0] * len(powers) + [3.0] * len(rates) + [10.0] * (len(columns) - words_from)
    begins = [
        np.clip([logs.min() - 0.1, guess, *[-5.0] * (count - 2), *expected * power], low, high)
        for guess in (-25, -15, -8, -3)
        for power in (1, 2, 3)
    ]
    runs = [least_squares(wrong, begin, bounds=(low, high), loss="soft_l1") for begin in begins]
    best = min(runs, key=lambda run: run.cost)
    at = iter(best.x[count:].tolist())
    growth = Growth(
        start=float(np.exp(best.x[0])),
        scale=float(np.exp(best.x[1])),
        each=float(np.exp(best.x[2])) if count == 3 else 0.0,
        powers={name: next(at) for name in powers},
        rates={name: next(at) for name in rates},
        factors={name: {w: np.exp(next(at)) if i else 1.0 for i, w in enumerate(known[name])} for name in words},
    )
    return growth, best.cost


def fit_after(runs: list[dict]) -> dict[str, dict[str, float]]:
    """Seconds and MB of a rule that reads all tables, linear in their size and their number, with no negative term."""
    found = {}
    for quantity, column in (("seconds", "s"), ("memory", "max_rss"), ("megabytes", "megabytes")):
        rows = [run for run in runs if np.isfinite(run[column])]
        if not rows:
            found[quantity] = {"start": LOADED}
            continue
        left = np.array([[run[what] / run[column] for what in ("start", "megabyte", "slice")] for run in rows])
        terms, _ = nnls(left, np.ones(len(rows)))
        found[quantity] = dict(zip(("start", "megabyte", "slice"), terms.tolist(), strict=True))
    return found


def rounded(content: object) -> object:
    """Numbers with four digits: more would only make differences."""
    if isinstance(content, dict):
        return {key: rounded(value) for key, value in content.items()}
    return float(f"{content:.4g}") if isinstance(content, float) else content


def law(growth: Growth) -> str:
    """The growth in words, such as target^2.9."""
    said = [f"{name}^{power:.2g}" for name, power in growth.powers.items() if power >= 0.05]
    said += [f"{np.exp(rate):.2f}^{name}" for name, rate in growth.rates.items()]
    return " ".join(said) or "-"


def ratios(growth: Growth, quantity: str, jobs: Jobs) -> np.ndarray:
    """Predicted over measured, of each job."""
    predict = growth.most if MOST[quantity] else growth.total
    return np.array([predict(variants) / took for variants, took in jobs if np.isfinite(took)] or [np.nan])


def draw(growths: dict[tuple[str, str, str], Growth], found: dict[tuple[str, str, str], Jobs], path: Path) -> None:
    """Above, every job as predicted and as measured; below, growth with the parameter that costs most."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 10))
        axes = figure.subplots(3, 3)
        for axis, (quantity, unit) in zip(
            axes[0], (("seconds", "s"), ("memory", "MB"), ("megabytes", "MB")), strict=True
        ):
            _compare(axis, growths, found, quantity, unit)
        for axis, (name, parameter) in zip(axes[1:].flat, SHOWN, strict=True):
            _grow(axis, growths, found, name, parameter)
        axes[0][0].legend()
        for axis in axes.flat:
            _plain(axis)
        figure.savefig(path, metadata={"Software": None, "Title": "Costs of jobs"})


def _compare(axis: Axes, growths: Mapping, found: Mapping, quantity: str, unit: str) -> None:
    for rule, (colour, marker) in COLOURS.items():
        keys = [key for key in growths if key[1:] == (rule, quantity)]
        if keys:
            took = np.concatenate([[t for _, t in found[key] if np.isfinite(t)] for key in keys])
            said = took * np.concatenate([ratios(growths[key], quantity, found[key]) for key in keys])
            axis.scatter(took, said, s=8, color=colour, marker=marker, label=rule)
    axis.set(
        xscale="log", yscale="log", xlabel=f"measured [{unit}]", ylabel=f"predicted [{unit}]", title=TITLES[quantity]
    )
    ends = np.array([max(axis.dataLim.xmin, 1e-3), axis.dataLim.xmax])
    axis.plot(ends, ends, color="0.5", linewidth=0.8)


def _grow(axis: Axes, growths: Mapping, found: Mapping, name: str, parameter: str) -> None:
    """Jobs of one variant that differ from the largest in this parameter alone, beside the model."""
    for rule in RULES:
        colour, marker = COLOURS[rule]
        growth = growths[name, rule, "seconds"]
        alone = [(variants[0], took) for variants, took in found[name, rule, "seconds"] if len(variants) == 1]
        others = Counter(tuple((k, v) for k, v in variant.items() if k != parameter) for variant, _ in alone)
        usual = others.most_common(1)[0][0]
        points = sorted((v[parameter], took) for v, took in alone if tuple((k, v[k]) for k, _ in usual) == usual)
        x, y = zip(*points, strict=True)
        line = np.linspace(x[0], x[-1], 50)
        said = [growth.total([dict(usual) | {parameter: at}]) for at in line]
        axis.scatter(x, y, s=14, color=colour, marker=marker)
        power, rate = growth.powers.get(parameter), growth.rates.get(parameter)
        text = f"{np.exp(rate):.2f}^{parameter}" if rate else f"{parameter}^{power or 0:.1f}"
        axis.plot(line, said, color=colour, linewidth=1, label=f"{rule}: {text}")
    axis.set(yscale="log", xscale="log", xlabel=parameter, ylabel="seconds of a job", title=name)
    axis.legend(fontsize=8)


def _plain(axis: Axes) -> None:
    """Logarithmic axes with numbers as people write them."""
    for side in (axis.xaxis, axis.yaxis):
        low, high = side.get_view_interval()
        side.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 200 else (1,)))
        side.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        side.set_minor_formatter(NullFormatter())


def main(words: list[str]) -> None:
    found: dict[tuple[str, str, str], Jobs] = defaultdict(list)
    after: dict[str, list[dict]] = defaultdict(list)
    for config, _, built in (word.partition("=") for word in words if word != "--new"):
        content = configuration.read([ROOT / config])
        if not built:
            command = [sys.executable, "-m", "snakemake", "--cores", "all", "--configfile", ROOT / config]
            subprocess.run(command, cwd=ROOT, check=True)
        jobs, others = measured(Path(built or ROOT / content.get("results", "results")), make_plan(content))
        for key, some in jobs.items():
            found[key] += some
        for rule, took in others:
            after[rule].append(took)
    tables = json.loads(COSTS.read_text(encoding="utf-8"))["tables"]
    new = "--new" in words
    growths = {key: fit(key[2], jobs) for key, jobs in sorted(found.items()) if not (new and key[0] in tables)}
    for (name, rule, quantity), growth in growths.items():
        tables.setdefault(name, {}).setdefault(rule, {})[quantity] = {
            key: value for key, value in vars(growth).items() if value or key in ("start", "scale")
        }
    content = {
        "machine": f"{psutil.cpu_count()} cores, {psutil.virtual_memory().total / 2**30:.0f} GiB, "
        f"Python {platform.python_version()}",
        "measured": str(date.today()),
        "after": {rule: fit_after(runs) for rule, runs in sorted(after.items())},
        "tables": tables,
    }
    COSTS.write_text(json.dumps(rounded(content), indent=1) + "\n", encoding="utf-8")
    heading("Seconds of a job: the model and what jobs took")
    for rule, keys in groupby(sorted(growths, key=lambda key: (key[1], key[0])), key=lambda key: key[1]):
        rows = []
        for name, _, quantity in keys:
            growth, jobs = growths[name, rule, quantity], found[name, rule, quantity]
            spread = ratios(growth, quantity, jobs)
            rows.append([f"{rule} {name}", quantity, len(jobs), number(growth.start), law(growth)])
            rows[-1] += [number(spread.min()), number(np.median(spread)), number(spread.max())]
        table(["job", "quantity", "jobs", "start", "grows as", "least", "median", "greatest ratio"], rows)
    for quantity in TITLES:
        spread = np.concatenate([ratios(growths[key], quantity, found[key]) for key in growths if key[2] == quantity])
        within = {factor: np.mean(np.maximum(spread, 1 / spread) <= factor) for factor in (1.25, 1.5, 2)}
        text = ", ".join(f"{share:.0%} within a factor of {factor}" for factor, share in within.items())
        print(f"{quantity}: {len(spread)} jobs, {text}")
    if not new:
        draw(growths, found, ROOT / "docs/pictures/costs.png")


if __name__ == "__main__":
    main(sys.argv[1:] or CONFIGS)
