"""How many lookups a second does the server answer, and how late are the slowest?

A server as `dicebase serve` starts it, asked over loopback by one client for positions drawn at random, each connection
waiting for its answer before it asks again. Server and client share the machine.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import chain
from urllib.parse import urlencode, urlsplit

from _measure import heading, number, table

import dicebase

# What to ask for: (table, variant); the variants are those a lookup takes if none is named.
ASKED = [
    ("pig_duel", {"sides": 6, "dice": 1, "target": 100}),
    ("ten_thousand_duel", {"rules": "crocce_mordecki", "target": 10000}),
]
CONNECTIONS = (1, 8)
POSITIONS, SECONDS = 5000, 4.0
START = "import sys; from dicebase.show.http import run; run(sys.argv[1], '127.0.0.1', 0, print)"


def positions(results: str, name: str, variant: dict) -> list[bytes]:
    """HTTP requests for random rows of a variant, each as likely as any other."""
    with dicebase.open(results) as db:
        columns = [c["name"] for c in db.describe(name)["columns"]]
        where = " AND ".join(f"{column} = '{value}'" for column, value in variant.items())
        rows = f"SELECT {', '.join(columns)} FROM {name} WHERE {where}"
        _, found = db.rows(f"SELECT * FROM ({rows}) USING SAMPLE {POSITIONS} ROWS (reservoir, 1)")
    queries = (urlencode(dict(zip(columns, row, strict=True))) for row in found)
    return [f"GET /v1/{name}?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for query in queries]


async def ask(address: str, requests: Sequence[bytes], until: float) -> list[float]:
    """Seconds from each question of one connection to its answer."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    taken = []
    while (started := time.perf_counter()) < until:
        writer.write(requests[len(taken) % len(requests)])
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(head.decode())
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        taken.append(time.perf_counter() - started)
    writer.close()
    return taken


async def load(address: str, requests: Sequence[bytes], connections: int, seconds: float) -> list[str]:
    """Requests a second, median and 99th percentile in milliseconds."""
    until = time.perf_counter() + seconds
    share = len(requests) // connections
    parts = [requests[i * share : (i + 1) * share] for i in range(connections)]
    taken = sorted(chain(*await asyncio.gather(*(ask(address, part, until) for part in parts))))
    quantiles = (1000 * taken[len(taken) * percent // 100] for percent in (50, 99))
    return [number(len(taken) / seconds), *map(number, quantiles)]


def main(results: str = "results") -> None:
    heading("Lookups over HTTP on loopback")
    asked = {name: positions(results, name, variant) for name, variant in ASKED}
    with subprocess.Popen([sys.executable, "-u", "-c", START, results], stdout=subprocess.PIPE, text=True) as server:
        try:
            if not (address := server.stdout.readline().strip()):
                sys.exit("the server has not started")
            rows = []
            for name, requests in asked.items():
                asyncio.run(load(address, requests, 1, 1.0))  # what is read for the first time comes from the disk
                for connections in CONNECTIONS:
                    measured = asyncio.run(load(address, requests, connections, SECONDS))
                    rows.append([name, str(connections), *measured])
        finally:
            server.terminate()
    table(["table", "connections", "requests a second", "median ms", "99 % ms"], rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
