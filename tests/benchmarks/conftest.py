"""Modules of benchmarks/, imported as its scripts import them."""

import gc
from importlib import import_module

import pytest

from dicebase import games
from dicebase.tables.names import known_tables
from support.commands import ROOT


@pytest.fixture(scope="module")
def script():
    """A function that imports a module of benchmarks/, benchmarks/tools or benchmarks/peers by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "__path__", games.__path__)  # an adapter adds a folder
        for folder in ("benchmarks", "benchmarks/tools", "benchmarks/peers"):
            patch.syspath_prepend(ROOT / folder)
        yield import_module
    known_tables.cache_clear()
    gc.enable()  # the benchmarks switch it off
