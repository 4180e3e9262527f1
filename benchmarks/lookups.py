"""CPU time of lookups in results/ or a given folder: in Pig's duel, stored by rows, and in Ten Thousand's duel to
10,000, which may be stored by the starts of turns (`store: starts` in the configuration).

Positions are random, so that caching does not help; every kind of question is asked once before the measurement.
"""

import random
import resource
import subprocess
import sys
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pyarrow as pa
from _measure import cpu_seconds, heading, number, table

import dicebase

STORED, TABLE, POINTS = "pig_duel", "ten_thousand_duel", range(0, 10_000, 50)
MANY, ASKED = 1_000_000, 2000
COMMAND = Path(sys.executable).parent / "dicebase"


def main() -> None:
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    heading(f"Lookups in {STORED} and {TABLE}")
    draw = random.Random(1)
    with dicebase.open(results) as db:
        asked = [
            {"me": draw.choice(POINTS), "opponent": draw.choice(POINTS), "turn_total": 300, "dice": draw.randint(1, 4)}
            for _ in range(ASKED)
        ]
        asked = [position for position in asked if db.get(TABLE, **position)]
        rolls = [{k: v for k, v in p.items() if k != "dice"} | {"roll": "1155"[: p["dice"]]} for p in asked]
        stored = [
            {"me": draw.randrange(70), "opponent": draw.randrange(100), "turn_total": draw.randrange(10, 30)}
            for _ in range(ASKED)
        ]
        rows = []

        def measure(what: str, ask, positions: list[dict]) -> None:
            def all_of_them() -> None:
                for position in positions:
                    ask(position)

            seconds = cpu_seconds(all_of_them, 3) / len(positions)
            rows.append([what, number(1e6 * seconds)])

        measure(f"Python, {STORED}", lambda p: db.lookup(STORED, **p), stored)
        measure(f"Python, {TABLE}", lambda p: db.lookup(TABLE, **p), asked)
        measure(f"Python, a roll of {TABLE}", lambda p: db.lookup(TABLE, **p), rolls)
        value = f"SELECT value, action FROM {STORED} WHERE sides = 6 AND dice = 1 AND target = 100"
        value += " AND me = ? AND opponent = ? AND turn_total = ?"
        measure(f"SQL, SELECT from {STORED}", lambda p: db.rows(value, [*p.values()]), stored[:100])
        macro = f"SELECT * FROM {STORED}_at(?, ?, ?)"
        measure(f"SQL, macro of {STORED}", lambda p: db.rows(macro, [*p.values()]), stored[:100])
        at = f"SELECT * FROM {TABLE}_at(?, ?, ?, dice := ?)"
        measure(f"SQL, macro of {TABLE}", lambda p: db.rows(at, [*p.values()]), asked[:100])
        measure("SQL, macro, a roll", lambda p: db.rows(at.replace("dice", "roll"), [*p.values()]), rolls[:100])
        table(["one position", "microseconds"], rows)

        drawn = np.random.default_rng(1)
        frame = {name: 50 * drawn.integers(0, 200, MANY) for name in ("me", "opponent")}
        frame["turn_total"] = 50 * drawn.integers(0, 40, MANY)
        dice = pa.table(frame | {"dice": drawn.integers(1, 6, MANY)})
        texts = np.array(["".join(dice) for n in range(1, 6) for dice in combinations_with_replacement("123456", n)])
        kept = pa.table(frame | {"roll": texts[drawn.integers(0, len(texts), MANY)]})
        columns = {"me": drawn.integers(0, 70, MANY), "opponent": drawn.integers(0, 100, MANY)}
        pig = pa.table(columns | {"turn_total": drawn.integers(10, 30, MANY)})
        rows = []
        for what, name, many in ((STORED, STORED, pig), (TABLE, TABLE, dice), (f"rolls of {TABLE}", TABLE, kept)):
            seconds = cpu_seconds(lambda name=name, many=many: db.lookup_many(name, many), 2)
            rows.append([what, number(MANY / seconds)])
        table([f"{MANY:,} at once", "rows a second"], rows)

    words = {STORED: ("me=30", "turn_total=20"), TABLE: ("me=4500", "turn_total=350", "dice=3")}
    rows = [[name, number(min(_new_process(results, name, *of) for _ in range(20)))] for name, of in words.items()]
    table(["dicebase lookup, in a new process", "CPU seconds"], rows)


def _new_process(results: Path, *words: str) -> float:
    command = [COMMAND, "lookup", *words, "opponent=50", "--results", str(results)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
