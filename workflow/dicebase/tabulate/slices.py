"""Make the tables of a slice.

Each family has a module with one function per match format. The function takes the listing of a variant, calls the
solver, and yields Rows, in parts if there are many.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module

import numpy as np

from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import Table, find_table
from dicebase.tables.parquet import open_parquet
from dicebase.tables.rules_files import reversed_copy
from dicebase.tables.writer import Rows, slice_writer
from dicebase.vocabulary import ConfigurationError, Json, check_rules
from dicebase.vocabulary.arithmetic.garbage_collection import without_garbage_collection


@without_garbage_collection()
def solve_slice(key: Json, files: SliceFiles) -> None:
    """Solve the variants of a key (see pipeline/plan.py) and write all their files, or none if one fails."""
    table = find_table(key["table"])
    tabulate = tabulator(table)
    with ExitStack() as stack:
        writer = None
        for number, values in enumerate(key["variants"], start=1):
            variant = dict(zip(key["parameters"], values, strict=True))
            started = time.perf_counter()
            place = " ".join([table.name, *(f"{name}={value}" for name, value in variant.items())])
            try:
                listing = table.build(variant, key["definitions"])
                check_rules(listing.rules, table.build_rules(variant, key["definitions"], reversed_copy))
                listing = listing.stored_by(key["store"])
                needed = [_values(SliceFiles(files.results, files.table, name)) for name in key["needs"].values()]
                for rows in tabulate(listing, needed) if needed else tabulate(listing):
                    writer = writer or stack.enter_context(slice_writer(files, table, listing, key))
                    writer.add(variant, rows)
            except ConfigurationError as error:
                raise type(error)(f"{place}: {error}") from error
            writer.end(variant, rows, time.perf_counter() - started)
            print(f"{place}: {number} of {len(key['variants'])} variants", file=sys.stderr)


def tabulator(table: Table) -> Callable[..., Iterator[Rows]]:
    """Return the function that makes a table's rows."""
    module, _, function = table.tabulator.rpartition(".")
    return getattr(import_module(module), function)


def _values(files: SliceFiles) -> np.ndarray:
    """Return the stored values of a variant on which another variant depends, in row order."""
    return open_parquet(files.rows).read(columns=["value"])["value"].to_numpy()
