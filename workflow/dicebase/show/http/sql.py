"""POST /v1/sql: an untrusted query, answered by the sandbox in its own process."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from dicebase.catalog.lookup import check_text
from dicebase.catalog.sandbox.sandbox import Sandbox
from dicebase.show.http.bodies import Places, abandoned, has_gone, read_body, read_json
from dicebase.show.http.responses import NEVER, Answer
from dicebase.vocabulary import ConfigurationError, nearest, shown

MOST_BYTES = 200_000
"""The longest body in bytes: the longest statement with every character escaped."""

MOST_QUERIES = 4
"""Queries at a time: one runs, the others wait."""


GONE = 0.5
"""Seconds after which a query is stopped if its client has disconnected."""


class Queries:
    """Answers queries over the catalogue of a results folder."""

    def __init__(self, path: Path) -> None:
        """Raises DicebaseError if the sandbox cannot be opened."""
        self._sandbox, self._places, self._turn = Sandbox(path), Places(MOST_QUERIES), asyncio.Lock()

    def close(self) -> None:
        """Stop the sandbox, along with its current query."""
        self._sandbox.cancel()
        self._sandbox.close()

    async def answer(self, request: Request) -> Answer:
        """Answer a request's query; raises as Sandbox.run_json does."""
        if request.method != "POST":
            raise HTTPException(405, headers={"Allow": "POST"})
        with ExitStack() as held:
            held.enter_context(self._places.taken())
            query, limit = self._read(await read_body(request, MOST_BYTES))
            async with self._turn:
                text = await self._run(request, query, limit)
            return Answer(f"{text}\n".encode(), NEVER, held=held.pop_all())

    def _read(self, body: bytes) -> tuple[str, int]:
        """Return (query, largest number of rows)."""
        asked, most = read_json("sql", body), self._sandbox.limits.rows
        if not isinstance(asked, dict) or "query" not in asked:
            raise ConfigurationError('sql: the body must be an object with a query, such as {"query": "FROM tables"}')
        for name in asked.keys() - {"query", "limit"}:
            raise ConfigurationError(f"sql: '{name}' is not known here{nearest(name, ['query', 'limit'])}")
        check_text(asked["query"])
        limit = asked.get("limit", most)
        if type(limit) is not int or not 1 <= limit <= most:
            raise ConfigurationError(f"sql: limit={shown(limit)} is not allowed; give a whole number from 1 to {most}")
        return asked["query"], limit

    async def _run(self, request: Request, query: str, limit: int) -> str:
        """Run a query until it ends, or until GONE seconds after its client disconnects."""
        if await has_gone(request):
            raise ClientDisconnect
        answer = asyncio.ensure_future(asyncio.to_thread(self._sandbox.run_json, query, limit))
        # Wait before stopping the process, because starting another takes as long as most queries.
        if await abandoned(request, answer, GONE):
            self._sandbox.cancel()
        return await answer
