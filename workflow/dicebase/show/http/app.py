"""The application: the resources that docs/use/http.md lists.

One thread runs everything: a handler asks the catalogue without giving way in between, so that nothing of it is ever
used twice at once. A lookup takes less than a millisecond; threads would only take turns.
"""

import json
from collections.abc import Iterable, Mapping
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from dicebase.catalog.batch import lookup_rows
from dicebase.catalog.lookup import Catalog
from dicebase.show.http.openapi import describe, page
from dicebase.show.text import as_json
from dicebase.tables.layout import EXPLORER
from dicebase.tables.names import Variant
from dicebase.vocabulary import (
    ConfigurationError,
    DicebaseError,
    Json,
    MissingStateError,
    MissingTableError,
    nearest,
    shown,
)

FRESH = {"Cache-Control": "public, max-age=3600"}
NEVER = {"Cache-Control": "no-cache"}
TOTAL = "X-Total-Count"
PAGE = 100  # variants
MOST_POSITIONS, MOST_BYTES = 1000, 1_000_000
JSON, HTML = "application/json", "text/html; charset=utf-8"


def make_app(results: str | Path = "results") -> Starlette:
    """The ASGI application over a results folder, its catalogue in `state.catalog`; raises MissingTableError where
    there is none, DamagedFileError where it cannot be read."""
    catalog = Catalog(results)
    shown = (folder := Path(results) / EXPLORER).is_dir()
    service = _Service(catalog, shown)
    files = StaticFiles(directory=folder, html=True, check_dir=False)
    explorer = [Route("/explorer", lambda _: RedirectResponse("explorer/")), Mount("/explorer", files)]
    app = Starlette(
        routes=[
            Route("/", service.page),
            Route("/openapi.json", service.description),
            Route("/v1/tables", service.tables),
            Route("/v1/{table}", service.table, methods=["GET", "POST"]),
            *(explorer if shown else []),
        ],
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=["*"],
                allow_methods=["GET", "POST"],
                allow_headers=["If-None-Match", "Content-Type"],
                expose_headers=["ETag", "Link", TOTAL],
            )
        ],
        exception_handlers={
            MissingTableError: _error(404),
            MissingStateError: _error(404),
            ConfigurationError: _error(422),
            DicebaseError: _error(500),
            ClientDisconnect: _error(400),  # nobody reads it, and the log has no fault to tell of
            HTTPException: _http_error,
            Exception: _internal_error,
        },
    )
    app.router.redirect_slashes = False
    app.state.catalog = catalog
    return app


class _Service:
    """The handlers. What does not change while the catalogue is open is made once."""

    def __init__(self, catalog: Catalog, explorer: bool) -> None:
        self.catalog = catalog
        rows = catalog.tables()
        self.variants = {name: [as_json(row) for row in rows if row["name"] == name] for name in catalog.solved_tables}
        self.certificates = {_variant(row["name"], row["parameters"]): _certificate(row) for row in rows}
        self.all_certificates = "".join(self.certificates.values())
        description = describe(catalog)
        self.described = self._prepared(as_json(description))
        self.listed = self._prepared(page(description, explorer), HTML)

    def _prepared(self, text: str, media_type: str = JSON) -> "_Prepared":
        return _prepared(text, self.all_certificates, media_type)

    async def page(self, request: Request) -> Response:
        return _answer(request, self.listed)

    async def description(self, request: Request) -> Response:
        return _answer(request, self.described)

    async def tables(self, request: Request) -> Response:
        given, known = _once("tables", request.query_params.multi_items()), ["table", "limit", "offset"]
        for name in given.keys() - set(known):
            raise ConfigurationError(f"tables: '{name}' is no parameter{nearest(name, known)}")
        limit = _whole(given.get("limit", str(PAGE)), "limit", 1, PAGE)
        offset = _whole(given.get("offset", "0"), "offset", 0, 10**9)
        if (name := given.get("table")) is not None and name not in self.variants:
            self.catalog.tables(name)  # says why not
        rows = self.variants[name] if name is not None else [row for rows in self.variants.values() for row in rows]
        answer = self._prepared(f"[{', '.join(rows[offset : offset + limit])}]")
        answer.headers[TOTAL] = str(len(rows))
        if offset + limit < len(rows):
            following = urlencode(given | {"limit": limit, "offset": offset + limit})
            answer.headers["Link"] = f'<?{following}>; rel="next"'
        return _answer(request, answer)

    async def table(self, request: Request) -> Response:
        return await (self.lookups if request.method == "POST" else self.lookup)(request)

    async def lookups(self, request: Request) -> Response:
        table, body = request.path_params["table"], bytearray()
        self.catalog.solved(table)
        for name in request.query_params:
            raise ConfigurationError(f"{table}: '{name}' is in the address; what a POST asks is in its body")
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise HTTPException(413, f"more than {MOST_BYTES} bytes; ask in parts")
        try:
            positions = json.loads(body, object_pairs_hook=partial(_once, table))
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{table}: the body is no JSON, or nested too deeply") from error
        if not (isinstance(positions, list) and all(isinstance(position, dict) for position in positions)):
            raise ConfigurationError(f"{table}: the body is no array of objects, one a position")
        if len(positions) > MOST_POSITIONS:
            raise HTTPException(413, f"{len(positions)} positions; ask for at most {MOST_POSITIONS} at a time")
        try:  # columns that are not asked about come back
            answers = as_json(lookup_rows(self.catalog.solved_tables, table, positions))
        except RecursionError as error:
            raise ConfigurationError(f"{table}: the body is nested too deeply") from error
        return Response(answers + "\n", 200, NEVER, JSON)

    async def lookup(self, request: Request) -> Response:
        table = request.path_params["table"]
        answer = self.catalog.lookup(table, **_once(table, request.query_params.multi_items()))
        # A variant that is not solved is answered by others.
        certificate = self.certificates.get(_variant(table, answer["parameters"]), self.all_certificates)
        return _answer(request, _prepared(as_json(answer), certificate))


