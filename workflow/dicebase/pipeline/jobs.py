"""The commands behind the rules of the workflow, each named after its rule.

python -m dicebase.pipeline.jobs solve KEY --results DIR
python -m dicebase.pipeline.jobs certify KEY TABLE SLICE --results DIR
python -m dicebase.pipeline.jobs catalog DIGEST CONFIG... --results DIR
python -m dicebase.pipeline.jobs datapackage DIGEST CONFIG... --results DIR
python -m dicebase.pipeline.jobs audit|report|explorer --results DIR

The rules give `--output FILE` in place of `--results DIR`, one of their outputs where Snakemake wants it: with object
storage that is the place of a local copy, which no configuration names.
"""

import argparse
import gc
import json
import sys
from pathlib import Path, PurePath

from dicebase.pipeline.plan import Plan, make_plan
from dicebase.tables.layout import files
from dicebase.vocabulary.errors import DicebaseError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dicebase.pipeline.jobs", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    solve = commands.add_parser("solve")
    solve.add_argument("key")
    certify = commands.add_parser("certify")
    for name in ("key", "table", "slice"):
        certify.add_argument(name)
    catalog, datapackage = (commands.add_parser(name) for name in ("catalog", "datapackage"))
    for command in (catalog, datapackage):
        command.add_argument("digest")
        command.add_argument("config", nargs="+")
    after = [commands.add_parser(name) for name in ("audit", "report", "explorer")]
    for command in (solve, certify, catalog, datapackage, *after):
        where = command.add_mutually_exclusive_group(required=True)
        where.add_argument("--results", type=Path)
        where.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    # Millions of small tuples and no reference cycles: the collector takes more than half the time of a certificate.
    gc.disable()
    try:
        arguments.results = arguments.results or _results(arguments)
        COMMANDS[arguments.command](arguments)
    except DicebaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _solve(arguments: argparse.Namespace) -> None:
    from dicebase.tabulate.slices import solve_slice

    key = json.loads(arguments.key)
    solve_slice(key, files(arguments.results, key["table"], key["slice"])[0])


def _certify(arguments: argparse.Namespace) -> None:
    from dicebase.certify.slices import certify_slice

    folder, certificate = files(arguments.results, arguments.table, arguments.slice)
    certify_slice(folder, certificate, json.loads(arguments.key))


def _catalog(arguments: argparse.Namespace) -> None:
    from dicebase.catalog.build import build_catalog

    build_catalog(arguments.results, list(_plan(arguments).slices))


def _datapackage(arguments: argparse.Namespace) -> None:
    from dicebase.catalog.datapackage import write_datapackage

    write_datapackage(arguments.results, _plan(arguments).slices)


def _audit(arguments: argparse.Namespace) -> None:
    from dicebase.audit.page import write_audit

    write_audit(arguments.results)


def _report(arguments: argparse.Namespace) -> None:
    from dicebase.show.report import write_report

    write_report(arguments.results)


def _explorer(arguments: argparse.Namespace) -> None:
    from dicebase.show.explorer.site import write_explorer

    write_explorer(arguments.results)


OUTPUTS = {
    "solve": "tables/*/*/states.parquet",
    "certify": "certificates/*/*.parquet",
    "catalog": "dicebase.duckdb",
    "datapackage": "datapackage.json",
    "audit": "audit/index.md",
    "report": "pages/values.html",
    "explorer": "explorer",
}
"""The output by which a rule names its results folder: where in the folder it lies."""

COMMANDS = {
    "solve": _solve,
    "certify": _certify,
    "catalog": _catalog,
    "datapackage": _datapackage,
    "audit": _audit,
    "report": _report,
    "explorer": _explorer,
}


def _results(arguments: argparse.Namespace) -> Path:
    """The results folder of which a rule gives an output."""
    place = OUTPUTS[arguments.command]
    if not arguments.output.match(place):
        raise DicebaseError(f"--output {arguments.output}: is no {place}")
    return arguments.output.parents[len(PurePath(place).parts) - 1]


def _plan(arguments: argparse.Namespace) -> Plan:
    from dicebase.pipeline import configuration

    plan = make_plan(configuration.read(arguments.config))
    if plan.digest != arguments.digest:
        raise DicebaseError("the configuration or the code changed while the workflow ran; run it again")
    return plan


if __name__ == "__main__":
    sys.exit(main())
