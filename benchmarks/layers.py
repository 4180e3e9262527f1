"""Layers of a board: measured and planned cost, predicted time on 1, 10 and 100 nodes, and the speedup from compiled
rules.

python benchmarks/layers.py CONFIG [RESULTS]   (after a run with logs in RESULTS; default results/ur)

A node has two cores, and each job on a cluster starts 10 s late, as in tools/schedule.py. A layer can be solved once
the layers that it leads to are solved, and certified once these are certified.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from _measure import cpu_seconds, heading, number, table, taken

sys.path.insert(0, str(Path(__file__).parent / "tools"))
from schedule import CORES, NODES, SUBMITTING, Job, makespan

from dicebase.certify.certificate import variants_of
from dicebase.pipeline import configuration
from dicebase.pipeline.costs import RULES, duration, read_costs
from dicebase.pipeline.plan import Slice, make_plan
from dicebase.solvers.boards.positions import positions_of
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import layers_of


def main(config: str, folder: str = "results/ur") -> None:
    heading("layers of boards")
    results, rows, jobs = Path(folder), [], {}
    pieces = [p for p in make_plan(configuration.read([Path(config)])).slices.values() if "layer" in p.variants[0]]
    for piece in pieces:
        files = SliceFiles(results, piece.table.name, piece.name)
        logs = (results / "logs" / rule / piece.table.name / f"{piece.name}.log" for rule in ("solve", "certify"))
        (_, solve, held), (_, certify, also) = map(taken, logs)
        (found,) = variants_of([files.certificate])
        megabytes = files.rows.stat().st_size / 1e6
        rows.append(
            (
                piece.variants[0]["layer"],
                found["states"],
                solve,
                certify,
                planned(piece, "seconds", sum),
                max(held, also),
                planned(piece, "memory", max),
                megabytes,
                found["error_bound"],
            )
        )
        ahead = piece.needs.values()
        jobs["solve", piece.name] = Job(solve, frozenset(("solve", name) for name in ahead))
        after = {("solve", piece.name), *(("certify", name) for name in ahead)}
        jobs["certify", piece.name] = Job(certify, frozenset(after))
    columns = [*zip(*rows, strict=True)]
    rows.append(("all", *map(sum, columns[1:5]), *map(max, columns[5:7]), sum(columns[7]), max(columns[8])))
    said = [(layer, f"{n:,}", *map(number, numbers), f"{bound:.1e}") for layer, n, *numbers, bound in rows]
    heads = ["solve, s", "certify, s", "planned, s", "memory, MB", "planned, MB", "file, MB", "bound"]
    table(["layer", "positions", *heads], said)
    nodes = []
    for count in NODES:
        late = 0.0 if count == 1 else SUBMITTING
        later = {name: Job(job.seconds + late, job.after) for name, job in jobs.items()}
        nodes.append((count, duration(makespan(later, count * CORES))))
    table(["nodes", "time"], nodes)
    enumerated(pieces[0])


def planned(piece: Slice, quantity: str, both: Callable[[list[float]], float]) -> float:
    """Return the cost model's estimate for solving and certifying a layer, combined by `both`."""
    return both([getattr(read_costs().of_slice(rule, piece), quantity) for rule in RULES])


def enumerated(piece: Slice) -> None:
    """Measure the enumeration of all moves with two pieces by plain and by compiled rules, and by compiled rules in the
    last layer with four pieces, which is too large for plain rules."""
    two, four = (
        replace(piece.table.build(piece.variants[0], piece.definitions).rules, pieces=n, objective="duel")
        for n in (2, 4)
    )
    found = [("plain, two pieces", len(positions_of(two).action), cpu_seconds(lambda: positions_of(two), repeats=1))]
    for name, rules, some in (("two pieces", two, two.layers), ("four, the last layer", four, ["4-4"])):
        layers = layers_of(rules)
        seconds = cpu_seconds(lambda of=layers, some=some: [of.moves(layer, 0, of.rules.size(layer)) for layer in some])
        moves = sum(len(layers.moves(layer, 0, layers.rules.size(layer)).to) for layer in some)
        found.append((f"compiled, {name}", moves, seconds))
    said = [(name, f"{count:,}", number(s), number(1e6 * s / count)) for name, count, s in found]
    table(["rules", "moves", "CPU s", "microseconds a move"], said)


if __name__ == "__main__":
    main(*sys.argv[1:])
