"""Bodies of requests: read within limits, and as JSON without what it would change in silence."""

import asyncio
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from dicebase.vocabulary import ConfigurationError, Json


class Places:
    """Room for a number of requests that take time or memory; one more is told to come again."""

    def __init__(self, most: int) -> None:
        self.most = self.free = most

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One place; raises HTTPException, 503, if there is none."""
        if not self.free:
            raise HTTPException(503, f"{self.most} such requests are being answered; try again", {"Retry-After": "1"})
        self.free -= 1
        try:
            yield
        finally:
            self.free += 1


async def read_body(request: Request, most: int) -> bytes:
    """The body; raises HTTPException, 413, if it has more bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413, f"more than {most} bytes; ask in parts")
    return bytes(body)


async def has_gone(request: Request) -> bool:
    """Whether the client has closed its connection."""
    gone = asyncio.ensure_future(request.receive())  # after the body nothing comes but the end of the connection
    await asyncio.wait({gone}, timeout=0)
    gone.cancel()
    return gone.done()


async def abandoned(request: Request, work: asyncio.Future, patience: float = 0) -> bool:
    """Wait for some work; whether it is not done although its client has gone, so many seconds ago."""
    gone = asyncio.ensure_future(request.receive())
    await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not work.done():
        await asyncio.wait({work}, timeout=patience)
    return not work.done()


def read_json(place: str, body: bytes) -> Any:
    """What a body says; raises ConfigurationError, which begins with the place, for what is no JSON."""
    try:
        return json.loads(body, object_pairs_hook=partial(once, place), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{place}: the body is no JSON, or nested too deeply") from error


def once(place: str, pairs: Iterable[tuple[str, Any]]) -> Json:
    """A query, or an object of JSON, as a dict; raises ConfigurationError if a name is given twice."""
    given: Json = {}
    for name, value in pairs:
        if name in given:
            raise ConfigurationError(f"{place}: '{name}' is given twice")
        given[name] = value
    return given


def _finite(text: str) -> float:
    """A number with a point or an exponent; JSON has none that is not finite."""
    if math.isfinite(number := float(text)):
        return number
    raise ValueError(f"{text} is no number of JSON")
