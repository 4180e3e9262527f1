"""Lookups per second by the server, and the delay of the slowest, alone and together with large requests.

The server runs as `dicebase serve --sql` starts it. A client on the same machine asks over loopback for random
positions, and each connection waits for its answer before it asks again. Other programs also delay answers, but they do
not affect the CPU time of a step of the server's thread, during which it answers no other request.
"""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from urllib.parse import urlencode, urlsplit

from _measure import heading, number, table

import dicebase

# The tables to query, each with the default variant of a lookup.
ASKED = [
    ("pig_duel", {"sides": 6, "dice": 1, "target": 100}),
    ("ten_thousand_duel", {"rules": "crocce_mordecki", "target": 10000}),
]
CONNECTIONS = (1, 8)
POSITIONS, SECONDS = 5000, 4.0
START = """
import asyncio.events, signal, sys, time
from dicebase.show.http import run

longest, step = [0.0], asyncio.events.Handle._run


def measured(handle):
    before = time.thread_time()
    step(handle)
    longest[0] = max(longest[0], time.thread_time() - before)


def say(*_):
    print(longest[0], flush=True)
    longest[0] = 0.0


asyncio.events.Handle._run = measured
signal.signal(signal.SIGUSR1, say)
run(sys.argv[1], "127.0.0.1", 0, print, sql=True)
"""
BESIDE = 4  # connections that send large requests


def post(path: str, body: object) -> bytes:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return f"POST /v1/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text


FREE = [{"distribution": "3d6", "slots": 1000 - i, "free": 2943, "roll_total": 10} for i in range(1000)]
LARGE = {
    "nothing": [],
    "1000 positions of one variant": [
        post("pig_duel", [{"me": i % 100, "opponent": 0, "turn_total": 0} for i in range(1000)])
    ],
    "1000 positions of 1000 variants": [post("ten_times_eighteen_score", FREE)],
    "8000 unknown names": [post("pig_turn", [{"turn_total": 5} | {f"k{i}": 1 for i in range(8000)}])],
    "1 MB of empty objects": [post("pig_turn", b'[{"turn_total": 5, "x": [{}' + b",{}" * 330_000 + b"]}]")],
    "SQL: 10,000 rows": [post("sql", {"query": "FROM range(10000) a, (FROM tables LIMIT 1)"})],
    "SQL: more than its time": [post("sql", {"query": "SELECT count(*) FROM range(1000000000000)"})],
    "SQL: more than its memory": [post("sql", {"query": "SELECT list(range) FROM range(1000000000)"})],
}
"""Large requests sent at the same time as the lookups."""


def positions(results: str, name: str, variant: dict) -> list[bytes]:
    """Return HTTP requests for uniformly random rows of a variant."""
    with dicebase.open(results) as db:
        columns = [c["name"] for c in db.describe(name)["columns"]]
        where = " AND ".join(f"{column} = '{value}'" for column, value in variant.items())
        rows = f"SELECT {', '.join(columns)} FROM {name} WHERE {where}"
        _, found = db.rows(f"SELECT * FROM ({rows}) USING SAMPLE {POSITIONS} ROWS (reservoir, 1)")
    queries = (urlencode(dict(zip(columns, row, strict=True))) for row in found)
    return [f"GET /v1/{name}?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for query in queries]


async def ask(address: str, requests: Sequence[bytes], until: float, statuses: bytes = b"200") -> list[float]:
    """Return the seconds from each request on one connection to its answer."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    taken = []
    while requests and (started := time.perf_counter()) < until:
        writer.write(requests[len(taken) % len(requests)])
        head = await reader.readuntil(b"\r\n\r\n")
        if head[9:12] not in statuses.split():
            raise RuntimeError(head.decode())
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        taken.append(time.perf_counter() - started)
    writer.close()
    return taken


async def load(address: str, requests: Sequence[bytes], connections: int, seconds: float) -> list[str]:
    """Return the requests per second, and the median and 99th percentile of delays in milliseconds."""
    until = time.perf_counter() + seconds
    share = len(requests) // connections
    parts = [requests[i * share : (i + 1) * share] for i in range(connections)]
    taken = sorted(chain(*await asyncio.gather(*(ask(address, part, until) for part in parts))))
    return [number(len(taken) / seconds), *delays(taken)[:2]]


def send_large(address: str, large: Sequence[bytes], seconds: float) -> int:
    """Send large requests on several connections; return the number answered or refused."""
    until = time.perf_counter() + seconds

    async def send() -> int:
        busy = (ask(address, large, until, b"200 408 422 503") for _ in range(BESIDE))
        return sum(map(len, await asyncio.gather(*busy)))

    return asyncio.run(send())


def beside(pool: ProcessPoolExecutor, address: str, requests: Sequence[bytes], large: Sequence[bytes]) -> list[str]:
    """Send large requests from another process; return the number answered, and the delays of lookups meanwhile."""
    answered = pool.submit(send_large, address, large, SECONDS)
    taken = asyncio.run(ask(address, requests, time.perf_counter() + SECONDS))
    return [str(answered.result()), *delays(sorted(taken))]


def step(server: subprocess.Popen) -> str:
    """Return the longest step of the server's thread since the last call, in CPU milliseconds."""
    server.send_signal(signal.SIGUSR1)
    return number(1000 * float(server.stdout.readline()))


def delays(taken: Sequence[float]) -> list[str]:
    """Return the median, 99th percentile and maximum, in milliseconds."""
    return [number(1000 * taken[min(len(taken) * percent // 100, len(taken) - 1)]) for percent in (50, 99, 100)]


def main(results: str = "results") -> None:
    heading("Lookups over HTTP on loopback")
    asked = {name: positions(results, name, variant) for name, variant in ASKED}
    with subprocess.Popen([sys.executable, "-u", "-c", START, results], stdout=subprocess.PIPE, text=True) as server:
        try:
            if not (address := server.stdout.readline().strip()):
                sys.exit("the server has not started")
            rows = []
            for name, requests in asked.items():
                asyncio.run(load(address, requests, 1, 1.0))  # warm up, because the first reads come from the disk
                for connections in CONNECTIONS:
                    measured = asyncio.run(load(address, requests, connections, SECONDS))
                    rows.append([name, str(connections), *measured])
            lookups = next(iter(asked.values()))
            late = []
            with ProcessPoolExecutor(1) as pool:
                for what, large in LARGE.items():
                    step(server)  # reset the maximum
                    late.append([what, *beside(pool, address, lookups, large), step(server)])
        finally:
            server.terminate()
    table(["table", "connections", "requests a second", "median ms", "99 % ms"], rows)
    table([f"beside, on {BESIDE} connections", "answered", "median ms", "99 % ms", "longest ms", "step, ms CPU"], late)


if __name__ == "__main__":
    main(*sys.argv[1:])