def _once(place: str, pairs: Iterable[tuple[str, Any]]) -> Json:
    """A query, or an object of JSON, as a dict; raises ConfigurationError where a name is given twice."""
    given: Json = {}
    for name, value in pairs:
        if name in given:
            raise ConfigurationError(f"{place}: '{name}' is given twice")
        given[name] = value
    return given


def _whole(text: str, name: str, low: int, high: int) -> int:
    """A number of the query; raises ConfigurationError for another text."""
    if text.isascii() and text.isdecimal() and len(text) < 20 and low <= int(text) <= high:
        return int(text)
    raise ConfigurationError(f"tables: {name}={shown(text)} is not allowed; give a whole number from {low} to {high}")


def _variant(table: str, parameters: Variant) -> tuple:
    return table, frozenset(parameters.items())


def _certificate(row: Json) -> str:
    """The digest of what certifies a variant; how long solving took is no part of it."""
    return _digest(as_json({name: value for name, value in row.items() if name != "seconds"}))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


class _Prepared(NamedTuple):
    """An answer as it is sent."""

    body: bytes
    headers: dict[str, str]
    media_type: str


def _prepared(text: str, certificate: str, media_type: str = JSON) -> _Prepared:
    """An answer with its ETag, a digest of the text and of what certifies it."""
    etag = f'"{_digest(version("dicebase") + certificate + text)[:32]}"'
    return _Prepared(f"{text}\n".encode(), FRESH | {"ETag": etag}, media_type)


def _answer(request: Request, answer: _Prepared) -> Response:
    """200 with the answer, or 304 to those who have it."""
    asked = ",".join(request.headers.getlist("If-None-Match")).split(",")
    if {"*", answer.headers["ETag"]} & {tag.strip().removeprefix("W/") for tag in asked}:
        return Response(status_code=304, headers=answer.headers)
    return Response(answer.body, headers=answer.headers, media_type=answer.media_type)


def _failure(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(as_json({"error": message}) + "\n", status, NEVER | dict(headers or {}), JSON)


def _error(status: int) -> Any:
    """The handler that answers with the line the command line prints."""

    async def handler(_: Request, error: Exception) -> Response:
        return _failure(status, str(error))

    return handler


async def _http_error(request: Request, error: HTTPException) -> Response:
    place = f"{request.method} {request.url.path}"
    allowed = " and ".join(sorted((error.headers or {}).get("Allow", "GET, HEAD").split(", ")))
    known = {404: "no such resource; see /openapi.json", 405: f"not allowed; only {allowed} are"}
    return _failure(error.status_code, f"{place}: {known.get(error.status_code, error.detail)}", error.headers)


async def _internal_error(_: Request, __: Exception) -> Response:
    return _failure(500, "internal error; the server's log says more")
