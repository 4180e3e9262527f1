"""Our kernels against the same arithmetic written by hand in C (benchmarks/c), in one thread; results are compared.

The compiler in $CC (default: cc) compiles the C code for this processor. Preparing the arrays for C in Python is not
measured; our turn kernels are measured together with the Python functions that prepare their arrays.
"""

import os

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import subprocess
from ctypes import CDLL, c_int64
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from _measure import cpu_seconds, heading, number, table

from dicebase.games import hog, pig, ten_thousand, ten_times_eighteen
from dicebase.pipeline.configuration import read
from dicebase.solvers.sheets.one_roll.subsets import subset_values
from dicebase.solvers.throws import simultaneous
from dicebase.solvers.throws.duel import gain_probabilities
from dicebase.solvers.turns import duel, lanes
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.vocabulary import Definition
from dicebase.vocabulary.arithmetic.simd import LANES, in_blocks

SOURCE = Path(__file__).parent / "c" / "kernels.c"
DOUBLES, INTEGERS = np.ctypeslib.ndpointer(float, flags="C"), np.ctypeslib.ndpointer(np.int64, flags="C")
Row = tuple[str, float, float, float]  # (kernel, our seconds, seconds of C, largest difference)


def compiled(folder: str) -> CDLL:
    """Compile and load the C kernels."""
    library = Path(folder) / "kernels.so"
    words = ["-O3", "-march=native", "-Wno-psabi", "-shared", "-fPIC", "-o", library, SOURCE]
    subprocess.run([os.environ.get("CC", "cc"), *words], check=True)
    found = CDLL(str(library))
    found.lanes.argtypes = [c_int64, INTEGERS, DOUBLES, DOUBLES, *[INTEGERS] * 3, c_int64, c_int64, DOUBLES, INTEGERS]
    found.lanes.argtypes += [DOUBLES] * 4
    found.subsets.argtypes = [c_int64, c_int64, *[DOUBLES] * 3]
    found.sums.argtypes = [*[c_int64] * 4, *[DOUBLES] * 3]
    return found


def of_lanes(c: CDLL, name: str, turn: CompiledTurn, target: int) -> Row:
    """Compare the first rolls of all turns at one distance from the target, given the values of the duel."""
    V = duel.solve_duel(turn, target)
    size = len(V)
    bank, bust, wipe = in_blocks(1.0 - V.T.copy()[:, :]), in_blocks(1.0 - V[:, 0]), in_blocks(1.0 - V[:, 0])
    need = np.full(bank.shape[1], size)
    ahead = (turn.gain * (len(turn.modes) + 1) + turn.next_mode + 1) * LANES
    worth, slope = np.empty((2, len(need)))
    arrays = turn.row_start, turn.sum_of_weights.astype(float), turn.weight.astype(float), turn.kind, turn.option_start

    def in_c() -> None:
        c.lanes(len(turn.modes), *arrays, ahead, turn.max_gain, len(need), bank, need, bust, wipe, worth, slope)

    def ours() -> tuple[np.ndarray, np.ndarray]:
        return lanes.starts(turn, bank, need, bust, wipe)

    in_c()
    difference = max(float(np.abs(x - y).max()) for x, y in zip(ours(), (worth, slope), strict=True))
    return f"turns side by side, {name}", cpu_seconds(ours), cpu_seconds(in_c), difference


def of_sets(c: CDLL, slots: int) -> Row:
    """Compare the solution of a card by its sets of free slots."""
    rules = ten_times_eighteen.Rules(slots=slots)
    probabilities = np.array(list(rules.weights.values())) / sum(rules.weights.values())
    gains = np.array([[float(rules.gain(slot, roll)) for roll in rules.weights] for slot in range(1, slots + 1)])
    theirs = np.empty(1 << slots)
    wide = in_blocks(probabilities), in_blocks(gains)

    def ours() -> np.ndarray:
        return subset_values(probabilities, gains)

    def in_c() -> None:
        c.subsets(slots, len(wide[0]), *wide, theirs)

    in_c()
    difference = float(np.abs(ours() - theirs).max())
    return f"sets of free slots, {slots} slots", cpu_seconds(ours), cpu_seconds(in_c), difference


def of_sums(c: CDLL, dice: int, target: int) -> Row:
    """Compare the matrices of the matrix games in all states in which the row player leads or both are level."""
    rules = hog.Rules(6, dice)
    q = gain_probabilities([rules.gains(choice) for choice in rules.choices])
    size = target + q.shape[1]
    expected = np.random.default_rng(1).random((size, size, dice))
    by_throw, theirs = np.ascontiguousarray(expected.transpose(2, 1, 0)), np.empty((dice, dice))
    nothing = np.zeros(dice)

    def ours() -> np.ndarray:
        for a in range(target):
            for b in range(a + 1):
                M = simultaneous._matrix(q, nothing, expected, a, b)
        return M

    def in_c() -> None:
        c.sums(dice, q.shape[1], target, size, q, by_throw, theirs)

    in_c()
    return f"sums of throws at once, {dice} dice", cpu_seconds(ours), cpu_seconds(in_c), np.abs(ours() - theirs).max()


def main() -> None:
    heading("Kernels against C")
    scoring = read(["config/config.yaml"])["definitions"]["ten_thousand"]["rules"]["crocce_mordecki"]
    ten = compile_turn(ten_thousand.Rules(Definition("crocce_mordecki", scoring)))
    with TemporaryDirectory() as folder:
        c = compiled(folder)
        rows = [
            of_lanes(c, "Ten Thousand to 10,000", ten, 10_000),
            of_lanes(c, "Pig to 100", compile_turn(pig.Rules()), 100),
            of_lanes(c, "Pig with two dice to 100", compile_turn(pig.Rules(6, 2)), 100),
            of_sets(c, 18),
            of_sums(c, 10, 40),
            of_sums(c, 20, 100),
        ]
    shown = [[name, number(1e3 * a), number(1e3 * b), number(a / b), f"{d:.0e}"] for name, a, b, d in rows]
    table(["kernel", "ours, ms", "C, ms", "ratio", "difference"], shown)


if __name__ == "__main__":
    main()
