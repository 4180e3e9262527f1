"""The application: the resources listed in docs/use/http.md.

One thread answers lookups: a handler asks the catalogue without awaiting in between, so the catalogue is never used
concurrently. A lookup takes less than a millisecond, so threads would not help. Large batches and SQL take longer and
run in their own processes.
"""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from dicebase.catalog.citation import certificate_digest
from dicebase.catalog.json_text import as_json
from dicebase.catalog.lookup import Catalog
from dicebase.show.http.batches import Batches
from dicebase.show.http.openapi import describe, page
from dicebase.show.http.responses import HTML, JSON, NO_SNIFFING, Guard, Prepared, digest, failure, prepared, respond
from dicebase.show.http.sql import Queries
from dicebase.tables.layout import EXPLORER
from dicebase.tables.names import Variant
from dicebase.vocabulary import (
    ConfigurationError,
    DicebaseError,
    LimitError,
    MissingStateError,
    MissingTableError,
    QueryError,
    RefusedError,
    TimeLimitError,
    nearest,
    once,
    shown,
)

TOTAL = "X-Total-Count"
PAGE = 100  # variants


def make_app(results: str | Path = "results", sql: bool = False) -> Starlette:
    """Return the ASGI application for a results folder, with POST /v1/sql if `sql`. Its `state.service` is a context
    manager that stops the application's processes. Raises MissingTableError if there are no tables, and
    DamagedFileError if a table cannot be read."""
    service = _Service(Path(results), sql)
    folder = Path(results) / EXPLORER
    files = StaticFiles(directory=folder, html=True, check_dir=False)
    explorer = [Route("/explorer", lambda _: RedirectResponse("explorer/")), Mount("/explorer", files)]
    app = Starlette(
        routes=[
            Route("/", service.page),
            Route("/openapi.json", service.description),
            Route("/v1/tables", service.tables),
            *([Route("/v1/sql", service.queries.answer, methods=["GET", "POST"])] if service.queries else []),
            Route("/v1/{table}", service.table, methods=["GET", "POST"]),
            *(explorer if service.explorer else []),
        ],
        middleware=[
            Middleware(Guard),
            Middleware(
                CORSMiddleware,
                allow_origins=["*"],
                allow_methods=["GET", "POST"],
                allow_headers=["If-None-Match", "Content-Type"],
                expose_headers=["ETag", "Link", TOTAL],
            ),
        ],
        exception_handlers={
            MissingTableError: _error(404),
            MissingStateError: _error(404),
            ConfigurationError: _error(422),
            QueryError: _error(400),
            RefusedError: _error(403),
            TimeLimitError: _error(408),
            LimitError: _error(503),
            DicebaseError: _error(500),
            ClientDisconnect: _error(400),  # do not log a traceback when a client disconnects mid-request
            HTTPException: _http_error,
            Exception: _internal_error,
        },
    )
    app.router.redirect_slashes = False
    app.state.service = service
    return app


class _Service(ExitStack):
    """The handlers, with answers prepared in advance if they cannot change while the catalogue is open."""

    def __init__(self, results: Path, sql: bool) -> None:
        super().__init__()
        self.catalog = catalog = self.enter_context(Catalog(results))
        self.explorer = (results / EXPLORER).is_dir()
        rows = catalog.tables()
        self.variants = {name: [as_json(row) for row in rows if row["name"] == name] for name in catalog.solved_tables}
        self.certificates = {_variant(row["name"], row["parameters"]): certificate_digest(row) for row in rows}
        self.all_certificates = digest("".join(self.certificates.values()))
        self.batches = self.enter_context(closing(Batches(results, catalog.solved_tables)))
        self.queries = self.enter_context(closing(Queries(catalog.path))) if sql else None
        description = describe(catalog, sql)
        self.described = self._prepared(as_json(description))
        self.listed = self._prepared(page(description, self.explorer), HTML)

    def _prepared(self, text: str, media_type: str = JSON) -> Prepared:
        return prepared(text, self.all_certificates, media_type)

    async def page(self, request: Request) -> Response:
        return respond(request, self.listed)

    async def description(self, request: Request) -> Response:
        return respond(request, self.described)

    async def tables(self, request: Request) -> Response:
        given, known = once("tables", request.query_params.multi_items()), ["table", "limit", "offset"]
        for name in given.keys() - set(known):
            raise ConfigurationError(f"tables: '{name}' is not a parameter{nearest(name, known)}")
        limit = _whole(given.get("limit", str(PAGE)), "limit", 1, PAGE)
        offset = _whole(given.get("offset", "0"), "offset", 0, 10**9)
        if (name := given.get("table")) is not None and name not in self.variants:
            self.catalog.tables(name)  # raises the error
        rows = self.variants[name] if name is not None else [row for rows in self.variants.values() for row in rows]
        answer = self._prepared(f"[{', '.join(rows[offset : offset + limit])}]")
        answer.headers[TOTAL] = str(len(rows))
        if offset + limit < len(rows):
            following = urlencode(given | {"limit": limit, "offset": offset + limit})
            answer.headers["Link"] = f'<?{following}>; rel="next"'
        return respond(request, answer)

    async def table(self, request: Request) -> Response:
        return await (self.lookups if request.method == "POST" else self.lookup)(request)

    async def lookups(self, request: Request) -> Response:
        table = request.path_params["table"]
        self.catalog.solved(table)
        for name in request.query_params:
            raise ConfigurationError(f"{table}: '{name}' is in the URL; a POST request has its positions in the body")
        return await self.batches.answer(request, table)

    async def lookup(self, request: Request) -> Response:
        table = request.path_params["table"]
        answer = self.catalog.lookup(table, **once(table, request.query_params.multi_items()))
        # The answer for a variant that is not solved comes from other variants, so its tag covers all certificates.
        certificate = self.certificates.get(_variant(table, answer["parameters"]), self.all_certificates)
        return respond(request, prepared(as_json(answer), certificate))


def _whole(text: str, name: str, low: int, high: int) -> int:
    """Read a whole number of the query; raises ConfigurationError for other text."""
    if text.isascii() and text.isdecimal() and len(text) < 20 and low <= int(text) <= high:
        return int(text)
    raise ConfigurationError(f"tables: {name}={shown(text)} is not allowed; give a whole number from {low} to {high}")


def _variant(table: str, parameters: Variant) -> tuple:
    return table, frozenset(parameters.items())


def _error(status: int) -> Any:
    """Return the handler that answers with the error's line, as the command line does."""

    async def handler(_: Request, error: Exception) -> Response:
        return failure(status, str(error))

    return handler


async def _http_error(request: Request, error: HTTPException) -> Response:
    place = f"{request.method} {request.url.path}"  # both may be long and contain any characters
    allowed = " or ".join(sorted((error.headers or {}).get("Allow", "GET, HEAD").split(", ")))
    known = {404: "no such resource; see /openapi.json", 405: f"not allowed; use {allowed}"}
    line = str(DicebaseError(f"{place}: {known.get(error.status_code, error.detail)}"))
    return failure(error.status_code, line, error.headers)


async def _internal_error(_: Request, __: Exception) -> Response:
    return failure(500, "internal error; the server's log says more", NO_SNIFFING)
