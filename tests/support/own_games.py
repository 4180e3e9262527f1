"""Games in a folder of a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dicebase import games
from dicebase.tables.names import known_tables


@contextmanager
def known(folder: Path) -> Iterator[None]:
    """Make the games of a folder known inside the block, as DICEBASE_GAMES does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "__path__", [*games.__path__, str(folder)])
        known_tables.cache_clear()
        yield
    known_tables.cache_clear()
