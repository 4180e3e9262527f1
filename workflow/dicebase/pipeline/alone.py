"""One run at a time writes a results folder, and a run that is told to end ends with all that it has started."""

import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TextIO

from dicebase.tables.layout import AUDIT, CATALOG, FOLDERS, MAPPED, PAGES, SCHEMAS, naming
from dicebase.vocabulary import ConfigurationError

LOCK = ".lock"
LEFT = re.compile(r"\..+\.\d+\.(part|part\.wal|spill)")
"""What a killed run leaves: files that have not got their names (layout.replacing), and what DuckDB had beside one."""


@contextmanager
def hold(results: Path, what: str) -> Iterator[TextIO]:
    """Wait until no other run writes the folder, saying so, and let none begin until the block, or this process, ends;
    what killed runs have left there is removed. `what` tells those who wait who this is. Whoever has the open file that
    the block is given keeps the others waiting too. Raises ConfigurationError for a folder in which DuckDB makes no
    file."""
    if odd := set("?\\") & set(str(results.absolute())):
        raise ConfigurationError(
            f"{results}: DuckDB makes no file where a folder's name has {' or '.join(sorted(odd))}"
        )
    results.mkdir(parents=True, exist_ok=True)
    path = results / LOCK
    with _locked(path) as file:
        with naming(path):
            file.truncate(0)
            file.write(f"{what} (process {os.getpid()})")
            file.flush()
        for folder in (*FOLDERS, MAPPED, SCHEMAS, AUDIT, PAGES):
            _sweep((results / folder).rglob(".*"))
        _sweep(results.glob(f".{CATALOG}.*"), results.glob(".*.json.*"))
        try:
            yield file
        finally:
            path.unlink(missing_ok=True)
            with suppress(OSError):  # something is there
                results.rmdir()


def _locked(path: Path) -> TextIO:
    """The file, locked; made again where the run that was waited for has taken it away."""
    import fcntl

    file = open(path, "a+", encoding="utf-8")  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        other = file.read() or "another run"
        print(f"{path.parent}: waits for {other}, which writes there", file=sys.stderr, flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as error:
        print(f"{path.parent}: no lock here ({error.strerror}): see that nobody else writes there", file=sys.stderr)
    if path.exists() and os.path.samefile(path, file.fileno()):
        return file
    file.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    return _locked(path)


def _sweep(*found: Iterable[Path]) -> None:
    """Remove what killed runs have left."""
    for path in [path for paths in found for path in paths if LEFT.fullmatch(path.name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def end_when_told() -> None:
    """On SIGTERM end all jobs of this Snakemake, and itself as on Ctrl-C. Its own handler lets jobs run to their end,
    and waits for ever where the signal comes while the lock that it takes is held."""

    def end(*_: object) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        threading.Thread(target=_end_jobs, daemon=True).start()
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)


def _end_jobs() -> None:
    import psutil

    while True:  # one may just be starting
        for job in psutil.Process().children(recursive=True):
            job.terminate()
        time.sleep(0.1)
