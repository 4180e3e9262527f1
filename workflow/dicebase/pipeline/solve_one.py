"""Solve one variant of one table, from the rules to the catalogue, without the workflow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import dicebase.games as games
from dicebase.catalog.lookup import Catalog
from dicebase.certify.certificate import checked_key
from dicebase.pipeline import configuration, steps
from dicebase.pipeline.configuration import DEFAULT
from dicebase.pipeline.costs import RULES, least_memory, memory_here, read_costs
from dicebase.pipeline.lock import hold
from dicebase.pipeline.plan import Slice, connected, make_slice, slice_name
from dicebase.tables.layout import DATAPACKAGE, FOLDERS, TABLES, VALUES, SliceFiles, slices_in
from dicebase.tables.names import Definitions, Table, Variant, find_table
from dicebase.tables.parquet import read_footer
from dicebase.vocabulary import ROWS, ConfigurationError, DicebaseError, Json, MissingTableError, words

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


def solve_one(
    name: str,
    given: Mapping[str, object],
    results: Path,
    config: Sequence[Path] = (DEFAULT,),
    store: str = ROWS,
    force: bool = False,
    shown: bool = True,
) -> None:
    """Solve and certify a variant, and add it to the tables and the catalogue in `results`.

    given : the parameters; the others have the values of the paper.
    config : files that define names such as rule sets. They may be missing if no parameter needs a definition.
    store : ROWS, or STARTS to store only the starts of turns.
    force : solve even if the variant needs more memory than this machine has.
    shown : also write the explorer.

    Raises ConfigurationError for wrong parameters, MissingTableError for an unknown table, and DicebaseError with the
    certifier's message if the table is not certified; then its files are removed.
    """
    table = _table(name, config)
    definitions: Definitions = {}
    defined = [p for p in table.parameters if p.defined]
    # Read the default configuration only if it exists or is needed; always read one that the caller names.
    if list(config) != [DEFAULT] or any(not p.text for p in defined) or (defined and DEFAULT.is_file()):
        definitions = configuration.read_definitions(config).get(table.game, {})
    variants = table.expanded(table.variant(given, definitions, name), definitions)
    pieces = [make_slice(table, slice_name(v), [v], definitions, store) for v in variants]
    pieces = list(connected({(name, piece.name): piece for piece in pieces}).values())
    for piece in () if force else pieces:
        _refuse_large(piece)
    with hold(results, f"dicebase solve {name}"):
        for piece in pieces:
            _refuse_a_second_copy(results, name, piece.name, piece.variants[0])
            steps.solve(results, piece.key)
            try:
                certify_in_new_process(results, name, piece.name, piece.certificate_key)
            except DicebaseError:
                for folder in FOLDERS:
                    SliceFiles(results, name, piece.name).within(folder).unlink(missing_ok=True)
                raise
        there = [place for place in slices_in(results) if _is_certified(SliceFiles(results, *place))]
        steps.catalog(results, there)
        steps.map_rows(results, there)
        if shown:
            steps.explorer(results)
        if (results / DATAPACKAGE).exists():  # the workflow wrote here: renew its other outputs, except pictures
            steps.datapackage(results, there)
            steps.audit(results)
            steps.pages(results)


def certify_in_new_process(results: Path, table: str, name: str, key: str) -> None:
    """Run `steps.certify` in a new process. Raises DicebaseError with the message of that process.

    Its hash seed differs from the solver's, so rules whose answers depend on the order of a set do not give both the
    same answers.
    """
    words = [sys.executable, "-P", "-m", "dicebase.pipeline.jobs", "certify", key, table, name]
    places = {"DICEBASE_GAMES": games.__path__[1:], "PYTHONPATH": sys.path}
    found = {variable: os.pathsep.join(map(os.path.abspath, paths)) for variable, paths in places.items()}
    variables = os.environ | found | {"PYTHONHASHSEED": "random"}
    error = "the process that certifies ended without a message"
    with subprocess.Popen(
        [*words, "--results", results.resolve()], stderr=subprocess.PIPE, text=True, env=variables
    ) as certifier:
        for line in certifier.stderr:
            if line.startswith("error: "):
                error = line.removeprefix("error: ").strip()
            elif not line.startswith("took "):
                sys.stderr.write(line)
    if certifier.returncode:
        raise DicebaseError(error)


def _table(name: str, config: Sequence[Path]) -> Table:
    """Return the table of that name; raises MissingTableError, which says whether a configuration defines the name."""
    try:
        return find_table(name)
    except MissingTableError as error:
        defined: Json = {}
        with suppress(ConfigurationError):  # the name of the table is wrong in any case
            defined = configuration.read_definitions([path for path in config if path.is_file()])
        for game, parameters in defined.items():
            for parameter in (p for p, names in parameters.items() if name in names):
                raise MissingTableError(f"there is no table '{name}'; it is in {game}_* {parameter}={name}") from error
        raise


class OpenTable:
    """A solved table with one variant, open for lookups; a context manager. `catalog` holds it."""

    def __init__(
        self, name: str, given: Mapping[str, object], results: str | Path | None, config: Sequence[str | Path] = ()
    ) -> None:
        self._temporary = TemporaryDirectory(prefix="dicebase-") if results is None else None
        folder = self._temporary.name if self._temporary else results
        solve_one(name, given, Path(folder), [*map(Path, config)] or (DEFAULT,), shown=results is not None)
        self.name, self.catalog = name, Catalog(folder)
        known = find_table(name)
        self.parameters = {p.name: given.get(p.name, p.default) for p in known.parameters}

    def lookup(self, position: str | None = None, /, **given: Any) -> Json:
        """Return all legal actions of a position of this variant, best first; see Catalog.lookup."""
        return self.catalog.lookup(self.name, position, **self.parameters | given)

    def lookup_many(self, frame: object) -> pa.Table:
        """Answer many positions of this variant; see Catalog.lookup_many."""
        import pyarrow as pa

        from dicebase.catalog.ask.many_positions import as_table

        rows = as_table(frame, self.name)
        added = [name for name in self.parameters if name not in rows.column_names]
        for name in added:
            rows = rows.append_column(name, pa.repeat(self.parameters[name], rows.num_rows))
        return self.catalog.lookup_many(self.name, rows).drop_columns(added)

    def sql(self, query: str, parameters: object = None) -> duckdb.DuckDBPyRelation:
        """Run a query over the views; see Catalog.sql."""
        return self.catalog.sql(query, parameters)

    def close(self) -> None:
        """Close the files, and remove the folder if it is temporary."""
        self.catalog.close()
        if self._temporary:
            self._temporary.cleanup()

    def __enter__(self) -> OpenTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_certified(files: SliceFiles) -> bool:
    """Return whether a slice is certified. If a failed run has left it incomplete, report it and return False."""
    try:
        return bool(checked_key(files))
    except DicebaseError as error:
        print(f"{files}: left out: {error}", file=sys.stderr)
        return False


def _refuse_large(piece: Slice) -> None:
    """Raise ConfigurationError if a slice needs more memory than this machine has."""
    costs = [cost.memory for rule in RULES if (cost := read_costs().of_slice(rule, piece))]
    needed, there = max([*costs, least_memory(piece)]), memory_here()
    if needed > there:
        said = f"would take about {needed:,.0f} MB of memory; this machine has {there:,.0f}; --force tries it"
        raise ConfigurationError(f"{piece.table.name} {words(piece.variants[0])}: {said}")


def _refuse_a_second_copy(results: Path, table: str, name: str, variant: Variant) -> None:
    """Raise ConfigurationError if another slice holds the variant: every view would list it twice."""
    for folder in (TABLES, VALUES):
        for other in sorted((results / folder / table).glob("[!.]*.parquet")):
            variants = [v["parameters"] for v in read_footer(other)["variants"]]
            if other.stem != name and variant in variants:
                raise ConfigurationError(f"{results}: {other} already holds this variant; write to another folder")
