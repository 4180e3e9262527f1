"""Board games (benchmarks/rules): from rules to certified Parquet, in one thread.

Each job runs in its own process, which first solves a small variant, so that neither compilation nor imports are
measured; bytes are the growth of its resident set. Whole commands are compared with those of a small variant. The
kernel of duels and C code (benchmarks/c) also solve Pig's duel, and the values of all positions are compared.
"""

import os
from pathlib import Path

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
os.environ["DICEBASE_GAMES"] = str(Path(__file__).parent / "rules")

import json
import subprocess
import sys
import time
from ctypes import CDLL, c_double, c_int64
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow.parquet as pq
from _measure import cpu_seconds, heading, number, table

from dicebase.games import pig
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan, make_slice, slice_name
from dicebase.solvers.boards.positions import Positions, positions_of
from dicebase.solvers.boards.values import q_values, solve
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.duel import duel_turns, solve_duel
from dicebase.tables.names import Table, find_table, layers_of
from dicebase.vocabulary import Board

TARGET, WARM = 100, 10
# The parameter of each table that sets the size of a variant.
SIZES = {"pig_board_duel": "target", "dozen_points": "squares", "pig_duel": "target"}
# Boards whose rules are slow, and boards with compiled rules: a small variant, then larger ones.
SLOW = {"small_backgammon_points": [{"points": n, "sides": 4} for n in (4, 10, 16)]}
BLITZ = {"path": "masters", "rosettes": "open", "captures": "again", "slice_by": ["pieces", "path", "layer"]}
COMPILED = {
    "hypergammon_points": [{"checkers": n} for n in (1, 2)],
    "royal_ur_layers": [{"pieces": n} | BLITZ for n in (1, 3)],
}
# Before: the whole command / asking the rules twice, and bytes a position; thousands of positions a second.
BEFORE = {"small_backgammon_points": (3.53, 1117), "hypergammon_points": 378, "royal_ur_layers": 458}
GROWTH = {"pig_board_duel": (28, 60, 100, 128), "dozen_points": (1700, 17_000, 83_000, 167_000)}


def variant(name: str, size: int) -> tuple[Table, dict]:
    known = find_table(name)
    return known, known.variant({SIZES[name]: size}, {}, name)


def job(what: str, name: str, size: int, folder: Path) -> None:
    """Solve or certify a variant."""
    known, chosen = variant(name, size)
    piece = make_slice(known, slice_name(chosen), [chosen], {})
    if what == "solve":
        steps.solve(folder, piece.key)
    else:
        steps.certify(folder, name, piece.name, piece.certificate_key)


def measured(what: str, name: str, size: int, folder: Path) -> None:
    """Print CPU seconds and bytes of a job; must run in its own process."""
    with TemporaryDirectory() as small:
        for step in ("solve", "certify"):
            job(step, name, WARM, Path(small))
    before, started = resident(), time.process_time()
    job(what, name, size, folder)
    print(json.dumps([time.process_time() - started, resident() - before]))


def resident() -> int:
    """Return the peak resident set of this process in bytes; getrusage would include that of the parent."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def certified(name: str, size: int, folder: str) -> list[float]:
    """Solve and certify a variant in a folder; return seconds and bytes to solve, the same to certify, and the size of
    its Parquet files in bytes."""
    found = []
    for what in ("solve", "certify"):
        command = [sys.executable, __file__, what, name, str(size), folder]
        found += json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [*found, sum(path.stat().st_size for path in Path(folder).glob(f"*s/{name}/*.parquet"))]


def whole(name: str, variants: list[dict]) -> None:
    """Print the CPU seconds of the whole command for the last variant, after the first one has loaded everything; must
    run in its own process."""
    for variant in variants:
        with TemporaryDirectory() as folder:
            started = time.process_time()
            steps.build(Path(folder), make_plan({"tables": {name: [variant]}}))
    print(time.process_time() - started)


def command(name: str, parameters: dict) -> tuple[float, int]:
    """Return the CPU seconds of `dicebase solve` and its children, and the largest resident set of one of them."""
    said = [f"{parameter}={value}" for parameter, value in parameters.items()]
    with TemporaryDirectory() as folder:
        words = [Path(sys.executable).with_name("dicebase"), "solve", name, *said, "-o", folder]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
    assert status == 0, words
    return used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss


def asked_once(rules: Board) -> tuple[float, int, int]:
    """Return the CPU seconds to ask the rules about every position once, and the numbers of positions and actions."""
    started, states, afterstates, actions = time.process_time(), {None}, {rules.start()}, 0
    waiting = [*afterstates]
    while waiting:
        new = {o[1] for afterstate in waiting for o in rules.outcomes(afterstate)} - states
        states |= new
        after = [rules.afterstate(state, action) for state in new for action in rules.actions(state)]
        waiting, actions = [*({*after} - afterstates)], actions + len(after)
        afterstates |= {*after}
    return time.process_time() - started, len(states) - 1, actions


def slow_rules() -> None:
    heading("Rules that are slow to ask: `dicebase solve`, above what it takes for a small variant")
    rows = []
    for name, (small, *variants) in SLOW.items():
        loading, least = command(name, small)
        print(f"small variant: {loading:.1f} s, {least / 1e6:.0f} MB")
        for parameters in variants:
            known = find_table(name)
            once, states, actions = asked_once(known.build_rules(known.variant(parameters, {}, name), {}))
            seconds, most = command(name, parameters)
            share, size = (seconds - loading) / (2 * once), (most - least) / states
            numbers = (1e6 * once / states, share, BEFORE[name][0], size, 200 + 20 * actions / states, BEFORE[name][1])
            rows.append([name, states, *map(number, numbers)])
    header = ["table", "positions", "asked once, us", "/ asked twice (goal 1.5)", "before", "bytes", "goal", "before"]
    table(header, rows)


def compiled_rules() -> None:
    heading("Compiled rules: thousands of positions, counted with the throw, a CPU second, certified (goal 500)")
    rows = []
    for name, variants in COMPILED.items():
        known, (*_, given) = find_table(name), variants
        rules = known.build_rules(known.variant({n: v for n, v in given.items() if n != "slice_by"}, {}, name), {})
        dice = layers_of(rules).dice[0]
        positions = sum(map(rules.size, rules.layers)) * len(dice)
        words = [sys.executable, __file__, "whole", name, json.dumps(variants)]
        run = subprocess.run(words, check=True, capture_output=True, text=True)
        rows.append([name, positions, f"{positions / float(run.stdout) / 1000:.0f}", BEFORE[name]])
    table(["table", "positions", "thousands a second", "before"], rows)


def in_parts(name: str, size: int) -> tuple[Positions, float, float]:
    """Return the positions, the CPU seconds to enumerate them, and the CPU seconds to solve them with all actions."""
    known, chosen = variant(name, size)
    game, started = known.build(chosen, {}), time.process_time()
    found = positions_of(game.rules)
    enumerated = time.process_time() - started
    return found, enumerated, cpu_seconds(lambda: values_of(found, game.sense), repeats=2)


def values_of(found: Positions, sense: int) -> np.ndarray:
    values = solve(found, sense)
    q_values(found.step, values)
    return values


def grown(name: str, size: int) -> list[object]:
    """Return the row of a variant in the table of growth."""
    found, enumerating, solving = in_parts(name, size)
    states, actions = len(found.states), len(found.step.after)
    with TemporaryDirectory() as folder:
        solved, most, checked, held, stored = certified(name, size, folder)
    rates = [f"{states / seconds / 1000:.0f}" for seconds in (enumerating, solving, solved, checked)]
    sizes = [f"{size / states:.0f}" for size in (most, held, stored)]
    return [name, states, f"{actions / states:.1f}", *rates, number(solved + checked), *sizes]


def pig_in_c(folder: str) -> tuple:
    """Return a C function that solves Pig's duel, and its outputs: values before a turn, of rolling and of holding."""
    library, source = Path(folder) / "pig.so", Path(__file__).parent / "c" / "pig.c"
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source],
                   check=True)  # fmt: skip
    kernel, doubles = CDLL(str(library)).pig, np.ctypeslib.ndpointer(float, flags="C")
    kernel.argtypes, kernel.restype = [c_int64, c_double, doubles, doubles, doubles], c_int64
    V, roll, hold = np.empty((TARGET,) * 2), *np.empty((2, *(TARGET,) * 3))
    return lambda: kernel(TARGET, 1e-15, V, roll, hold), V, roll, hold


