"""The command `dicebase`."""

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from dicebase.catalog.json_text import as_json
from dicebase.show import text as show
from dicebase.show.command_line import CONFIG, SHOWN, parse, why_failed
from dicebase.show.streams import discard, open_streams
from dicebase.vocabulary import ConfigurationError, pairs
from dicebase.vocabulary.arithmetic.garbage_collection import without_garbage_collection
from dicebase.vocabulary.progress import reporter


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 success, 1 failed verification, 2 wrong input, 130 Ctrl-C."""
    open_streams()
    options = without_garbage_collection()(parse)(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy reads this when it loads; a second thread would spin
    # Freezing skips the garbage collection at exit, but DuckDB needs that collection to release its objects.
    atexit.register(lambda: "duckdb" in sys.modules or gc.freeze())
    try:
        code = globals()[f"_{options.command}"](options) or 0  # the command NAME is the function _NAME
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader closed the pipe, as in `dicebase tables | head`; a verification is then incomplete.
        discard(sys.stdout, sys.stderr)
        return int(options.command == "verify")
    except BaseException as error:
        if not (why := why_failed(error, options)):
            raise
        with suppress(OSError):
            print(f"error: {why}", file=sys.stderr)
        return 2


def _opened(options: argparse.Namespace, **how: bool) -> Any:
    """Open the catalogue, importing it only now."""
    from dicebase.catalog.lookup import Catalog

    return Catalog(options.results, **how)


def _answer(options: argparse.Namespace, ask: Callable[[Any], Any], text: Callable[[Any], str]) -> None:
    """Print an answer of the catalogue, as JSON or as text."""
    with _opened(options) as catalog:
        _print(options, ask(catalog), text)


def _print(options: argparse.Namespace, answer: Any, text: Callable[[Any], str]) -> None:
    print(as_json(answer) if options.json else text(answer))


def _given(options: argparse.Namespace) -> dict[str, str]:
    """Return the words `name=value`, by name."""
    return pairs(options.words, options.table)


def _tables(options: argparse.Namespace) -> None:
    _answer(options, lambda catalog: catalog.tables(options.table), show.tables_text)


def _describe(options: argparse.Namespace) -> None:
    from dicebase.catalog.description import describe_game
    from dicebase.pipeline.configuration import known_definitions
    from dicebase.tables.names import is_game

    if not (is_game(options.table) or options.config):
        text = partial(show.description_text, results=options.results)
        return _answer(options, lambda catalog: catalog.describe(options.table, **_given(options)), text)
    definitions = known_definitions(options.table, options.config, options.results)
    _print(options, describe_game(options.table, _given(options), definitions), show.game_text)


def _config(options: argparse.Namespace) -> list[Path]:
    return [Path(path) for path in options.config or [CONFIG]]


def _card(options: argparse.Namespace) -> None:
    from dicebase.pipeline.configuration import known_definitions, known_parameters
    from dicebase.policies.cards import make_card
    from dicebase.show import cards, charts
    from dicebase.show.pictures.page import check_name

    path = Path(options.output)
    if charts.is_table(options.game):
        given = pairs(options.words, options.game)
        return _answer(options, lambda catalog: charts.write_chart(catalog, options.game, given, path), charts.as_text)
    check_name(path)
    where = options.game, options.config, options.results
    given = known_parameters(*where) | pairs(options.words, options.game)
    card = make_card(options.game, given, known_definitions(*where))
    cards.draw(card, path)
    print(as_json(card) if options.json else "\n".join([f"{path}: written", *cards.given_up(card)]))


@without_garbage_collection()  # one lookup frees little memory before it ends
def _lookup(options: argparse.Namespace) -> None:
    text, given = _question(options)
    if options.source or options.target or options.strict or options.actions:
        return _lookup_many(options)
    from dicebase.families import family_of

    with _opened(options) as catalog:
        answer = catalog.lookup(options.table, text, **given)
        table, drawn = catalog.solved(options.table), []
        if table.match.layout.decides and not options.json:
            rules = table.rules(answer["parameters"])
            drawn = family_of(rules).picture(rules, answer["state"])
    _print(options, answer, partial(show.lookup_text, why=options.why, picture=drawn))


def _cite(options: argparse.Namespace) -> None:
    from dicebase.catalog.citation import cite

    with _opened(options) as catalog:
        print(cite(catalog, options.table, *_question(options)))


def _question(options: argparse.Namespace) -> tuple[str | None, dict[str, str]]:
    """Return the text of a position, if the first word is one, and the words `name=value`."""
    text = [word for word in options.words[:1] if "=" not in word]
    return (text or [None])[0], pairs(options.words[len(text) :], options.table)


def _play(options: argparse.Namespace) -> None:
    from dicebase.show.play import play

    with _opened(options) as catalog:
        play(catalog, options.table, _given(options), options.seed)


def _record(options: argparse.Namespace) -> None:
    from dicebase.show.record import record

    with _opened(options) as catalog:
        record(catalog, options.table, _given(options), Path(options.output))


def _try(options: argparse.Namespace) -> None:
    from dicebase.show.trial import trial

    print(*trial(options.file, pairs(options.words, options.file), options.seed), sep="\n")


def _lookup_many(options: argparse.Namespace) -> None:
    from dicebase.catalog.ask.files import answer_file

    if not (options.source and options.target) or options.words or options.json or options.why:
        what = "--from FILE --to FILE [--strict] [--actions], with parameters as columns of the file"
        raise ConfigurationError(f"{options.table}: to answer a file of positions, give only {what}")
    with _opened(options) as catalog:
        how = options.strict, reporter("row"), options.actions
        rows, unknown = answer_file(catalog, options.table, Path(options.source), Path(options.target), *how)
    left = f", {unknown} not in the table" if unknown else ""
    print(f"{options.target}: {rows - unknown} of {rows} positions answered{left}")


def _review(options: argparse.Namespace) -> None:
    text = show.review_csv if options.csv else show.review_text
    _answer(options, lambda catalog: catalog.review(options.file), text)


def _sql(options: argparse.Namespace) -> None:
    limit = SHOWN if options.limit is None and sys.stdout.isatty() else options.limit
    with _opened(options, unrestricted=options.unrestricted) as catalog:
        names, parts = catalog.stream(options.query)
        more = False
        if limit:
            rows = list(islice(chain.from_iterable(parts), limit + 1))
            more, parts = len(rows) > limit, iter([rows[:limit]])
        form = show.rows_json if options.json else show.rows_csv if options.csv else show.rows_text
        sys.stdout.writelines(form(names, parts))
    if more:
        print(f"the first {limit} rows; use --limit N to see more, --limit 0 to see all", file=sys.stderr)


def _export(options: argparse.Namespace) -> None:
    from dicebase.show.export import export

    if options.model or options.certificate:
        return _export_model(options)
    target = Path(options.output) if options.output else sys.stdout
    with _opened(options) as catalog:
        count = export(catalog, options.table, _given(options), options.form, target, options.actions)
    if options.output:
        print(f"{options.output}: {count} rows")


def _export_model(options: argparse.Namespace) -> None:
    from dicebase.show import certificate_file, model

    path = Path(options.model or options.certificate)
    if options.output or options.actions:
        raise ConfigurationError(f"{options.table}: give only parameters with --model or --certificate")
    with _opened(options) as catalog:
        solved = model.solved_variant(catalog.solved(options.table), _given(options))
        write = model.write_model if options.model else partial(certificate_file.write_certificate, catalog)
        print(f"{path}: {write(solved, path)}")


def _evaluate(options: argparse.Namespace) -> None:
    from dicebase.policies import report

    answer = report(options.results, options.table, options.policy, options.against, **_given(options))
    _print(options, answer, show.evaluation_text)


def _grade(options: argparse.Namespace) -> None:
    from dicebase.policies import grade

    options.table = options.file
    table, given = _question(options)
    _print(options, grade(options.results, options.file, table or "", **given), show.grade_text)


def _simplify(options: argparse.Namespace) -> None:
    from dicebase.pipeline.simplify import simplify

    asked = Path(options.results), options.table, _given(options) | {"numbers": options.numbers}
    _print(options, simplify(*asked, options.config or (), options.output), show.cards_text)


def _profile(options: argparse.Namespace) -> None:
    from dicebase.policies import profile
    from dicebase.show import profiles
    from dicebase.show.pictures.page import check_name

    if path := options.output and Path(options.output):
        check_name(path, profiles.KINDS)
    found = profile(options.results, options.table, **_given(options))
    if path:
        profiles.draw(found, path)
    _print(options, found, profiles.as_text)


def _serve(options: argparse.Namespace) -> None:
    from dicebase.show import http

    started = partial(print, "dicebase answers at", flush=True)
    http.run(options.results, options.host, options.port, started=started, sql=options.sql)


def _solve(options: argparse.Namespace) -> None:
    from dicebase.pipeline.solve_one import solve_one

    given, results = _given(options), Path(options.results)
    solve_one(options.table, given, results, _config(options), options.store, options.force)
    print(f"{options.table}: solved and certified in {options.results}")


def _fetch(options: argparse.Namespace) -> int:
    from dicebase.catalog.fetch import fetch

    if options.verify:
        import dicebase.pipeline.checks.verify  # noqa: F401 - name the missing extra before the download
    count = fetch(options.source, Path(options.results), reporter("fetched bytes:"))
    print(show.fetched_text(options.results, count), flush=True)
    return _verify(options) if options.verify else 0


def _verify(options: argparse.Namespace) -> int:
    from dicebase.pipeline.checks.verify import verify_plan, verify_tables

    failures, results = 0, Path(options.results)
    if options.plan:
        checks = verify_plan(results, _config(options))
    elif options.values:
        from dicebase.pipeline.checks.second_build import compare_values

        checks = compare_values(results)
    else:
        checks = verify_tables(results, options.cores, reporter("checked"))
    for place, problem in checks:
        failures += problem is not None
        print(f"{place}: {problem or 'holds'}", file=sys.stderr if problem else sys.stdout, flush=True)
    return 1 if failures else 0


def _estimate(options: argparse.Namespace) -> None:
    from dicebase.pipeline import configuration
    from dicebase.pipeline.costs import all_jobs, estimate, read_costs
    from dicebase.pipeline.plan import make_plan

    plan = make_plan(configuration.read(_config(options)))
    print(estimate(read_costs().of(plan, all_jobs(plan)), options.cores))
