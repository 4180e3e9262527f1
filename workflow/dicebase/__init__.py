"""dicebase: a tablebase for games of dice.

>>> import dicebase
>>> db = dicebase.open("results")
>>> db.lookup("pig_turn", turn_total=20)
>>> dicebase.solve("pig_duel", target=50).lookup(me=30, opponent=40, turn_total=10)

What is heavy (DuckDB, PyArrow, Numba) is imported on first use, so that importing a rules file costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dicebase.vocabulary import DicebaseError, LimitError, MissingStateError, MissingTableError, RefusedError

if TYPE_CHECKING:
    from pathlib import Path

    from dicebase.catalog.lookup import Catalog
    from dicebase.pipeline.solve_one import OpenTable

__all__ = [
    "DicebaseError",
    "LimitError",
    "MissingStateError",
    "MissingTableError",
    "RefusedError",
    "open",
    "solve_table",
]


def open(results: str | Path = "results", **options: Any) -> Catalog:
    """The tables of a results folder; see Catalog in dicebase/catalog/lookup.py."""
    from dicebase.catalog.lookup import Catalog

    return Catalog(results, **options)


def solve_table(table: str, /, *, results: str | Path | None = None, **parameters: Any) -> OpenTable:
    """`dicebase.solve(table, **parameters)`: solve and certify one variant of a table, and open it; parameters that are
    not given are those of the paper.

    results : the folder that gets it, beside what is there; a temporary one if none is given, gone with the table.

    Raises ConfigurationError for wrong parameters and MissingTableError for a table that is none.
    """
    from dicebase.pipeline.solve_one import OpenTable

    return OpenTable(table, parameters, results)


def __getattr__(name: str) -> Any:
    """What is imported on first use."""
    if name == "Catalog":
        from dicebase.catalog.lookup import Catalog

        return Catalog
    if name == "Limits":
        from dicebase.catalog.sandbox.sandbox import Limits

        return Limits
    if name == "solve":
        import dicebase.solve as solvers  # the folder of solvers, which can be called

        return solvers
    if name == "__version__":
        from importlib.metadata import version

        return version("dicebase")
    raise AttributeError(f"module 'dicebase' has no attribute {name!r}")
