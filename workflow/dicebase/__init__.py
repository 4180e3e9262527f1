"""dicebase: a tablebase for games of dice.

>>> import dicebase
>>> db = dicebase.open("results")
>>> db.lookup("pig_turn", turn_total=20)

The heavy modules (DuckDB, PyArrow, Numba) are imported on first use, so that importing a rules file costs nothing.
"""

from importlib import import_module

from dicebase.version import __version__ as __version__

# Looked up on first use. Names as text, not as import statements: a table's key covers what its code
# imports (keys.py), and no table depends on the query layer.
_EXPORTS = {
    "open": ("dicebase.lookup", "open_catalog"),
    "Limits": ("dicebase.sandbox", "Limits"),
    "Catalog": ("dicebase.lookup", "Catalog"),
    "DicebaseError": ("dicebase.errors", "DicebaseError"),
    "MissingTableError": ("dicebase.errors", "MissingTableError"),
    "MissingStateError": ("dicebase.errors", "MissingStateError"),
    "RefusedError": ("dicebase.errors", "RefusedError"),
    "LimitError": ("dicebase.errors", "LimitError"),
}


def __getattr__(name: str):
    if name not in _EXPORTS:
        raise AttributeError(f"module 'dicebase' has no attribute {name!r}")
    module, attribute = _EXPORTS[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
