"""Folders that are made anew as a whole."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """The name of a folder to be made beside `folder`, which takes its place when the block ends well and vanishes
    otherwise; what a killed run left behind is removed."""
    temporary, old = (folder.with_name(f".{folder.name}.{end}") for end in ("part", "old"))
    for path in (temporary, old):
        shutil.rmtree(path, ignore_errors=True)
    try:
        yield temporary
        if folder.exists():
            os.rename(folder, old)
        os.rename(temporary, folder)
    finally:
        for path in (temporary, old):
            shutil.rmtree(path, ignore_errors=True)
