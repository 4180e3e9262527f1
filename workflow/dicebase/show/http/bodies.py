"""Request bodies: read within limits, and parsed as strict JSON."""

import asyncio
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from dicebase.vocabulary import ConfigurationError, once


class Places:
    """Slots for a limited number of requests that take time or memory; further requests are turned away."""

    def __init__(self, most: int) -> None:
        self.most = self.free = most

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Occupy one slot; raises HTTPException 503 if none is free."""
        if not self.free:
            raise HTTPException(503, f"{self.most} such requests are in progress; try again", {"Retry-After": "1"})
        self.free -= 1
        try:
            yield
        finally:
            self.free += 1


async def read_body(request: Request, most: int) -> bytes:
    """Read the body; raises HTTPException 413 if it has more than `most` bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise HTTPException(413, f"more than {most} bytes; send less at a time")
    return bytes(body)


async def has_gone(request: Request) -> bool:
    """Return whether the client has closed its connection."""
    gone = asyncio.ensure_future(request.receive())  # after the body, only a disconnect can be received
    await asyncio.wait({gone}, timeout=0)
    gone.cancel()
    return gone.done()


async def abandoned(request: Request, work: asyncio.Future, patience: float = 0) -> bool:
    """Wait until `work` is done, or until `patience` seconds after a disconnect; return whether it is unfinished."""
    gone = asyncio.ensure_future(request.receive())
    await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not work.done():
        await asyncio.wait({work}, timeout=patience)
    return not work.done()


def read_json(place: str, body: bytes) -> Any:
    """Parse a JSON body; raises ConfigurationError, which begins with `place`, for malformed JSON."""
    try:
        return json.loads(body, object_pairs_hook=partial(once, place), parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{place}: the body is not JSON, or is nested too deeply") from error


def _finite(text: str) -> float:
    """Parse a number with a point or exponent; refuses infinities and NaN, which JSON does not have."""
    if math.isfinite(number := float(text)):
        return number
    raise ValueError(f"{text} is not a JSON number")
