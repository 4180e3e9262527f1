"""HTTP connections with time limits for slow clients, and a limit on their number."""

from asyncio import TimerHandle, Transport

from h11 import IDLE, SEND_BODY, SEND_RESPONSE, Data, EndOfMessage, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from dicebase.show.http.responses import NO_SNIFFING, failure

KEPT = 60
"""Seconds that an idle connection is kept open between two requests, unless a new one needs its place."""

ASKING, ANSWERING = 10, 60
"""ASKING: the seconds that a client may take to send the head of a request, and the same for the body. ANSWERING: the
seconds until the client has received the answer."""

LOOK = 1.0
"""Seconds between two checks of a connection."""

MOST = 256
"""The number of connections that are served. As many more get the answer 503; the others are closed."""

RECEIVED, HEAD = 4096, 16_384
"""Bytes read at a time, so that no client occupies the parser for long; largest head of a request in bytes."""


class Connection(H11Protocol):
    """A uvicorn connection that closes if its client is too slow, and answers malformed HTTP with a JSON error."""

    def connection_made(self, transport: Transport) -> None:
        super().connection_made(transport)
        transport.max_size = RECEIVED
        self._doing: tuple[bool, object] | None = None
        self._until = 0.0
        self._look: TimerHandle = self.loop.call_soon(self._watch)
        if len(self.connections) > 2 * MOST:
            transport.abort()
        elif len(self.connections) > MOST and not self._close_idle():
            self.app = failure(
                503, "the server has too many connections; try again", NO_SNIFFING | {"Connection": "close"}
            )

    def _close_idle(self) -> bool:
        """Close one connection that waits between two requests; return whether there is one."""
        idle = (c for c in self.connections if c.timeout_keep_alive_task and not c.transport.is_closing())
        if other := next(idle, None):
            other.timeout_keep_alive_handler()
        return other is not None

    def connection_lost(self, exc: Exception | None) -> None:
        self._look.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Close the connection if its client has taken too long over one request."""
        between = self.timeout_keep_alive_task is not None  # uvicorn closes it after KEPT
        unsent = self.transport.get_write_buffer_size()
        asking = self.conn.their_state in (IDLE, SEND_BODY) and not unsent
        if self._doing != (asking, self.cycle):
            self._doing, self._until = (asking, self.cycle), self.loop.time() + (ASKING if asking else ANSWERING)
        if self.loop.time() > self._until and not between:
            self.transport.abort()
        else:
            self._look = self.loop.call_later(LOOK, self._watch)

    def send_400_response(self, msg: str) -> None:
        if self.cycle:  # do not send the rest of the current response
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (IDLE, SEND_RESPONSE):
            error = failure(400, msg.removesuffix("."), NO_SNIFFING | {"Connection": "close"})
            for event in (Response(status_code=400, headers=error.raw_headers), Data(data=error.body), EndOfMessage()):
                self.transport.write(self.conn.send(event))
        self.transport.close()
