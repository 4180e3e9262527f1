"""What the layers of a board took, and how long they would take on 1, 10 and 100 nodes.

python benchmarks/layers.py CONFIG [RESULTS]   (after a run, whose logs lie in RESULTS; default results/ur)

A node has two cores, and a job starts 10 s late on a cluster, as in tools/schedule.py. A layer is solved when those
ahead are, and certified when they are certified.
"""

import sys
from pathlib import Path

from _measure import heading, number, table, taken

sys.path.insert(0, str(Path(__file__).parent / "tools"))
from schedule import CORES, NODES, SUBMITTING, Job, makespan

from dicebase.certify.certificate import variants_of
from dicebase.pipeline import configuration
from dicebase.pipeline.costs import duration
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles


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
                max(held, also),
                megabytes,
                found["error_bound"],
            )
        )
        ahead = piece.needs.values()
        jobs["solve", piece.name] = Job(solve, frozenset(("solve", name) for name in ahead))
        after = {("solve", piece.name), *(("certify", name) for name in ahead)}
        jobs["certify", piece.name] = Job(certify, frozenset(after))
    columns = [*zip(*rows, strict=True)]
    rows.append(("all", *map(sum, columns[1:4]), max(columns[4]), sum(columns[5]), max(columns[6])))
    said = [
        (layer, f"{n:,}", number(s), number(c), number(m), number(b), f"{e:.1e}") for layer, n, s, c, m, b, e in rows
    ]
    table(["layer", "positions", "solve, s", "certify, s", "memory, MB", "file, MB", "bound"], said)
    nodes = []
    for count in NODES:
        late = 0.0 if count == 1 else SUBMITTING
        later = {name: Job(job.seconds + late, job.after) for name, job in jobs.items()}
        nodes.append((count, duration(makespan(later, count * CORES))))
    table(["nodes", "time"], nodes)


if __name__ == "__main__":
    main(*sys.argv[1:])
