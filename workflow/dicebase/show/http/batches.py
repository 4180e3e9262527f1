"""Batches of positions. Small ones are answered in the server's process, larger ones in a second process, because a
thousand positions take up to a second and would block all other requests."""

import asyncio
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from multiprocessing import get_context, parent_process
from pathlib import Path

import pyarrow as pa
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from dicebase.catalog.ask.many_positions import lookup_rows
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.catalog.json_text import as_json
from dicebase.catalog.lookup import Catalog
from dicebase.show.http.bodies import Places, abandoned, read_body, read_json
from dicebase.show.http.responses import NEVER, Answer
from dicebase.vocabulary import ConfigurationError, Json

MOST_POSITIONS, MOST_BYTES = 1000, 1_000_000
FEW_POSITIONS, FEW_BYTES = 16, 4096
"""The largest batch answered in the server's process."""

MOST_BATCHES = 16
"""The number of larger batches accepted at a time; one is answered while the others wait."""

NICE = 10
"""The niceness of the second process relative to the server's."""


class Batches:
    """Answers batches over the tables of a results folder."""

    def __init__(self, results: str | Path, tables: SolvedTables) -> None:
        self._results, self._tables = results, tables
        self._places, self._pool = Places(MOST_BATCHES), self._new_pool()
        pa.array([None])  # imports pandas now if it is installed, which takes half a second

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"), _open, (self._results,))

    def start(self) -> None:
        """Start the second process now rather than at the first large batch."""
        self._pool.submit(int)

    def close(self) -> None:
        """End the second process after its current batch."""
        self._pool.shutdown(cancel_futures=True)

    async def answer(self, request: Request, table: str) -> Answer:
        """Answer the positions in a request's body."""
        with ExitStack() as held:
            large = int(request.headers.get("Content-Length", 0)) > FEW_BYTES
            if large:
                held.enter_context(self._places.taken())
            body = await read_body(request, MOST_BYTES)
            if not large and len(positions := read_positions(table, body)) <= FEW_POSITIONS:
                return Answer(_answer(self._tables, table, positions), NEVER)
            if not large:
                held.enter_context(self._places.taken())
            return Answer(await self._elsewhere(request, table, body), NEVER, held=held.pop_all())

    async def _elsewhere(self, request: Request, table: str, body: bytes) -> bytes:
        pool = self._pool
        try:
            answer = asyncio.get_running_loop().run_in_executor(pool, _answer_body, table, body)
            if await abandoned(request, answer):
                answer.cancel()  # has no effect if it has started
                raise ClientDisconnect
            return answer.result()
        except BrokenProcessPool as error:  # for instance killed by the system for lack of memory
            if self._pool is pool:
                self._pool = self._new_pool()
            raise HTTPException(
                503, "the process that answers has ended; try again, or send fewer positions"
            ) from error


def read_positions(table: str, body: bytes) -> list[Json]:
    """Read the positions in a body; raises ConfigurationError if it is malformed, HTTPException 413 if it is long."""
    positions = read_json(table, body)
    if not (isinstance(positions, list) and all(isinstance(position, dict) for position in positions)):
        raise ConfigurationError(f"{table}: the body must be a JSON array of objects, one per position")
    if len(positions) > MOST_POSITIONS:
        raise HTTPException(413, f"{len(positions)} positions; ask for at most {MOST_POSITIONS} at a time")
    return positions


def _answer(tables: SolvedTables, table: str, positions: list[Json]) -> bytes:
    try:  # the answer repeats the other entries of a position, which may be nested too deeply
        return f"{as_json(lookup_rows(tables, table, positions))}\n".encode()
    except RecursionError as error:
        raise ConfigurationError(f"{table}: the body is nested too deeply") from error


# --- in the second process --------------------------------------------------------------------------------------------

_tables: SolvedTables


def _open(results: str | Path) -> None:
    """Initialise the second process: it leaves Ctrl-C to the server, and exits when the server ends in any way."""
    global _tables
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):  # on systems without niceness
        os.nice(NICE)
    threading.Thread(target=lambda: (parent_process().join(), os._exit(0)), daemon=True).start()
    _tables = Catalog(results).solved_tables
    for name in _tables:  # open the same files as the server, before another build replaces them
        _tables.mapped(name)
    pa.array([None])


def _answer_body(table: str, body: bytes) -> bytes:
    return _answer(_tables, table, read_positions(table, body))
