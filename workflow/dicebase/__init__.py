"""dicebase: a tablebase for games of dice.

>>> import dicebase
>>> db = dicebase.open("results")
>>> db.lookup("pig_turn", turn_total=20)

What is heavy (DuckDB, PyArrow, Numba) is imported on first use, so that importing a rules file costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dicebase.vocabulary import DicebaseError, LimitError, MissingStateError, MissingTableError, RefusedError

if TYPE_CHECKING:
    from pathlib import Path

    from dicebase.catalog.lookup import Catalog

__all__ = ["DicebaseError", "LimitError", "MissingStateError", "MissingTableError", "RefusedError", "open"]


def open(results: str | Path = "results", **options: Any) -> Catalog:
    """The tables of a results folder; see Catalog in dicebase/catalog/lookup.py."""
    from dicebase.catalog.lookup import Catalog

    return Catalog(results, **options)


def __getattr__(name: str) -> Any:
    """What is imported on first use."""
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
