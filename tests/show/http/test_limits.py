"""Limits of requests and clients: no batch, connection or silent client delays the others."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import Executor, Future
from http.client import HTTPResponse

import pytest

from dicebase.show.http import batches
from support.asgi import ask, beside, left

PIG = "/v1/pig_turn"
TWICE = [{"turn_total": t % 30, "id": t} for t in range(batches.FEW_POSITIONS + 1)]


def test_a_large_batch_is_answered_in_another_process(app, db, monkeypatch):
    expected = json.loads(ask(app, PIG, "POST", json.dumps(TWICE[:-1])).text)
    monkeypatch.setattr(batches, "lookup_rows", lambda *_: pytest.fail("answered in the process of the server"))
    found = ask(app, PIG, "POST", json.dumps(TWICE))
    assert found.status_code == 200 and found.json()[:-1] == expected
    padded = json.dumps(TWICE[:1]) + " " * batches.FEW_BYTES
    assert ask(app, PIG, "POST", padded).json() == expected[:1]
    for wrong, status in ((json.dumps([*TWICE, {"turn_total": "five"}]), 422), (json.dumps(TWICE * 100), 413)):
        assert ask(app, PIG, "POST", wrong).status_code == status


def test_lookups_are_answered_while_a_batch_is_computed(app):
    assert beside(app, PIG, [{"turn_total": 5}] * 1000) == [("lookup", 200)] * 10 + [("post", 200)]


def test_too_many_large_batches_are_refused(app, monkeypatch):
    places = app.state.service.batches._places
    assert (places.free, places.most) == (16, 16)
    monkeypatch.setattr(places, "free", 0)
    found = ask(app, PIG, "POST", json.dumps(TWICE))
    assert found.status_code == 503 and found.headers["Retry-After"] == "1"
    assert found.json() == {"error": "POST /v1/pig_turn: 16 such requests are in progress; try again"}
    assert ask(app, PIG, "POST", json.dumps(TWICE[:-1])).status_code == 200
    monkeypatch.undo()
    for body, status in ((json.dumps(TWICE), 200), (json.dumps(TWICE) + "]", 422), (" " * 1_000_001, 413)):
        assert ask(app, PIG, "POST", body).status_code == status
        assert places.free == 16


class Silent(Executor):
    """Accepts work and never does it."""

    def submit(self, *_):
        return Future()


def test_a_batch_without_a_client_frees_its_place(app, monkeypatch):
    monkeypatch.setattr(app.state.service.batches, "_pool", Silent())  # no answer can come before the client has gone
    for body in (TWICE, None):
        assert left(app, PIG, body, lambda: True) == 400
    assert app.state.service.batches._places.free == 16


def test_a_dead_process_is_replaced(app):
    assert ask(app, PIG, "POST", json.dumps(TWICE)).status_code == 200
    (process,) = app.state.service.batches._pool._processes
    os.kill(process, signal.SIGKILL)
    found = [ask(app, PIG, "POST", json.dumps(TWICE)) for _ in range(2)]
    assert [response.status_code for response in found] == [503, 200]
    assert "the process that answers has ended" in found[0].json()["error"]


RESPONSES = [("GET", "/", 200), ("GET", "/openapi.json", 200), ("GET", "/nowhere", 404), ("POST", PIG, 422)]
RESPONSES += [("GET", f"{PIG}?turn_total=19", 200), ("HEAD", f"{PIG}?turn_total=19", 200), ("PUT", PIG, 405)]
RESPONSES += [("GET", f"{PIG}?turn_total=1", 404), ("OPTIONS", PIG, 400)]


@pytest.mark.parametrize(("method", "path", "status"), RESPONSES)
def test_every_response_forbids_guessing_its_type(app, method, path, status):
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "PUT"} if method == "OPTIONS" else {}
    found = ask(app, path, method, **asked)
    assert found.status_code == status
    assert found.headers.get_list("X-Content-Type-Options") == ["nosniff"]


def test_an_unchanged_answer_and_a_fault_have_the_header_too(app, monkeypatch):
    unchanged = ask(app, "/", If_None_Match=ask(app, "/").headers["ETag"])
    monkeypatch.setattr(app.state.service.catalog, "lookup", lambda *_, **__: 1 / 0)
    fault = ask(app, f"{PIG}?turn_total=5", raises=False)
    assert (unchanged.status_code, fault.status_code) == (304, 500)
    assert fault.json() == {"error": "internal error; the server's log says more"}  # without details
    for found in (unchanged, fault):
        assert found.headers.get_list("X-Content-Type-Options") == ["nosniff"]


# --- connections ------------------------------------------------------------------------------------------------------

START = """
import sys
from dicebase.show.http import connections, run
for setting in sys.argv[2:]:
    name, value = setting.split("=")
    setattr(connections, name, float(value))
