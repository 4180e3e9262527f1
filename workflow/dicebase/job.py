"""The commands behind the rules of the workflow: one slice solved, one slice certified, the catalogue built.

python -m dicebase.job solve KEY --results DIR
python -m dicebase.job certify KEY TABLE SLICE --results DIR
python -m dicebase.job catalog DIGEST CONFIG... --results DIR
"""

import argparse
import gc
import json
import sys

from dicebase.errors import DicebaseError
from dicebase.plan import files, make_plan


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dicebase.job", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    solve = commands.add_parser("solve")
    solve.add_argument("key")
    certify = commands.add_parser("certify")
    for name in ("key", "table", "slice"):
        certify.add_argument(name)
    catalog = commands.add_parser("catalog")
    catalog.add_argument("digest")
    catalog.add_argument("config", nargs="+")
    for command in (solve, certify, catalog):
        command.add_argument("--results", required=True)
    arguments = parser.parse_args()
    # Millions of small tuples and no reference cycles: the collector takes more than half the time of a certificate.
    gc.disable()
    try:
        {"solve": _solve, "certify": _certify, "catalog": _catalog}[arguments.command](arguments)
    except DicebaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _solve(arguments: argparse.Namespace) -> None:
    from dicebase.tabulate import solve_slice

    key = json.loads(arguments.key)
    solve_slice(key, files(arguments.results, key["table"], key["slice"])[0])


def _certify(arguments: argparse.Namespace) -> None:
    from dicebase.certify import certify_slice

    folder, certificate = files(arguments.results, arguments.table, arguments.slice)
    certify_slice(folder, certificate, json.loads(arguments.key))


def _catalog(arguments: argparse.Namespace) -> None:
    from dicebase import configuration
    from dicebase.catalog import build_catalog

    plan = make_plan(configuration.read(arguments.config))
    if plan.digest != arguments.digest:
        raise DicebaseError("the configuration or the code changed while the workflow ran; run it again")
    build_catalog(arguments.results, list(plan.slices))


if __name__ == "__main__":
    sys.exit(main())
