"""Board games (benchmarks/rules): from rules to certified Parquet, in one thread.

Each job runs in its own process, which first solves a small variant, so that neither compilation nor imports are
measured; bytes are the growth of its resident set. The kernel of duels and C code (benchmarks/c) also solve Pig's duel,
and the values of all positions are compared.
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
# Boards whose rules are slow: microseconds a position to ask the rules once and for the whole command, as measured
# before answers were asked for twice only; and a board with compiled rules, which had none.
SLOW = {"small_backgammon_points": {"points": 10, "sides": 4}}
BEFORE = {"small_backgammon_points": (19, 134)}
COMPILED = {"hypergammon_points": {"checkers": 2}}
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


def whole(name: str, parameters: dict, folder: Path) -> None:
    """Print CPU seconds and bytes of the whole command for a variant, after a first run that loads everything; must
    run in its own process."""
    plan = make_plan({"tables": {name: [parameters]}})
    with TemporaryDirectory() as small:
        steps.build(Path(small), make_plan({"tables": {"pig_board_duel": [{"target": WARM}]}}))
    before, started = resident(), time.process_time()
    steps.build(folder, plan)
    print(json.dumps([time.process_time() - started, resident() - before]))


def in_all(name: str, parameters: dict) -> tuple[float, int]:
    """Return CPU seconds and bytes of the whole command for a variant."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "whole", name, json.dumps(parameters), folder]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def asked_once(rules: Board) -> tuple[float, int]:
    """Return the CPU seconds to ask the rules about every position once, and the number of positions."""
    started, states, afterstates = time.process_time(), {None}, {rules.start()}
    waiting = [*afterstates]
    while waiting:
        new = {o[1] for afterstate in waiting for o in rules.outcomes(afterstate)} - states
        states |= new
        ahead = {rules.afterstate(state, action) for state in new for action in rules.actions(state)}
        waiting = [*(ahead - afterstates)]
        afterstates |= ahead
    return time.process_time() - started, len(states) - 1


def slow_rules() -> None:
    heading("Rules that are slow to ask: microseconds of the whole command a position")
    rows = []
    for name, parameters in SLOW.items():
        once, states = asked_once(find_table(name).build_rules(find_table(name).variant(parameters, {}, name), {}))
        seconds, held = in_all(name, parameters)
        asked, before = BEFORE[name]
        goal = 1e6 * (3 * once + 2) / states
        numbers = (1e6 * once / states, 1e6 * seconds / states, goal, seconds / once, before / asked, held / states)
        rows.append([name, states, *map(number, numbers)])
    header = ["table", "positions", "asked once", "whole command", "goal", "/ asked once", "before", "bytes"]
    table(header, rows)


def compiled_rules() -> None:
    heading("Compiled rules: thousands of positions, counted with the throw, a CPU second, certified")
    rows = []
    for name, parameters in COMPILED.items():
        known = find_table(name)
        rules = known.build_rules(known.variant(parameters, {}, name), {})
        positions = sum(map(rules.size, rules.layers)) * len(layers_of(rules).dice[0])
        seconds, held = in_all(name, parameters)
        rows.append([name, positions, f"{positions / seconds / 1000:.0f}", number(held / positions)])
    table(["table", "positions", "thousands a second", "bytes"], rows)


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
        whole(sys.argv[2], json.loads(sys.argv[3]), Path(sys.argv[4]))
    elif len(sys.argv) > 1:
        measured(*sys.argv[1:3], int(sys.argv[3]), Path(sys.argv[4]))
    else:
        main()
