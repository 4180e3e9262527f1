"""Lookups in the largest table, the duel of Ten Thousand to 10,000 with 19.3 million rows; in results/, or a given one.

Positions are drawn at random, so that nothing but the computed rank helps; all is warm, each kind of question having
been asked before. CPU seconds, but for a command that starts anew, whose time on the wall counts.
"""

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from _measure import cpu_seconds, heading, number, table

import dicebase

TABLE, POINTS = "ten_thousand_duel", range(0, 10_000, 50)
MANY = 1_000_000
COMMAND = Path(sys.executable).parent / "dicebase"


def main() -> None:
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    heading(f"Lookups in {TABLE}")
    draw = random.Random(1)
    with dicebase.open(results) as db:
        asked = [
            {"me": draw.choice(POINTS), "opponent": draw.choice(POINTS), "turn_total": 300, "dice": draw.randint(1, 4)}
            for _ in range(2000)
        ]
        asked = [position for position in asked if db.get(TABLE, **position)]
        rolls = [{k: v for k, v in p.items() if k != "dice"} | {"roll": "1155"[: p["dice"]]} for p in asked]
        rows = []

        def measure(what: str, ask, positions: list[dict]) -> None:
            def all_of_them() -> None:
                for position in positions:
                    ask(position)

            seconds = cpu_seconds(all_of_them, 3) / len(positions)
            rows.append([what, number(1e6 * seconds)])

        measure("Python, a position", lambda p: db.lookup(TABLE, **p), asked)
        measure("Python, a roll", lambda p: db.lookup(TABLE, **p), rolls)
        variant = "target = 10000 AND rules = 'crocce_mordecki'"
        place = "me = ? AND opponent = ? AND turn_total = ? AND dice = ?"
        value = f"SELECT value, action FROM {TABLE} WHERE {variant} AND {place}"
        measure("SQL, SELECT from the view", lambda p: db.rows(value, [*p.values()]), asked[:100])
        at = f"SELECT * FROM {TABLE}_at(?, ?, ?, dice := ?)"
        measure("SQL, macro, a position", lambda p: db.rows(at, [*p.values()]), asked[:100])
        measure("SQL, macro, a roll", lambda p: db.rows(at.replace("dice", "roll"), [*p.values()]), rolls[:100])
        table(["one position", "microseconds"], rows)

        drawn = np.random.default_rng(1)
        frame = {name: 50 * drawn.integers(0, 200, MANY) for name in ("me", "opponent")}
        frame["turn_total"] = 50 * drawn.integers(0, 40, MANY)
        dice = pa.table(frame | {"dice": drawn.integers(1, 6, MANY)})
        texts = np.array(["1", "15", "115", "1155", "11355", "22346", "234", "5"])
        kept = pa.table(frame | {"roll": texts[drawn.integers(0, len(texts), MANY)]})
        rows = []
        for what, many in (("positions", dice), ("rolls", kept)):
            seconds = cpu_seconds(lambda many=many: db.lookup_many(TABLE, many), 3)
            rows.append([what, number(MANY / seconds)])
        table([f"{MANY:,} at once", "rows a second"], rows)

    words = [COMMAND, "lookup", TABLE, "me=4500", "opponent=5200", "turn_total=300", "roll=11355", "--results", results]
    table(["a new process", "seconds"], [["dicebase lookup", number(min(_wall(words) for _ in range(10)))]])


def _wall(words: list) -> float:
    started = time.perf_counter()
    subprocess.run(list(map(str, words)), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
