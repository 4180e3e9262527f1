"""Small boards of tests/support/boards: a box of tiles, one player, and a lane for two, with cycles."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dicebase import games
from dicebase.tables.names import known_tables
from support import grids

GAMES = Path(__file__).with_name("boards")
CONFIG = "tables: {box_left: [{tiles: [4, 5], slice_by: []}], box_win: [{}], lane_duel: [{}]}"


@contextmanager
def built(factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Their tables, to be read only; while they are there the games are known."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "__path__", [*games.__path__, str(GAMES)])
        known_tables.cache_clear()
        yield grids.once(factory, "boards", lambda folder: grids.build(folder / "results", CONFIG)) / "results"
    known_tables.cache_clear()
