"""From the rules of a variant to its rows: one file a match format, which chooses the solver and makes the table.

Each has a function `tabulate(game)` that returns Rows, or yields them part by part where they are many, and that also
takes `threads` where solving can use several; this module runs it over the variants of a slice.
"""

import sys
import time
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from dicebase.errors import ConfigurationError
from dicebase.find import find_table
from dicebase.tables import Rows, SliceWriter
from dicebase.threads import ahead


def solve_slice(key: Mapping[str, Any], folder: Path, threads: int = 1) -> None:
    """Solve the variants that a key names (see plan.py) and write folder/{states,actions}.parquet, both or neither.

    threads : the most to use; the rows do not depend on it. Raises ConfigurationError below one.
    """
    if threads < 1:
        raise ConfigurationError(f"threads: {threads} is not a whole number above 0")
    table = find_table(key["table"])
    tabulate = import_module(f"dicebase.tabulate.{table.match}").tabulate
    if "threads" in signature(tabulate).parameters:
        tabulate = partial(tabulate, threads=threads)
    writer = None
    try:
        for number, values in enumerate(key["variants"], start=1):
            variant = dict(zip(key["parameters"], values, strict=True))
            started = time.perf_counter()
            place = f"{table.name} {' '.join(f'{name}={value}' for name, value in variant.items())}"
            try:
                game = table.build(variant, key["definitions"])
                made = tabulate(game)
                writer = writer or SliceWriter(folder, table, game.stored, key)
                for rows in [made] if isinstance(made, Rows) else ahead(made, threads):
                    writer.add(variant, rows, game.stored)
            except ConfigurationError as error:
                raise type(error)(f"{place}: {error}") from error
            writer.end(variant, rows.exact, game.stored.note, time.perf_counter() - started)
            print(f"{place}: {number} of {len(key['variants'])} variants", file=sys.stderr)
        writer.close()
    except BaseException:
        if writer:
            writer.abandon()
        raise
