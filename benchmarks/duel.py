"""Duels by Newton's method, pair by pair, compared with compiled value iteration, in one thread.

all pairs     each sweep updates every value from the previous sweep, until no value changes by more than 1e-12
pair by pair  the same for one pair of totals after another, in decreasing order of their sum (the stages of Neller &
              Presser 2004 for Pig)

Value iteration uses the compiled kernel of one turn; its error is its distance from our values.
"""

import os

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import resource
import time

import numpy as np
from _measure import cpu_seconds, heading, number, table
from numba import njit
from one_turn import kernel, turn_arrays

from dicebase.games import pig, ten_thousand
from dicebase.pipeline.configuration import read
from dicebase.solvers.turns.compiled import CompiledTurn, compile_turn
from dicebase.solvers.turns.duel import duel_turns, solve_duel
from dicebase.solvers.turns.race import solve_race
from dicebase.vocabulary import Definition

CHANGE = 1e-12
PIG, TWO_DICE = compile_turn(pig.Rules()), compile_turn(pig.Rules(dice=2))
SCORING = read(["config/config.yaml"])["definitions"]["ten_thousand"]["rules"]["crocce_mordecki"]
TEN_THOUSAND = compile_turn(ten_thousand.Rules(Definition("crocce_mordecki", SCORING)))
COMPARED = {
    "Pig to 50": (PIG, 50),
    "Pig to 100": (PIG, 100),
    "Ten Thousand to 1000": (TEN_THOUSAND, 1000),
    "Ten Thousand to 2000": (TEN_THOUSAND, 2000),
}
TARGETS = {
    "Pig": (PIG, [50, 100, 200, 400]),
    "Pig, two dice": (TWO_DICE, [25, 50, 100, 200]),
    "Ten Thousand": (TEN_THOUSAND, [1250, 2500, 5000, 10_000]),
}


@njit
def one_turn(turn, tail, V, a, b):
    """Return the mover's probability of winning if the opponent's turns have the values V."""
    return kernel(turn, 1.0 - V[b, a:], tail, 1.0 - V[b, a], 1.0 - V[b, 0])[0][0, 0]


@njit
def all_pairs(turn, tail, T, change):
    """Return V and the number of sweeps, starting from V = 1/2."""
    V, sweeps, most = np.full((T, T), 0.5), 0, np.inf
    while most > change:
        old = V.copy()
        for a in range(T):
            for b in range(T):
                V[a, b] = one_turn(turn, tail, old, a, b)
        most = np.abs(V - old).max()
        sweeps += 1
    return V, sweeps


@njit
def pair_by_pair(turn, tail, T, change):
    """Return V and the mean number of sweeps per pair, starting from V = 1/2."""
    V, steps = np.full((T, T), 0.5), 0
    for total in range(2 * T - 2, -1, -1):
        for a in range((total + 1) // 2, min(total, T - 1) + 1):
            b = total - a
            most = np.inf
            while most > change:
                x, y = one_turn(turn, tail, V, a, b), one_turn(turn, tail, V, b, a)
                most = max(abs(x - V[a, b]), abs(y - V[b, a]))
                V[a, b], V[b, a] = x, y
                steps += 1
    return V, steps / (T * (T + 1) / 2)


def compare(turn: CompiledTurn, target: int) -> list[str]:
    """Return a row with the seconds of every method, their ratios, and the sweeps and error of value iteration."""
    V = solve_duel(turn, target)
    tail = np.ones((turn.max_gain, len(turn.modes)))
    ours, row = cpu_seconds(lambda: solve_duel(turn, target)), []
    for method in (all_pairs, pair_by_pair):
        found, sweeps = method(turn_arrays(turn), tail, len(V), CHANGE)
        taken = cpu_seconds(lambda m=method: m(turn_arrays(turn), tail, len(V), CHANGE), repeats=3)
        row += [number(sweeps), f"{np.abs(found - V).max():.0e}", number(taken), number(taken / ours)]
    return [number(ours), *row]


def exponent(sizes: list[int], seconds: list[float]) -> str:
    """Return the growth exponent over the last doubling."""
    return f"{np.log(seconds[-1] / seconds[-2]) / np.log(sizes[-1] / sizes[-2]):.2f}"


def stream(turn: CompiledTurn, V: np.ndarray) -> tuple[int, float]:
    """Compute the decisions in every state, by the mover's total; return the number of states and the CPU seconds."""
    started, states = time.process_time(), 0
    for me in range(len(V)):
        states += duel_turns(turn, V, me)[0].size
    return states, time.process_time() - started


def main() -> None:
    heading("Duels: CPU seconds of Newton's method; sweeps, final error, seconds and ratio of value iteration")
    header = ["duel", "Newton"]
    header += [f"{name}: {what}" for name in ("all", "pairs") for what in ("sweeps", "error", "s", "ratio")]
    table(header, [[name, *compare(*which)] for name, which in COMPARED.items()])

    heading("CPU seconds by target, and the exponent of the last doubling")
    rows = []
    for name, (turn, targets) in TARGETS.items():
        for match, solve in (("duel", solve_duel), ("race", solve_race)):
            seconds = [cpu_seconds(lambda f=solve, t=turn, n=n: f(t, n), repeats=3) for n in targets]
            rows.append([f"{name}, {match}", "/".join(map(str, targets)), *map(number, seconds)])
            rows[-1].append(exponent(targets, seconds))
    table(["match", "targets", "first", "second", "third", "fourth", "exponent"], rows)

    V = solve_duel(TEN_THOUSAND, 10_000)
    states, seconds = stream(TEN_THOUSAND, V)
    heading("Ten Thousand to 10,000: the decisions in every state from the values of the match")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table(
        ["states", "seconds", "ns a state", "MiB"],
        [[states, number(seconds), number(seconds / states * 1e9), number(memory)]],
    )


if __name__ == "__main__":
    main()
