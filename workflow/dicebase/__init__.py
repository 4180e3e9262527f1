"""dicebase: a tablebase for games of chance.

>>> import dicebase
>>> db = dicebase.open("results")
>>> db.lookup("pig_turn", turn_total=20)
>>> dicebase.solve("pig_duel", target=50).lookup(me=30, opponent=40, turn_total=10)

DuckDB, PyArrow and Numba are imported on first use, so importing a rules file is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicebase.vocabulary import (
    ConfigurationError,
    DamagedFileError,
    DicebaseError,
    LimitError,
    MissingStateError,
    MissingTableError,
    QueryError,
    RefusedError,
    TimeLimitError,
)

if TYPE_CHECKING:
    from pathlib import Path

    from dicebase.catalog.lookup import Catalog
    from dicebase.catalog.sandbox.sandbox import Limits
    from dicebase.pipeline.solve_one import OpenTable

__all__ = [
    "Catalog",
    "ConfigurationError",
    "DamagedFileError",
    "DicebaseError",
    "LimitError",
    "Limits",
    "MissingStateError",
    "MissingTableError",
    "QueryError",
    "RefusedError",
    "TimeLimitError",
    "open",
    "solve",
]


def open(
    results: str | Path = "results",
    *,
    memory_limit: str = "1GB",
    read_only: bool = True,
    untrusted: bool = False,
    unrestricted: bool = False,
    limits: Limits | None = None,
) -> Catalog:
    """Open the tables of a results folder; Catalog (dicebase/catalog/lookup.py) explains the options."""
    from dicebase.catalog.lookup import Catalog

    return Catalog(
        results,
        memory_limit=memory_limit,
        read_only=read_only,
        untrusted=untrusted,
        unrestricted=unrestricted,
        limits=limits,
    )


def solve(table: str, /, *, results: str | Path | None = None, **parameters: int | str) -> OpenTable:
    """Solve and certify one variant of a table, and open it.

    Parameters that you leave out have the values of the paper.

    results : the results folder to add the variant to; by default a temporary folder, which is deleted when you close
        the returned table.

    Raises ConfigurationError for wrong parameters and MissingTableError for an unknown table.
    """
    from dicebase.pipeline.solve_one import OpenTable

    return OpenTable(table, parameters, results)


def __getattr__(name: str) -> object:
    """Import Catalog, Limits and the version on first use."""
    if name == "Catalog":
        from dicebase.catalog.lookup import Catalog

        return Catalog
    if name == "Limits":
        from dicebase.catalog.sandbox.sandbox import Limits

        return Limits
    if name == "__version__":
        from importlib.metadata import version

        return version("dicebase")
    raise AttributeError(f"module 'dicebase' has no attribute {name!r}")
