"""Compare other solvers with dicebase on the same problems: `python benchmarks/peers/run.py [--page]`.

Every measurement runs in its own process (worker.py), one after the other. A solver gets larger and larger problems
until it exceeds the limit of time or memory, or is expected to. Results go to benchmarks/results/peers.json and the
picture to docs/pictures/peers.png; --page also writes the tables to benchmarks/peers/results.md.
"""

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from _measure import heading, number, table
from catalogue import OURS, PEERS, PROBLEM_SIZES, TITLES, UNITS, Peer
from page import at_largest_size, write_page
from picture import draw

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RESULTS = ROOT / "benchmarks/results/peers.json"
PAGE = ROOT / "benchmarks/peers/results.md"
PICTURE = ROOT / "docs/pictures/peers.png"
THREADS = ("NUMBA", "OMP", "OPENBLAS", "MKL")
GROWTH = 1.5  # a size is not tried if its expected cost exceeds the limit by this factor
START = 60  # wall seconds allowed for loading and warming up


def python(peer: Peer) -> str:
    """Return the path of the Python interpreter for a peer."""
    return sys.executable if peer.product else str(HERE / ".venv/bin/python")


def versions() -> dict[str, str]:
    """Return the version of each peer's package, by name of the peer."""
    found = {}
    for product in (True, False):
        peers = [peer for peer in PEERS if peer.product == product]
        code = f"from importlib.metadata import version\nfor p in {[p.package for p in peers]}: print(version(p))"
        shown = subprocess.run([python(peers[0]), "-c", code], capture_output=True, text=True, check=True).stdout
        found |= dict(zip((peer.name for peer in peers), shown.split(), strict=True))
    return found


def measure(peer: Peer, problem: str, size: int, file: str, limits: argparse.Namespace) -> dict:
    """Measure one size; return the result of worker.py, or {"stopped": reason}."""
    environment = os.environ | dict.fromkeys((f"{name}_NUM_THREADS" for name in THREADS), "1")
    environment |= {"PEERS_SECONDS": str(limits.seconds), "PEERS_MB": str(limits.megabytes), "PEERS_REPEAT": "0.2"}
    command = [python(peer), str(HERE / "worker.py"), peer.module, problem, str(size), file]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=START + 3 * limits.seconds
        )
    except subprocess.TimeoutExpired:
        return {"stopped": "time"}
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    if done.returncode == -signal.SIGPROF:
        return {"stopped": "time"}
    if any(word in done.stderr for word in ("MemoryError", "bad_alloc", "Memory limit")):
        return {"stopped": "memory"}
    last = (done.stderr.strip().splitlines() or [f"signal {-done.returncode}"])[-1]
    return {"stopped": (last.partition(": ")[2] or last)[:200]}


def climb(peer: Peer, problem: str, folder: str, limits: argparse.Namespace, deadline: float) -> list[dict]:
    """Return a row per size; the last row may have the reason for stopping instead."""
    rows: list[dict] = []
    for size in PROBLEM_SIZES[problem]:
        if time.monotonic() > deadline:
            return [*rows, {"size": size, "stopped": "end of the run"}]
        if expected(rows, size, "seconds") > GROWTH * limits.seconds:
            return [*rows, {"size": size, "stopped": "time"}]
        if expected(rows, size, "peak") > GROWTH * limits.megabytes:
            return [*rows, {"size": size, "stopped": "memory"}]
        file = f"{folder}/{peer.module}-{problem}-{size}.npy"
        row = {"size": size} | measure(peer, problem, size, file, limits)
        print(f"  {peer.name:20} {problem:20} {size:>9}  {row.get('stopped') or number(row['solve_cpu'])}", flush=True)
        if "stopped" in row:
            return [*rows, row]
        row["seconds"] = row["build_cpu"] + row["solve_cpu"]
        row["difference"] = difference(f"{folder}/{OURS.module}-{problem}-{size}.npy", file)
        rows.append(row)
    return rows


def expected(rows: list[dict], size: int, what: str) -> float:
    """Extrapolate a quantity from the last two sizes: as a power of large sizes, exponentially in small ones."""
    if len(rows) < 2 or rows[-1]["seconds"] < 0.3:
        return 0.0
    (before, x), (last, y) = ((row["size"], row[what]) for row in rows[-2:])
    steps = np.log(size / last) / np.log(last / before) if last > 30 else (size - last) / (last - before)
    return y * max(y / x, 1.0) ** steps


def difference(ours: str, theirs: str) -> float | None:
    """Return the largest difference between values that both files have; None without ours."""
    if not Path(ours).exists():
        return None
    return float(np.nanmax(np.abs(np.load(ours) - np.load(theirs))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8, help="of CPU, to build and to solve one size")
    parser.add_argument("--megabytes", type=float, default=4000, help="of one process")
    parser.add_argument("--minutes", type=float, default=9, help="in all; what is left then is not measured")
    parser.add_argument("--page", action="store_true", help="write the tables into benchmarks/peers/results.md")
    parser.add_argument("--only", nargs="*", help="modules of peers, besides dicebase")
    parser.add_argument("--draw", action="store_true", help="do not measure: picture and page from the last results")
    limits = parser.parse_args()
    if not limits.draw:
        deadline = time.monotonic() + 60 * limits.minutes
        found = {
            "date": str(date.today()),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "seconds": limits.seconds,
            "megabytes": limits.megabytes,
            "versions": versions(),
            "rows": {problem: {} for problem in PROBLEM_SIZES},
        }
        with tempfile.TemporaryDirectory() as folder:
            for problem, rows in found["rows"].items():
                for peer in PEERS:
                    wanted = peer is OURS or not limits.only or peer.module in limits.only
                    if problem in peer.problems and wanted:
                        rows[peer.name] = climb(peer, problem, folder, limits, deadline)
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    found = json.loads(RESULTS.read_text())
    for problem, rows in found["rows"].items():
        heading(f"{TITLES[problem]}: the largest size ({UNITS[problem][0]})")
        table(*at_largest_size(rows))
    draw(found, PICTURE)
    if limits.page:
        write_page(found, PAGE)


if __name__ == "__main__":
    main()
