"""Run untrusted SQL over a catalogue: `Sandbox(path).run(query)`. Needs Linux or another Unix.

Four barriers protect the machine, and most attacks fail at each. A statement runs only if its syntax tree is a query
over the catalogue (statements.py). The engine's settings are locked (worker.connect). A separate process with an empty
environment runs it; that process cannot write to files, and its memory is limited, because the engine's own limit does
not count temporary text and lists. It is killed after the time limit, because the engine cannot interrupt a call.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from dicebase.vocabulary import (
    DicebaseError,
    LimitError,
    MissingTableError,
    QueryError,
    RefusedError,
    TimeLimitError,
    in_one_line,
)

START, GRACE = 30.0, 1.0
"""Seconds that the process may take to open the file, and to answer after the time limit."""

NICE = 10
"""The increment of the process's niceness, so that others run first."""

ERRORS = {"refused": RefusedError, "limit": LimitError, "time": TimeLimitError}
"""The exception for each kind of failure; any other kind is a wrong statement (QueryError)."""

SENT = {
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "decimal": {"Decimal"},
    "uuid": {"SafeUUID", "UUID"},
}
"""The classes of SQL values, by module."""


@dataclass(frozen=True)
class Limits:
    """The limits of one statement."""

    seconds: float = 5.0
    memory_mb: int = 512  # of the engine; the process may use as much again
    rows: int = 10_000  # a longer answer is an error, not cut
    answer_mb: int = 16  # size of the rows of an answer
    characters: int = 20_000  # of the statement
    threads: int = 2


@dataclass(frozen=True)
class Result:
    """The columns of an answer, their SQL types, and all of its rows."""

    columns: list[str]
    types: list[str]
    rows: list[tuple]

    def fetchall(self) -> list[tuple]:
        """Return the rows, as a DuckDB relation does."""
        return self.rows


class Sandbox:
    """Runs queries over one DuckDB file, one at a time. A context manager. Queries do not affect later ones."""

    def __init__(self, path: str | Path, limits: Limits | None = None) -> None:
        """Raises MissingTableError if the file does not exist, and DicebaseError if it cannot be opened."""
        self.path, self.limits = Path(path).absolute(), limits or Limits()
        if os.name != "posix":
            raise DicebaseError("untrusted SQL needs Linux or another Unix: elsewhere its memory cannot be limited")
        if not self.path.is_file():
            raise MissingTableError(f"{path}: does not exist")
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._pipe: Connection | None = None
        self._start()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, query: str, parameters: Any = None) -> Result:
        """Return the answer to one query; `parameters` fill `?` and `$name`.

        Raises RefusedError for a statement that is not permitted, LimitError for one that exceeds a limit, and
        QueryError with the engine's message for a wrong one. The sandbox can be used after any of them.
        """
        return Result(*self._ask(query, parameters))

    def run_json(self, query: str, first: int) -> str:
        """Return the first rows of an answer as JSON text, written by the process: {columns, types, cut, rows}. Rows
        are objects; `cut` says whether there are more. Raises as `run` does, except for too many rows."""
        return self._ask(query, first=first)

    def cancel(self) -> None:
        """Stop the running query from another thread; its `run` raises LimitError."""
        if process := self._process:
            process.kill()

    def _ask(self, query: str, parameters: Any = None, first: int | None = None) -> Any:
        if len(query) > self.limits.characters:
            length = f"{len(query)} characters are refused"
            raise RefusedError(f"SQL: {length}; a statement has at most {self.limits.characters}")
        with self._lock:
            if self._pipe is None:
                self._start()
            try:
                self._pipe.send((query, parameters, first))
                kind, content, healthy = self._receive(self.limits.seconds + GRACE)
            except (EOFError, OSError) as error:
                self._stop()
                what = f"it needed more than {self.limits.memory_mb} MB of memory, or the engine failed"
                raise LimitError(f"SQL: stopped: {what}") from error
            except (pickle.PicklingError, AttributeError, TypeError) as error:
                self._stop()
                what = "parameters are numbers, texts, dates or lists"
                raise DicebaseError(f"SQL: {in_one_line(error)}; {what}") from error
            except BaseException:
                self._stop()
                raise
            if not healthy:
                self._stop()
        if kind == "answer":
            return content
        raise ERRORS.get(kind, QueryError)(content)

    def close(self) -> None:
        """End the process and release the file."""
        with self._lock:
            self._stop()

    def _start(self) -> None:
        self._pipe, theirs = Pipe()
        words = [str(theirs.fileno()), str(self.path), json.dumps(asdict(self.limits))]
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-B", "-m", "dicebase.catalog.sandbox.worker", *words],
                cwd="/",
                # The new process needs the search path of modules, and gets nothing else from the environment.
                env={"PYTHONPATH": os.pathsep.join(os.path.abspath(p) for p in sys.path if p)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        try:
            kind, content, _ = self._receive(START)
        except (EOFError, OSError, LimitError) as error:
            self._stop()
            raise DicebaseError(f"{self.path}: the process for untrusted SQL did not start") from error
        if kind != "ready":
            self._stop()
            raise DicebaseError(f"{self.path}: cannot be read: {content}")

    def _receive(self, seconds: float) -> tuple[str, Any, bool]:
        if not self._pipe.poll(seconds):
            raise TimeLimitError(f"SQL: stopped: it ran for more than {self.limits.seconds} seconds")
        return _Values(io.BytesIO(self._pipe.recv_bytes(2 * self.limits.answer_mb * 2**20))).load()

    def _stop(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._pipe = None


class _Values(pickle.Unpickler):
    """Unpickles only SQL values, because the process is not trusted either."""

    def find_class(self, module: str, name: str) -> Any:
        if name in SENT.get(module, ()):
            return super().find_class(module, name)
        raise DicebaseError(f"SQL: a value of the type {name} cannot be sent; cast it to VARCHAR")
