"""The small boards of tests/support/boards: a box of tiles for one player, and a lane for two with cycles."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support import grids
from support.own_games import known

GAMES = Path(__file__).with_name("boards")
CONFIG = "tables: {box_left: [{tiles: [4, 5], slice_by: []}], box_win: [{}], lane_duel: [{}]}"


@contextmanager
def built(factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The read-only tables of the boards; inside the block their games are known."""
    with known(GAMES):
        yield grids.of("boards", CONFIG)(factory)
