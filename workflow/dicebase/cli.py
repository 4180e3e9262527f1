"""The command `dicebase`."""

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NoReturn

from dicebase.show import text as show
from dicebase.vocabulary import ROWS, STARTS, ConfigurationError, DicebaseError, pairs

CONFIG = "config/config.yaml"
SHOWN = 100
"""Rows of a query that a terminal is shown where nobody says how many."""
EXTRAS = {"lookup": "arrow", "serve": "serve"}
"""What a command needs that the package alone has not; others need `build`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it worked, 1 when a verification failed, 2 for wrong input, 130 on Ctrl-C."""
    options = _parse(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is loaded: a second thread spins
    # The last collection then has nothing to look at; DuckDB complains of what it does not get back.
    atexit.register(lambda: "duckdb" in sys.modules or gc.freeze())
    try:
        code = options.run(options) or 0
        sys.stdout.flush()
        return code
    except DicebaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        extra = f"pip install 'dicebase[{EXTRAS.get(options.command, 'build')}]'"
        print(f"error: {options.command}: {error.name} is not installed; {extra}", file=sys.stderr)
        return 2
    except (ArithmeticError, MemoryError) as error:
        print(f"error: {options.command}: {type(error).__name__}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever reads has read enough, as in `dicebase tables | head`; nothing is left to be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"error: {error.filename or options.results}: {error.strerror or error}", file=sys.stderr)
        return 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}; see '{self.prog} --help'\n")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"dicebase {version('dicebase')}")
        parser.exit(0)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    # argparse takes words such as turn_total=20 only before the first option: `lookup pig_turn --json turn_total=20`.
    if rest and ("words" not in options or any(word.startswith("-") for word in rest)):
        parser.error(f"not understood: {' '.join(rest)}")
    if rest:
        options.words += rest
    if getattr(options, "csv", False) and options.json:
        parser.error(f"{options.command}: give --csv or --json, not both")
    return options


@cache
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="dicebase", description="A tablebase for games of dice.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    folder = {"metavar": "DIR", "help": "folder of the tables (results)"}
    parser.add_argument("--results", default="results", **folder)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        # Before the command or after it; where it is not given here, the one given there stays.
        sub.add_argument("--results", default=argparse.SUPPRESS, **folder)
        sub.set_defaults(run=run)
        return sub

    tables = command("tables", _tables, "What is solved: parameters, value of the game, error bound.")
    tables.add_argument("table", nargs="?", help="only the variants of this table")
    lookup = command("lookup", _lookup, "All actions at a position, best first.")
    lookup.add_argument("table")
    lookup.add_argument("words", nargs="*", metavar="name=value", help="state columns and parameters")
    kinds = ".parquet, .csv or .arrow"
    lookup.add_argument("--from", dest="source", metavar="FILE", help=f"answer the positions in this file ({kinds})")
    lookup.add_argument("--to", dest="target", metavar="FILE", help=f"and write them here with their answers ({kinds})")
    lookup.add_argument("--why", action="store_true", help="also: how likely its roll is lost, and its mean gain")
    lookup.add_argument("--actions", action="store_true", help="of a file: a row for each action of a position")
    lookup.add_argument("--strict", action="store_true", help="refuse positions that the table does not have")
    text = "How a table's game is played, its parameters and columns, an example; or the cards of a game."
    describe = command("describe", _describe, text)
    describe.add_argument("table", help="a table or a game")
    describe.add_argument("words", nargs="*", metavar="name=value", help="of a game, those alone: rules=farkle")
    describe.add_argument("--config", nargs="+", metavar="FILE", help="of a game, as a configuration defines them")
    play = command("play", _play, "A game against the table, with hints, and a verdict at the end.")
    play.add_argument("--seed", type=int, metavar="N", help="the same dice again")
    sql = command("sql", _sql, "Any query over the views.")
    sql.add_argument("query")
    sql.add_argument("--unrestricted", action="store_true", help="let it read and write files, and load extensions")
    sql.add_argument("--csv", action="store_true", help="as CSV")
    sql.add_argument("--limit", type=_from(0), metavar="N", help=f"so many rows; 0: all ({SHOWN} on a terminal)")
    review = command("review", _review, "A recorded game: what each decision gave up, and how lucky each roll was.")
    review.add_argument("file", help="the record (.csv): its table, its columns, then what happened")
    review.add_argument("--csv", action="store_true", help="as CSV, a row for each roll and decision")
    evaluate = command("evaluate", _evaluate, "What a policy of a duel earns, and the mistakes that cost it most.")
    evaluate.add_argument("--policy", required=True, metavar="POLICY", help="a name, or a file (.csv or .parquet)")
    evaluate.add_argument("--against", default="optimal", metavar="POLICY", help="whom it plays (optimal)")
    for sub in (tables, describe, lookup, sql, review, evaluate):
        sub.add_argument("--json", action="store_true", help="for machines")
    card = command("card", _card, "One page to print: what to keep, when to stop, and what so simple a play gives up.")
    card.add_argument("game")
    card.add_argument("words", nargs="*", metavar="name=value", help="parameters of its duel")
    card.add_argument("-o", "--output", required=True, metavar="FILE", help="a file of kind .pdf, .svg or .png")
    card.add_argument("--config", nargs="+", metavar="FILE", help="a configuration that defines names, not the tables")
    serve = command("serve", _serve, "Lookups over HTTP, as JSON; needs the extra `serve`.")
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (127.0.0.1)")
    serve.add_argument("--port", default=8000, type=int, metavar="N", help="0: any free one (8000)")
    solve = command("solve", _solve, "Solve one variant of a table without the pipeline, certify it, add it to DIR.")
    solve.add_argument("--store", default=ROWS, choices=(ROWS, STARTS), help="matches by the starts of turns (rows)")
    solve.add_argument("--force", action="store_true", help="even if it takes more memory than this machine has")
    same = {"default": argparse.SUPPRESS, "metavar": "DIR", "help": "same as --results"}
    solve.add_argument("-o", "--output", dest="results", **same)
    verify = command("verify", _verify, "Certify tables again, from the rules alone.")
    verify.add_argument("results", nargs="?", **same)
    only = verify.add_mutually_exclusive_group()
    only.add_argument("--plan", action="store_true", help="only: are they what the configuration asks for?")
    only.add_argument("--values", action="store_true", help="only: are they the values of the build that was released?")
    guess = command("estimate", _estimate, "What building the configuration from nothing will take.")
    guess.add_argument("--cores", type=_from(1), default=os.cpu_count(), metavar="N", help="jobs at a time (all cores)")
    for sub in (play, evaluate, solve):
        sub.add_argument("table")
        sub.add_argument("words", nargs="*", metavar="name=value", help="parameters")
    for sub in (solve, verify, guess):
        sub.add_argument("--config", default=[CONFIG], nargs="+", metavar="FILE", help=f"the configuration ({CONFIG})")
    return parser


def _answer(options: argparse.Namespace, ask: Callable[[Any], Any], text: Callable[[Any], str]) -> None:
    """Print what the catalogue answers, as JSON or as text."""
    from dicebase.catalog.lookup import Catalog

    with Catalog(options.results) as catalog:
        answer = ask(catalog)
    print(show.as_json(answer) if options.json else text(answer))


def _tables(options: argparse.Namespace) -> None:
    _answer(options, lambda catalog: catalog.tables(options.table), show.tables_text)


def _describe(options: argparse.Namespace) -> None:
    given = pairs(options.words, options.table)

    def text(answer: Any) -> str:
        return show.game_text(answer) if "game" in answer else show.description_text(answer, options.results)

    if not options.config:
        return _answer(options, lambda catalog: catalog.describe(options.table, **given), text)
    from dicebase.catalog.description import describe_game

    answer = describe_game(options.table, given, _defined_in(options.config, options.table))
    print(show.as_json(answer) if options.json else text(answer))


def _defined_in(config: Sequence[str], game: str) -> dict[str, Any]:
    """What the names of a game stand for in a configuration."""
    from dicebase.pipeline import configuration

    return configuration.read(list(config)).get("definitions", {}).get(game, {})


def _card(options: argparse.Namespace) -> None:
    from dicebase.policies.cards import make_card
    from dicebase.show import cards

    path = Path(options.output)
    cards.check_name(path)
    if options.config:
        definitions = _defined_in(options.config, options.game)
    else:
        from dicebase.catalog.description import solved_definitions
        from dicebase.catalog.lookup import Catalog

        with Catalog(options.results) as catalog:
            definitions = solved_definitions(catalog.solved_tables, options.game)
    card = make_card(options.game, pairs(options.words, options.game), definitions)
    cards.draw(card, path)
    print("\n".join([f"{path}: written", *cards.given_up(card)]))


def _lookup(options: argparse.Namespace) -> None:
    position = pairs(options.words, options.table)
    if options.source or options.target or options.strict or options.actions:
        return _lookup_many(options)
    from dicebase.catalog.lookup import Catalog
    from dicebase.show.picture import picture

    with Catalog(options.results) as catalog:
        answer = catalog.lookup(options.table, **position)
        table = catalog.solved(options.table)
        draws = table.match.layout.decides and not options.json
        drawn = picture(table.rules(answer["parameters"]), answer["state"]) if draws else []
    print(show.as_json(answer) if options.json else show.lookup_text(answer, options.why, drawn))


def _play(options: argparse.Namespace) -> None:
    from dicebase.catalog.lookup import Catalog
    from dicebase.show.play import play

    with Catalog(options.results) as catalog:
        play(catalog, options.table, pairs(options.words, options.table), options.seed)


def _lookup_many(options: argparse.Namespace) -> None:
    from dicebase.catalog.batch_files import answer_file
    from dicebase.catalog.lookup import Catalog
    from dicebase.vocabulary.progress import reporter

    if not (options.source and options.target) or options.words or options.json or options.why:
        what = "--from FILE --to FILE [--strict] [--actions], the parameters being columns of the file"
        raise ConfigurationError(f"{options.table}: to answer a file of positions give {what}, and nothing else")
    with Catalog(options.results) as catalog:
        source, target = Path(options.source), Path(options.target)
        how = options.strict, reporter("row"), options.actions
        rows, unknown = answer_file(catalog, options.table, source, target, *how)
    left = f", {unknown} not in the table" if unknown else ""
    print(f"{target}: {rows - unknown} of {rows} positions answered{left}")


def _review(options: argparse.Namespace) -> None:
    text = show.review_csv if options.csv else show.review_text
    _answer(options, lambda catalog: catalog.review(options.file), text)


def _sql(options: argparse.Namespace) -> None:
    from dicebase.catalog.lookup import Catalog

    limit = SHOWN if options.limit is None and sys.stdout.isatty() else options.limit
    with Catalog(options.results, unrestricted=options.unrestricted) as catalog:
        names, parts = catalog.stream(options.query)
        more = False
        if limit:
            rows = list(islice(chain.from_iterable(parts), limit + 1))
            more, parts = len(rows) > limit, iter([rows[:limit]])
        form = show.rows_json if options.json else show.rows_csv if options.csv else show.rows_text
        sys.stdout.writelines(form(names, parts))
    if more:
        print(f"the first {limit} rows; --limit N shows more, --limit 0 all", file=sys.stderr)


def _evaluate(options: argparse.Namespace) -> None:
    from dicebase.policies import report

    parameters = pairs(options.words, options.table)
    answer = report(options.results, options.table, options.policy, options.against, **parameters)
    print(show.as_json(answer) if options.json else show.evaluation_text(answer))


def _serve(options: argparse.Namespace) -> None:
    from dicebase.show import http

    started = partial(print, "dicebase answers at", flush=True)
    http.run(options.results, options.host, options.port, started=started)


def _solve(options: argparse.Namespace) -> None:
    from dicebase.pipeline.solve_one import solve_one

    parameters = pairs(options.words, options.table)
    config = [Path(p) for p in options.config]
    solve_one(options.table, parameters, Path(options.results), config, options.store, options.force)
    print(f"{options.table}: solved and certified in {options.results}")


def _verify(options: argparse.Namespace) -> int:
    from dicebase.pipeline.verify import verify_plan, verify_tables

    failures = 0
    if options.plan:
        checks = verify_plan(Path(options.results), [Path(p) for p in options.config])
    elif options.values:
        from dicebase.pipeline.second_build import compare_values

        checks = compare_values(Path(options.results))
    else:
        checks = verify_tables(Path(options.results))
    for place, problem in checks:
        failures += problem is not None
        print(f"{place}: {problem or 'holds'}", file=sys.stderr if problem else sys.stdout, flush=True)
    return 1 if failures else 0


def _estimate(options: argparse.Namespace) -> None:
    from dicebase.pipeline import configuration
    from dicebase.pipeline.costs import all_jobs, estimate, read_costs
    from dicebase.pipeline.plan import make_plan

    plan = make_plan(configuration.read(options.config))
    print(estimate(read_costs().of(plan, all_jobs(plan)), options.cores))


def _from(least: int) -> Callable[[str], int]:
    """Reads a whole number of the command line; raises ArgumentTypeError unless it is at least so much."""

    def read(text: str) -> int:
        if text.isdecimal() and len(text) < 19 and int(text) >= least:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not allowed; give a whole number, at least {least}")

    return read
