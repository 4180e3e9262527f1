"""Only one run at a time writes a results folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TextIO

from dicebase.tables.layout import AUDIT, CATALOG, FOLDERS, PAGES, SCHEMAS, UNFINISHED, naming
from dicebase.vocabulary import ConfigurationError

LOCK = ".lock"
JOBS = ".jobs.lock"


@contextmanager
def hold(results: Path, what: str) -> Iterator[None]:
    """Be the only writer of the folder until the block or this process ends.

    Waits for other runs, and for jobs that a killed run has left behind, and prints that it waits. Then removes the
    unfinished files of killed runs. `what` tells other runs who holds the lock. Raises ConfigurationError for a folder
    in which DuckDB cannot create files.
    """
    if odd := set("?\\") & set(str(results.absolute())):
        raise ConfigurationError(
            f"{results}: DuckDB cannot create a file in a folder whose name has {' or '.join(sorted(odd))}"
        )
    results.mkdir(parents=True, exist_ok=True)
    path = results / LOCK
    with _locked(path, "another run", fcntl.LOCK_EX) as file:
        with naming(path):
            file.truncate(0)
            file.write(f"{what} (process {os.getpid()})")
            file.flush()
        if (results / JOBS).exists():
            _locked(results / JOBS, "a job of a killed run", fcntl.LOCK_EX).close()
        for folder in (*FOLDERS, SCHEMAS, AUDIT, PAGES):
            _sweep((results / folder).rglob(".*"))
        _sweep(results.glob(f".{CATALOG}.*"), results.glob(".*.json.*"))
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            (results / JOBS).unlink(missing_ok=True)
            with suppress(OSError):  # the folder is not empty
                results.rmdir()


@contextmanager
def job(results: Path) -> Iterator[None]:
    """If a run holds the folder, make later runs wait until this job ends, even if that run is killed."""
    with _locked(results / JOBS, "another run", fcntl.LOCK_SH) if (results / LOCK).exists() else nullcontext():
        yield


def _locked(path: Path, other: str, kind: int) -> TextIO:
    """Open and lock the file. Create it again if the previous owner removed it while this process waited."""
    file = open(path, "a+", encoding="utf-8")  # noqa: SIM115
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        print(f"{path.parent}: waits for {file.read() or other}, which is writing there", file=sys.stderr, flush=True)
        fcntl.flock(file, kind)
    except OSError as error:
        print(f"{path.parent}: cannot lock ({error.strerror}); let nobody else write there", file=sys.stderr)
    if path.exists() and os.path.samefile(path, file.fileno()):
        return file
    file.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    return _locked(path, other, kind)


def _sweep(*found: Iterable[Path]) -> None:
    """Remove the unfinished files among these paths."""
    for path in [path for paths in found for path in paths if UNFINISHED.fullmatch(path.name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