run(sys.argv[1], "127.0.0.1", 0, print)
"""


@pytest.fixture(scope="module")
def port(results):
    """The port of a server with time limits of less than a second. It must end without errors when it is terminated."""
    settings = ["KEPT=0.3", "ASKING=0.6", "ANSWERING=0.6", "LOOK=0.05", "MOST=3"]
    command = [sys.executable, "-u", "-c", START, str(results), *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield int(re.search(r":(\d+)/", process.stdout.readline())[1])
        finally:
            process.terminate()
        assert (process.wait(20), process.stderr.read()) == (0, "")


def connected(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(sent)
    return connection


def received(connection):
    """Everything received until the connection ends."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        parts.append(b"reset")
    connection.close()
    return b"".join(parts)


ASKED = b"GET /v1/pig_turn?turn_total=19 HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", False),
        (b"GET /v1/pig_turn?turn_total=19 HTTP/1.1\r\nHost: a\r\n", False),
        (b"POST /v1/pig_turn HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n[", False),
        (ASKED, True),
        (ASKED + b"GET /v1", True),
    ],
)
def test_idle_and_half_sent_connections_are_closed(port, sent, answered):
    found = received(connected(port, sent))
    assert found.startswith(b"HTTP/1.1 200 OK\r\n") == answered
    assert found.removesuffix(b"reset") == b"" or answered


def test_a_request_sent_byte_by_byte_is_closed(port):
    connection = connected(port)
    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        for _ in range(2000):  # ten seconds
            connection.sendall(b"a")
            connection.settimeout(0.005)
            try:
                if not connection.recv(1):
                    raise ConnectionResetError
            except TimeoutError:
                pass
    connection.close()


def test_a_client_that_reads_no_answer_is_closed(port):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 2000)
    for _ in range(3):  # wait three times as long as a client may take, by the server's clock
        assert received(connected(port)) == b""
    assert received(connection).count(b"HTTP/1.1 200 OK") < 2000


def test_other_protocols_and_long_heads_get_one_line(port):
    found = received(connected(port, b"nonsense\r\n\r\n"))
    head, _, body = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"x-content-type-options: nosniff" in head.lower()
    assert json.loads(body) == {"error": "Invalid HTTP request received"}
    assert received(connected(port, b"GET /" + b"a" * 40_000)).startswith(b"HTTP/1.1 400 ")  # a long head


@pytest.mark.parametrize("more", [b"", b"Content-Length: 5\r\n"])
def test_a_body_without_a_length_is_refused(port, more):
    head = b"POST /v1/pig_turn HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" + more
    found = received(connected(port, head + b"\r\n" + b"1\r\n[\r\n" * 500 + b"0\r\n\r\n" + ASKED))
    assert found.startswith(b"HTTP/1.1 411 Length Required\r\n") and found.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in found and b"send its body in one piece, not in chunks" in found


def answers(connection, requests):
    """The status codes of requests sent one after another over a connection."""
    found = []
    for request in requests:
        connection.sendall(request)
        response = HTTPResponse(connection)
        response.begin()
        response.read()
        found.append(response.status)
    return found


def test_a_connection_answers_many_requests_also_after_errors(port):
    wrong, missing = ASKED.replace(b"=19", b"=x"), ASKED.replace(b"pig_turn", b"pug_turn")
    posted = b"POST /v1/pig_turn HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]"
    with connected(port) as connection:
        assert answers(connection, [ASKED, wrong, ASKED, missing, posted, ASKED]) == [200, 422, 200, 404, 200, 200]


def test_an_idle_connection_makes_way_for_a_new_one(port):
    idle = [connected(port) for _ in range(3)]
    assert [answers(connection, [ASKED]) for connection in idle] == [[200]] * 3
    with connected(port) as another:
        assert answers(another, [ASKED]) == [200]
    for connection in idle:
        assert received(connection) == b""


def test_too_many_connections_are_refused(port):
    kept = [connected(port) for _ in range(3)]
    found = received(connected(port, ASKED))
    assert found.startswith(b"HTTP/1.1 503 ") and b"connection: close" in found
    assert found.endswith(b'{"error": "the server has too many connections; try again"}\n')
    more = [connected(port) for _ in range(4)]
    assert received(more[-1]).removesuffix(b"reset") == b""
    for connection in kept + more[:-1]:
        received(connection)
    assert received(connected(port, ASKED)).startswith(b"HTTP/1.1 200 ")
