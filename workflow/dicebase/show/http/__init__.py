"""Lookups over HTTP: `run` listens and answers; app.py is the application, connections.py its protocol.

The web framework is the extra `serve`, and is imported only when something is served.
"""

import gc
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dicebase.vocabulary import ConfigurationError, DicebaseError

WAITING = 1024  # connections not accepted yet; more are refused by the system
UNSENT = 131_072  # bytes that the system keeps for a client that does not take them


def run(results: str | Path, host: str, port: int, started: Callable[[str], object], sql: bool = False) -> None:
    """Answer from a results folder until interrupted, SQL as well if asked for; calls `started` with the address once
    it listens.

    Port 0 is any free one. Raises DicebaseError where the address cannot be listened at,
    MissingTableError where the folder has no catalogue.
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
        anyio.run(anyio.sleep, 0)  # loads what the first file would wait for
        address, number = listening.getsockname()[:2]
        started(f"http://{f'[{address}]' if ':' in address else address}:{number}/")
        server = uvicorn.Server(uvicorn.Config(app, "asyncio", http=Connection, ws="none", **limits, **quiet))
        gc.freeze()  # a search for garbage among all that is loaded takes 50 ms, in which nobody is answered
        with suppress(ValueError):  # of a thread that is not the first
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does
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
        # Where TCP is not named, asyncio leaves small packets waiting for each other: 40 ms a request.
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
