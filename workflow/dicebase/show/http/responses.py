"""Responses: answers sent in pieces, prepared answers with ETags, and errors."""

from collections.abc import Mapping
from contextlib import ExitStack
from hashlib import sha256
from importlib.metadata import version
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicebase.catalog.json_text import as_json

FRESH = {"Cache-Control": "public, max-age=3600"}
NEVER = {"Cache-Control": "no-cache"}
NO_SNIFFING = {"X-Content-Type-Options": "nosniff"}
JSON, HTML = "application/json", "text/html; charset=utf-8"
PIECE = 65_536  # bytes
UNSTATED = "the request has no Content-Length; send its body in one piece, not in chunks"


class Answer(Response):
    """A response sent in pieces, each after the client has taken the previous ones, to save memory. Closes `held`."""

    def __init__(
        self, body: bytes, headers: Mapping[str, str], media_type: str = JSON, held: ExitStack | None = None
    ) -> None:
        super().__init__(body, headers=headers, media_type=media_type)
        self.held = held or ExitStack()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.held:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            for first in range(0, len(self.body), PIECE):
                piece, more = self.body[first : first + PIECE], first + PIECE < len(self.body)
                await send({"type": "http.response.body", "body": piece, "more_body": more})


class Prepared(NamedTuple):
    """An answer that is ready to send."""

    body: bytes
    headers: dict[str, str]
    media_type: str


def digest(text: str) -> str:
    """Return a digest of a text."""
    return sha256(text.encode()).hexdigest()


def prepared(text: str, certificate: str, media_type: str = JSON) -> Prepared:
    """Return an answer with its ETag: a digest of the text, the certificate and the version."""
    etag = f'"{digest(version("dicebase") + certificate + text)[:32]}"'
    return Prepared(f"{text}\n".encode(), FRESH | {"ETag": etag}, media_type)


def respond(request: Request, answer: Prepared) -> Response:
    """Respond 200 with the answer, or 304 to a client that has it."""
    asked = ",".join(request.headers.getlist("If-None-Match")).split(",")
    if {"*", answer.headers["ETag"]} & {tag.strip().removeprefix("W/") for tag in asked}:
        return Response(status_code=304, headers=answer.headers)
    return Answer(*answer)


def failure(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error response: a JSON object with one line."""
    return Response(as_json({"error": message}) + "\n", status, NEVER | dict(headers or {}), JSON)


class Guard:
    """Middleware that refuses chunked requests: tiny chunks take long to read, and a proxy may disagree about the end
    of the body. It also tells browsers not to guess content types."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                header = ((name.lower().encode(), value.encode()) for name, value in NO_SNIFFING.items())
                message = message | {"headers": [*message["headers"], *header]}
            await send(message)

        chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
        app = failure(411, UNSTATED, {"Connection": "close"}) if chunked else self.app
        await app(scope, receive, marked)
