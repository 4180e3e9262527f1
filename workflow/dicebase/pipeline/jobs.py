"""The commands behind the rules of the workflow, each named after its rule.

python -m dicebase.pipeline.jobs solve KEY --results DIR
python -m dicebase.pipeline.jobs certify KEY TABLE SLICE --results DIR
python -m dicebase.pipeline.jobs catalog|map|datapackage DIGEST CONFIG... --results DIR
python -m dicebase.pipeline.jobs audit|report|explorer --results DIR

The rules pass one of their outputs, `--output FILE`, instead of `--results DIR`: with object storage Snakemake chooses
the folder of local copies, which no configuration names.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from dicebase.pipeline import lock, steps
from dicebase.tables.layout import AUDIT, CATALOG, CERTIFICATES, DATAPACKAGE, EXPLORER, MAPPED, PAGES, SliceName
from dicebase.vocabulary import DicebaseError
from dicebase.vocabulary.arithmetic.garbage_collection import without_garbage_collection
from dicebase.vocabulary.failures import failure


class Job(NamedTuple):
    """A command: its step, the place in the results folder of the output that its rule names, and its arguments."""

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


@without_garbage_collection()
def main(given: Sequence[str] | None = None) -> int:
    """Run one command and print what it took. Returns the exit code: 2 for an error that a step expects, printed
    in one line."""
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
    try:
        results = results or _folder_of(output, JOBS[name].output)
        if JOBS[name].words == PLANNED:
            words = {"slices": _planned(name, **words)}
        with lock.job(results):
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


def _folder_of(output: Path, place: str) -> Path:
    """Return the results folder in which `output` or its parent is at `place`; raises DicebaseError if none is."""
    for path in (output, output.parent):
        if path.match(place):
            return path.parents[len(PurePath(place).parts) - 1]
    raise DicebaseError(f"--output {output}: is not {place}, nor in it")


def _planned(rule: str, digest: str, config: Sequence[str]) -> list[SliceName]:
    """Return the slices of a configuration; raises DicebaseError if they are no longer the planned ones."""
    from dicebase.pipeline import configuration
    from dicebase.pipeline.plan import make_plan

    plan = make_plan(configuration.read(config))
    if plan.digest(rule) != digest:
        raise DicebaseError("the configuration or the code changed while the workflow ran; run it again")
    return list(plan.slices)


if __name__ == "__main__":
    sys.exit(main())
