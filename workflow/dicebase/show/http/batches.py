"""Many positions at once. A few are answered in the server's process, more in a process of their own: a thousand take
up to a second, in which nobody else would be answered."""

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
"""A batch that is answered in the server's process."""

MOST_BATCHES = 16
"""Larger ones at a time: one is answered, others wait for it, or for their client."""

NICE = 10
"""How much later than the server the operating system runs the other process, on a processor that both want."""


class Batches:
    """Answers batches over the tables of a results folder."""

    def __init__(self, results: str | Path, tables: SolvedTables) -> None:
        self._results, self._tables = results, tables
        self._places, self._pool = Places(MOST_BATCHES), self._new_pool()
        pa.array([None])  # loads pandas, where it is installed, for half a second

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"), _open, (self._results,))

    def start(self) -> None:
        """Start the other process, which else starts at the first large batch."""
        self._pool.submit(int)

    def close(self) -> None:
        """End the other process after the batch that it answers."""
        self._pool.shutdown(cancel_futures=True)

    async def answer(self, request: Request, table: str) -> Answer:
        """The answer to the body of a request."""
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
                answer.cancel()  # unless it has begun
                raise ClientDisconnect
            return answer.result()
        except BrokenProcessPool as error:  # such as by the system, for want of memory
            if self._pool is pool:
                self._pool = self._new_pool()
            raise HTTPException(503, "the process that answers it has ended; try again, or ask in parts") from error


def read_positions(table: str, body: bytes) -> list[Json]:
    """The positions of a body; raises ConfigurationError if it has none, HTTPException, 413, if it has too many."""
    positions = read_json(table, body)
    if not (isinstance(positions, list) and all(isinstance(position, dict) for position in positions)):
        raise ConfigurationError(f"{table}: the body is no array of objects, one a position")
    if len(positions) > MOST_POSITIONS:
        raise HTTPException(413, f"{len(positions)} positions; ask for at most {MOST_POSITIONS} at a time")
    return positions


def _answer(tables: SolvedTables, table: str, positions: list[Json]) -> bytes:
    try:  # columns that are not asked about come back
        return f"{as_json(lookup_rows(tables, table, positions))}\n".encode()
    except RecursionError as error:
        raise ConfigurationError(f"{table}: the body is nested too deeply") from error


# --- in the other process ---------------------------------------------------------------------------------------------

_tables: SolvedTables


def _open(results: str | Path) -> None:
    """Prepare the other process: it leaves Ctrl-C to the server, and ends with it, however that ends."""
    global _tables
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):  # of an operating system that has no such order
        os.nice(NICE)
    threading.Thread(target=lambda: (parent_process().join(), os._exit(0)), daemon=True).start()
    _tables = Catalog(results).solved_tables
    for name in _tables:  # now, as the server has: another build may take their place
        _tables.mapped(name)
    pa.array([None])


def _answer_body(table: str, body: bytes) -> bytes:
    return _answer(_tables, table, read_positions(table, body))
