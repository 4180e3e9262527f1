"""Files and folders that are replaced as a whole."""

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


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path` that becomes `path` when the block ends well, and vanishes otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
