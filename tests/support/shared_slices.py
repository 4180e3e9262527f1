"""Solve and certify a slice once per test run; later tests and pages get copies."""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dicebase.pipeline import steps
from dicebase.tables.layout import ACTIONS, CERTIFICATES, TABLES, VALUES, SliceFiles

STORE = "DICEBASE_TEST_SLICES"
"""The environment variable that names the folder of a test run with the solved slices."""


@contextmanager
def once(place: Path) -> Iterator[bool]:
    """Yield whether the block must fill the folder; other processes wait until one has succeeded."""
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = (place / "made").exists()
        yield not made
        (place / "made").touch()


@contextmanager
def shared() -> Iterator[None]:
    """Make `steps.solve` and `steps.certify` use the store. A key holds the digest of the code but not the patches of a
    test: tests that patch must not use this."""
    real = steps.solve, steps.certify

    def solve(results: Path, key: str) -> None:
        content = json.loads(key)
        _shared(key, SliceFiles(results, content["table"], content["slice"]), [TABLES, ACTIONS, VALUES], real[0])

    def certify(results: Path, table: str, name: str, key: str) -> None:
        _shared(key, SliceFiles(results, table, name), [CERTIFICATES], lambda *_: real[1](results, table, name, key))

    steps.solve, steps.certify = solve, certify
    try:
        yield
    finally:
        steps.solve, steps.certify = real


def _shared(key: str, files: SliceFiles, folders: list[str], make: Callable[[Path, str], None]) -> None:
    """Make the files of a slice in these folders and keep them in the store, or copy them from there."""
    place = Path(os.environ[STORE]) / hashlib.sha256(key.encode()).hexdigest()
    kept = SliceFiles(place, files.table, files.name)
    with once(place) as new:
        if new:
            make(files.results, key)
        source, target = (files, kept) if new else (kept, files)
        for folder in folders:
            if (path := source.within(folder)).exists():
                target.within(folder).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target.within(folder))
