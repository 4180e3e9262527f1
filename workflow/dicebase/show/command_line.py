"""The command line of `dicebase`: its commands, their arguments, and why a command failed."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NoReturn

from dicebase.show.streams import discard
from dicebase.vocabulary import ROWS, STARTS
from dicebase.vocabulary.contracts.authors import line_of_rules
from dicebase.vocabulary.failures import FULL, failure

CONFIG = "config/config.yaml"
SHOWN = 100
"""Rows of a query shown on a terminal without --limit."""

EXTRAS = {"lookup": "arrow", "export --xlsx": "excel", "serve": "serve"}
"""The extra whose packages a command needs; other commands need the packages of `build`."""


WORDS = {"nargs": "*", "default": [], "metavar": "name=value"}

Command = Callable[[str, str], argparse.ArgumentParser]
"""A function that adds a command with a name and a description."""


class _Parser(argparse.ArgumentParser):
    def __init__(self, **given: Any) -> None:
        # argparse would look up the terminal's width for every option, importing four modules; only help needs it.
        super().__init__(formatter_class=partial(argparse.HelpFormatter, width=80), **given)

    def format_help(self) -> str:
        self.formatter_class = argparse.HelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}; see '{self.prog} --help'\n")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        parser._print_message(f"dicebase {version('dicebase')}\n", sys.stdout)
        parser.exit(0)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse a command line; ends the process with exit code 2 if it is malformed."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    # argparse takes words such as turn_total=20 only before the first option: `lookup pig_turn --json turn_total=20`.
    if rest and ("words" not in options or any(word.startswith("-") for word in rest)):
        parser.error(f"not understood: {' '.join(rest)}")
    if rest:
        options.words = options.words + rest
    if options.csv and options.json:
        parser.error(f"{options.command}: give --csv or --json, not both")
    return options


@cache
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="dicebase", description="A tablebase for games of chance.")
    parser.set_defaults(csv=False, plan=False, values=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    folder = {"metavar": "DIR", "help": "results folder (default: results)"}
    parser.add_argument("--results", default="results", **folder)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        # The option may come before or after the command; SUPPRESS keeps the first value if there is no second.
        sub.add_argument("--results", default=argparse.SUPPRESS, **folder)
        return sub

    _add_questions(command)
    _add_policies(command)
    _add_builds(command)
    return parser


def _takes_a_variant(command: argparse.ArgumentParser) -> None:
    command.add_argument("table")
    command.add_argument("words", **WORDS, help="parameters")


def _add_questions(command: Command) -> None:
    """Add the commands that ask solved tables."""
    tables = command("tables", "List what is solved: parameters, value of the game, error bound.")
    tables.add_argument("table", nargs="?", help="list the variants of this table only")
    lookup = command("lookup", "Rank all actions at a position, best first.")
    lookup.add_argument("table")
    position = {**WORDS, "metavar": "POSITION or name=value"}
    lookup.add_argument("words", **position, help="the position as one text, or state columns; then parameters")
    kinds = ".parquet, .csv or .arrow"
    lookup.add_argument("--from", dest="source", metavar="FILE", help=f"answer the positions in this file ({kinds})")
    lookup.add_argument("--to", dest="target", metavar="FILE", help=f"write the answers to this file ({kinds})")
    lookup.add_argument("--why", action="store_true", help="also show each roll's probability of a loss and mean gain")
    lookup.add_argument("--actions", action="store_true", help="with --from: write a row for each action")
    lookup.add_argument("--strict", action="store_true", help="with --from: fail if a position is not in the table")
    cite = command("cite", "Print a BibTeX entry for a table, or for the answer at a position.")
    cite.add_argument("table")
    cite.add_argument("words", **position, help="the position, if any, as for lookup; then parameters")
    text = "Describe a table (rules, parameters, columns, an example) or a game (its rule sets)."
    describe = command("describe", text)
    describe.add_argument("table", help="a table or a game")
    describe.add_argument("words", **WORDS, help="for a game: only this definition, such as rules=farkle")
    describe.add_argument(
        "--config", action="append", metavar="FILE", help="for a game: read definitions from this file"
    )
    play = command("play", "Play a game against the table, with hints and a summary of your mistakes.")
    record = command("record", "Write down a game by answering questions, for `dicebase review`.")
    record.add_argument("-o", "--output", required=True, metavar="FILE", help="the new record (.csv)")
    trial = command("try", "Try a rules file: play ten random moves, and count positions.")
    trial.add_argument("file", help="the rules of a board (.py)")
    trial.add_argument("words", **WORDS, help="parameters")
    for sub in (play, trial):
        sub.add_argument("--seed", type=int, metavar="N", help="seed of the dice, to repeat a game")
    sql = command("sql", "Run a query over the views.")
    sql.add_argument("query")
    sql.add_argument("--unrestricted", action="store_true", help="let it read and write files, and load extensions")
    sql.add_argument("--csv", action="store_true", help="as CSV")
    sql.add_argument("--limit", type=_from(0), metavar="N", help=f"so many rows; 0: all ({SHOWN} on a terminal)")
    export = command("export", "Write the rows of a table, its model, or a certificate that other programs can check.")
    form = export.add_mutually_exclusive_group(required=True)
    form.add_argument("--csv", dest="form", action="store_const", const="csv", help="comma-separated values")
    form.add_argument("--json", dest="form", action="store_const", const="json", help="an array of objects")
    form.add_argument("--xlsx", dest="form", action="store_const", const="xlsx", help="an Excel workbook; needs -o")
    kinds = "a .npz, .parquet or .drn file"
    form.add_argument("--model", metavar="FILE", help=f"states, actions and outcomes of one variant, as {kinds}")
    form.add_argument("--certificate", metavar="FILE", help="the model with bounds that a verified program can check")
    export.add_argument("--actions", action="store_true", help="one row per state and action, not per state")
    export.add_argument("-o", "--output", metavar="FILE", help="the file to write (standard output)")
    review = command("review", "A recorded game: what each decision gave up, and how lucky each roll was.")
    review.add_argument("file", help="the record (.csv): its table, its columns, then what happened")
    review.add_argument("--csv", action="store_true", help="as CSV, a row for each roll and decision")
    for sub in (export, play, record):
        _takes_a_variant(sub)
    for sub in (tables, describe, lookup, sql, review):
        sub.add_argument("--json", action="store_true", help="print JSON")


def _add_policies(command: Command) -> None:
    """Add the commands about policies."""
    evaluate = command("evaluate", "What a policy earns, and the mistakes that cost it most.")
    evaluate.add_argument("--policy", required=True, metavar="POLICY", help="a name, lines or a file (.csv, .parquet)")
    evaluate.add_argument("--against", default="optimal", metavar="POLICY", help="the opponent (default: optimal)")
    grade = command("grade", "Grade a file of decisions: which are wrong, and what they lose.")
    grade.add_argument("file", help="the decisions: a .csv or .parquet file with state columns and `action`")
    which = "the table, if the columns fit several; then parameters"
    grade.add_argument("words", **{**WORDS, "metavar": "TABLE or name=value"}, help=which)
    simplify = command("simplify", "The best card of a few numbers, what it loses, and whether it is proved best.")
    simplify.add_argument("--config", action="append", metavar="FILE", help="read definitions of names from this file")
    simplify.add_argument("--numbers", type=_from(1), default=3, metavar="N", help="numbers on the card (default: 3)")
    simplify.add_argument(
        "-o", "--output", metavar="FILE", help="also print the card: a .pdf, .html, .svg or .png file"
    )
    profile = command("profile", "Profile a duel, or a grid of its rules: first move, skill, length, close decisions.")
    profile.add_argument("-o", "--output", metavar="FILE", help="also draw the profile: a .pdf, .svg or .png file")
    card = command("card", "Make a one-page policy to print, or a strategy chart of a table, and say what it costs.")
    card.add_argument("game", help="a game with duels, or a table such as blackjack_return")
    card.add_argument("words", **WORDS, help="parameters of its duel or of the table")
    kinds = "a .pdf, .html, .svg or .png; chart: .html, .txt"
    card.add_argument("-o", "--output", required=True, metavar="FILE", help=kinds)
    card.add_argument("--config", action="append", metavar="FILE", help="read definitions of names from this file")
    for sub in (evaluate, simplify, profile):
        _takes_a_variant(sub)
    for sub in (evaluate, grade, simplify, profile, card):
        sub.add_argument("--json", action="store_true", help="print JSON")


def _add_builds(command: Command) -> None:
    """Add the commands that serve, make and check tables."""
    serve = command("serve", "Answer lookups over HTTP as JSON; needs the extra `serve`.")
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen at (127.0.0.1)")
    serve.add_argument("--port", default=8000, type=int, metavar="N", help="port; 0: any free one (default: 8000)")
    sql = "also answer POST /v1/sql: queries in a sandbox with limits of time and memory"
    serve.add_argument("--sql", action="store_true", help=sql)
    solve = command("solve", "Solve and certify one variant of a table without the pipeline, and add it to DIR.")
    solve.add_argument("--store", default=ROWS, choices=(ROWS, STARTS), help="starts: store only the starts of turns")
    solve.add_argument("--force", action="store_true", help="solve even if it needs more memory than this machine has")
    _takes_a_variant(solve)
    same = {"default": argparse.SUPPRESS, "metavar": "DIR", "help": "same as --results"}
    solve.add_argument("-o", "--output", dest="results", **same)
    verify = command("verify", "Certify tables again, from the rules alone.")
    verify.add_argument("results", nargs="?", **same)
    only = verify.add_mutually_exclusive_group()
    only.add_argument("--plan", action="store_true", help="only check that tables match the configuration")
    only.add_argument("--values", action="store_true", help="only compare values with those of the release")
    fetch = command("fetch", "Fetch the tables of a release, check their digests, and unpack them into DIR.")
    fetch.add_argument("source", metavar="PATH-OR-URL", help="the folder of a release, or its archive of tables")
    fetch.add_argument("--verify", action="store_true", help="also certify the tables again; needs the extra `build`")
    guess = command("estimate", "Estimate the time and memory of building the configuration from nothing.")
    for sub in (verify, fetch, guess):
        sub.add_argument("--cores", type=_from(1), default=os.cpu_count(), metavar="N", help="how many are used (all)")
    for sub in (solve, verify, guess):
        sub.add_argument("--config", action="append", metavar="FILE", help=f"configuration, may be repeated ({CONFIG})")


def _from(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers that raises ArgumentTypeError for a number below `least`."""

    def read(text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) < 19 and int(text) >= least:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not allowed; give a whole number, at least {least}")

    return read


def why_failed(error: BaseException, options: argparse.Namespace) -> str | None:
    """Return why a command failed, in one line; None for a bug in dicebase."""
    if isinstance(error, UnicodeEncodeError):
        remedy = "" if error.encoding == "utf-8" else "; set PYTHONUTF8=1"
        return f"standard output uses {error.encoding}, which cannot encode {error.object[error.start]!a}{remedy}"
    if isinstance(error, OSError) and error.errno in FULL and not error.filename:
        discard(sys.stdout)
        return failure(error, options.command, "standard output")
    if isinstance(error, ModuleNotFoundError) and not line_of_rules(error):
        command = "export --xlsx" if getattr(options, "form", "") == "xlsx" else options.command
        extra = f"pip install 'dicebase[{EXTRAS.get(command, 'build')}]'"
        return f"{options.command}: {error.name} is not installed; {extra}"
    return failure(error, options.command, options.results)
