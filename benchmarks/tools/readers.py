"""A soak test of readers: two processes look up positions continually while builds run, some of which are killed.

python benchmarks/tools/readers.py [--lookups 10000] [--builds 30] [--seed 1]

One reader opens the folder for each lookup, the other once for every 50 lookups; every tenth question is SQL. Builds
run two at a time; in two of three pairs one is killed (SIGKILL) at a random moment. The answer to a question must never
change.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dicebase

SOLVE = "import sys; from dicebase.cli import main; sys.exit(main(['solve', *sys.argv[1:]]))"
BUILT = "pig_turn sides=6"
BUILDS = [*(f"pig_turn sides={sides}" for sides in range(2, 30, 3)), "forbidden_multiple_turn multiple=4", BUILT]


def ask(catalog: dicebase.Catalog, total: int) -> object:
    """Return an answer that no build may change."""
    if total % 10 == 3:
        query = "SELECT value, action FROM pig_turn WHERE sides = 6 AND dice = 1 AND turn_total = ?"
        return catalog.rows(query, [20])
    return catalog.lookup("pig_turn", turn_total=2 + total % 20)["actions"]


def read(folder: Path, lookups: int, at_once: int) -> dict[str, object]:
    """Look up at least `lookups` positions, until a file `stop` exists; reopen the folder after `at_once` lookups."""
    with dicebase.open(folder / "results") as catalog:
        expected = [repr(ask(catalog, total)) for total in range(20)]
    count, wrong, failed = 0, [], []
    while count < lookups or not (folder / "stop").exists():
        try:
            with dicebase.open(folder / "results") as catalog:
                for total in range(count, count + at_once):
                    count += 1
                    time.sleep(0.02)  # leave the processors to the builds
                    if (answer := repr(ask(catalog, total % 20))) != expected[total % 20]:
                        wrong.append(answer)
        except dicebase.DicebaseError as error:
            failed.append(str(error))
    return {"lookups": count, "wrong": wrong, "failed": failed}


def solve(folder: Path, words: str) -> subprocess.Popen:
    command = [sys.executable, "-c", SOLVE, *words.split(), "-o", str(folder / "results")]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def soak(folder: Path, lookups: int, builds: int, chance: random.Random) -> dict[str, list]:
    """Return what two readers found, and the messages of builds that failed without being killed."""
    assert solve(folder, BUILT).wait() == 0
    readers = [
        subprocess.Popen([sys.executable, __file__, "--read", folder, str(lookups // 2), str(at_once)], stdout=-1)
        for at_once in (1, 50)
    ]
    failed = []
    for _ in range(builds // 2):
        started = [solve(folder, chance.choice(BUILDS)) for _ in range(2)]
        if chance.random() < 2 / 3:
            time.sleep(chance.random() * 3)
            chance.choice(started).kill()
        failed += [said for said in ((b.communicate()[1], b.returncode) for b in started) if said[1] not in (0, -9)]
    (folder / "stop").touch()
    return {"readers": [json.loads(reader.communicate()[0]) for reader in readers], "failed": failed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookups", type=int, default=10_000)
    parser.add_argument("--builds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--read", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        folder, lookups, at_once = options.read
        print(json.dumps(read(Path(folder), int(lookups), int(at_once))))
        return
    with tempfile.TemporaryDirectory() as name:
        found = soak(Path(name), options.lookups, options.builds, random.Random(options.seed))
    for reader in found["readers"]:
        wrong, failed = reader["wrong"], reader["failed"]
        print(f"{reader['lookups']} lookups, {len(wrong)} wrong, {len(failed)} failed {[*wrong, *failed][:3]}")
    print(f"{len(found['failed'])} builds failed {found['failed'][:3]}")
    if found["failed"] or any(reader["wrong"] or reader["failed"] for reader in found["readers"]):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
