"""Lookups over HTTP: `run` listens and answers; app.py is the application, connections.py its protocol.

The web framework belongs to the extra `serve`, and is imported only when a server starts.
"""

import gc
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dicebase.vocabulary import ConfigurationError, DicebaseError

WAITING = 1024  # connections waiting to be accepted; the system refuses more
UNSENT = 131_072  # bytes that the system buffers for a slow client


def run(results: str | Path, host: str, port: int, started: Callable[[str], object], sql: bool = False) -> None:
    """Answer from a results folder until interrupted, including SQL if `sql`; calls `started` with the address.

    Port 0 means any free port. Raises DicebaseError if the server cannot listen at the address, and MissingTableError
    if the folder has no catalogue.
    """
    import anyio
    import uvicorn

    from dicebase.show.http.app import make_app
    from dicebase.show.http.connections import HEAD, KEPT, Connection

    app = make_app(results, sql)
    limits = {"timeout_keep_alive": KEPT, "h11_max_incomplete_event_size": HEAD}
    quiet = {"lifespan": "off", "log_level": "error", "access_log": False}
    with app.state.service as service, _listen(host, port) as listening:
        service.batches.start()
        anyio.run(anyio.sleep, 0)  # import this backend now, so that the first request does not wait for it
        address, number = listening.getsockname()[:2]
        started(f"http://{f'[{address}]' if ':' in address else address}:{number}/")
        server = uvicorn.Server(uvicorn.Config(app, "asyncio", http=Connection, ws="none", **limits, **quiet))
        gc.freeze()  # otherwise a collection over all loaded objects would block every request for 50 ms
        with suppress(ValueError):  # outside the main thread
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
        gc.unfreeze()


def _listen(host: str, port: int) -> socket.socket:
    if not host:
        raise ConfigurationError("serve: the host is empty; give an address, such as 127.0.0.1, or 0.0.0.0 for all")
    if not 0 <= port < 2**16:
        raise ConfigurationError(f"serve: port {port} is not allowed; give a whole number from 0 to {2**16 - 1}")
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET,
        socket.SOCK_STREAM,
        # asyncio disables Nagle's algorithm only if TCP is named; otherwise each request waits 40 ms.
        socket.IPPROTO_TCP,
    )
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
        listening.bind((host, port))
        listening.listen(WAITING)
    except OSError as error:
        listening.close()
        raise DicebaseError(f"serve: cannot listen at {host}:{port}: {error.strerror or error}") from error
    return listening