def pig_own() -> np.ndarray:
    """Return the values before a turn by the kernel of duels, after a pass over every position."""
    turn = compile_turn(pig.Rules())
    V = solve_duel(turn, TARGET)
    for me in range(TARGET):
        duel_turns(turn, V, me)
    return V


def both_ways() -> None:
    """Compare three ways of solving Pig's duel: as a board, by the kernel of duels, and in C."""
    with TemporaryDirectory() as folder:
        c, V, roll, hold = pig_in_c(folder)
        c()
        in_parts("pig_board_duel", WARM)
        found, enumerating, solving = in_parts("pig_board_duel", TARGET)
        me, other, total = np.array(found.states).T
        ahead = np.maximum(roll, hold)[me, other, total]
        off = {"as a board, solution": np.abs(values_of(found, 1) - ahead).max(), "kernel": np.abs(pig_own() - V).max()}
        seconds = {"kernel": cpu_seconds(pig_own, repeats=3), "C": cpu_seconds(c, repeats=3)}
        seconds |= {"as a board, enumeration": enumerating, "as a board, solution": solving}
        heading(f"Pig's duel to {TARGET}: the values of all {len(found.states)} positions and of their actions")
        rows = [[name, f"{taken:.3f}", *(number(taken / seconds[other]) for other in ("kernel", "C")),
                 f"{off[name]:.0e}" if name in off else ""] for name, taken in seconds.items()]  # fmt: skip
        table(["", "CPU s", "/ kernel", "/ C", "difference from C"], rows)
        heading("The same as certified Parquet")
        rows = []
        for name in ("pig_duel", "pig_board_duel"):
            solved, _, checked, _, stored = certified(name, TARGET, folder)
            rows.append([name, f"{solved:.2f}", f"{checked:.2f}", f"{stored / 1e6:.1f}"])
        table(["table", "solved, s", "certified, s", "MB"], rows)
        tables = [pq.read_table(f"{folder}/tables/{name}").to_pandas() for name in ("pig_duel", "pig_board_duel")]
        keys = ["me", "opponent", "turn_total"]
        board, duel = (t.set_index(keys)["value"] for t in reversed(tables))
        print(f"largest difference of a value: {(board - duel[board.index]).abs().max():.0e}\n")


def main() -> None:
    slow_rules()
    compiled_rules()
    both_ways()
    heading("Growth: thousands of positions a second and bytes a position, after compilation")
    header = ["table", "positions", "actions", "enumerated", "values", "solved", "certified", "seconds in all"]
    header += ["solving, bytes", "certifying, bytes", "Parquet, bytes"]
    table(header, [grown(name, size) for name, sizes in GROWTH.items() for size in sizes])


if __name__ == "__main__":
    if sys.argv[1:2] == ["whole"]:
        whole(sys.argv[2], json.loads(sys.argv[3]))
    elif len(sys.argv) > 1:
        measured(*sys.argv[1:3], int(sys.argv[3]), Path(sys.argv[4]))
    else:
        main()
