"""Lookups over HTTP: `run` listens and answers; app.py is the application, openapi.py its description.

The web framework is the extra `serve`, and is imported only when something is served.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dicebase.vocabulary import ConfigurationError, DicebaseError

WAITING = 1024  # connections not accepted yet; more are refused by the system


def run(results: str | Path, host: str, port: int, started: Callable[[str], object]) -> None:
    """Answer from a results folder until interrupted; calls `started` with the address once it listens.

    Port 0 is any free one. Raises DicebaseError where the address cannot be listened at,
    MissingTableError where the folder has no catalogue.
    """
    import uvicorn

    from dicebase.show.http.app import make_app

    app = make_app(results)
    with app.state.catalog, _listen(host, port) as listening:
        address, number = listening.getsockname()[:2]
        started(f"http://{f'[{address}]' if ':' in address else address}:{number}/")
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="warning", access_log=False))
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


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
        listening.bind((host, port))
        listening.listen(WAITING)
    except OSError as error:
        listening.close()
        raise DicebaseError(f"serve: cannot listen at {host}:{port}: {error.strerror or error}") from error
    return listening
