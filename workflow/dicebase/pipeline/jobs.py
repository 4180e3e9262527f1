"""The commands behind the rules of the workflow, each named after its rule.

python -m dicebase.pipeline.jobs solve KEY --results DIR
python -m dicebase.pipeline.jobs certify KEY TABLE SLICE --results DIR
python -m dicebase.pipeline.jobs catalog|map|datapackage DIGEST CONFIG... --results DIR
python -m dicebase.pipeline.jobs audit|report|explorer --results DIR

The rules give `--output FILE` in place of `--results DIR`, one of their outputs where Snakemake wants it: with object
storage that is the place of a local copy, which no configuration names.
"""

import argparse
import atexit
import gc
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from dicebase.pipeline import steps
from dicebase.tables.layout import AUDIT, CATALOG, CERTIFICATES, DATAPACKAGE, EXPLORER, MAPPED, PAGES, SliceName
from dicebase.vocabulary import DicebaseError
from dicebase.vocabulary.failures import failure


class Job(NamedTuple):
    """A command: its step, where in the results folder the output lies that a rule names, the words it takes."""

    step: Callable[..., None]
    output: str
    words: tuple[str, ...] = ()


PLANNED = ("digest", "config")
JOBS = {
    "solve": Job(steps.solve, "*/*/*.parquet", ("key",)),
    "certify": Job(steps.certify, f"{CERTIFICATES}/*/*.parquet", ("key", "table", "name")),
    "catalog": Job(steps.catalog, CATALOG, PLANNED),
    "map": Job(steps.map_rows, MAPPED, PLANNED),
    "datapackage": Job(steps.datapackage, DATAPACKAGE, PLANNED),
    "audit": Job(steps.audit, f"{AUDIT}/index.md"),
    "report": Job(steps.report, f"{PAGES}/values.html"),
    "explorer": Job(steps.explorer, EXPLORER),
}


def main(given: Sequence[str] | None = None) -> int:
    """Run one command and say what it took; 2 where it fails as a step may, with one line that says why."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m dicebase.pipeline.jobs", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, job in JOBS.items():
        command = commands.add_parser(name)
        for word in job.words:
            command.add_argument(word, nargs="+" if word == "config" else None)
        where = command.add_mutually_exclusive_group(required=True)
        where.add_argument("--results", type=Path)
        where.add_argument("--output", type=Path)
    words = vars(parser.parse_args(given))
    name, results, output = (words.pop(of) for of in ("command", "results", "output"))
    start_light()
    try:
        results = results or _folder_of(output, JOBS[name].output)
        if JOBS[name].words == PLANNED:
            words = {"slices": _planned(name, **words)}
        JOBS[name].step(results, **words)
    except BaseException as error:
        if not (why := failure(error, name, results)):
            raise
        print(f"error: {why}", file=sys.stderr)
        return 2
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    taken = f"took {time.monotonic() - began:.2f} s, {time.process_time():.2f} s of CPU, {megabytes:.0f} MB"
    print(taken, file=sys.stderr)
    return 0


def start_light() -> None:
    """Spare a process what it has no use for; half of what a small job takes."""
    gc.disable()  # as vocabulary/collector.py does for a while
    # The last collection then has nothing to look at; DuckDB complains of what it does not get back.
    atexit.register(lambda: "duckdb" in sys.modules or gc.freeze())
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read when NumPy is loaded: a second thread spins
    sys.meta_path.insert(0, _NoPandas)
    import numpy as np

    np.f2py = None  # SciPy copies all names of NumPy, and with this one loads a compiler


class _NoPandas:
    """PyArrow loads pandas, where it is installed, to ask whether what it is given is of pandas."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _folder_of(output: Path, place: str) -> Path:
    """The results folder in which an output lies at this place."""
    for path in (output, output.parent):
        if path.match(place):
            return path.parents[len(PurePath(place).parts) - 1]
    raise DicebaseError(f"--output {output}: is no {place}, nor in one")


def _planned(rule: str, digest: str, config: Sequence[str]) -> list[SliceName]:
    """The slices that a configuration asks for, if they are still those that the workflow planned."""
    from dicebase.pipeline import configuration
    from dicebase.pipeline.plan import make_plan

    plan = make_plan(configuration.read(config))
    if plan.digest(rule) != digest:
        raise DicebaseError("the configuration or the code changed while the workflow ran; run it again")
    return list(plan.slices)


if __name__ == "__main__":
    sys.exit(main())
