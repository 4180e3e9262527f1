"""Pig's duel by a library for any Markov decision process, against ours: one run, one thread.

QuantEcon's DiscreteDP takes state-action pairs with a sparse transition matrix. A duel is none, as two players decide;
but with each state seen by its mover, who gets 1 - V of the opponent's next state, the sign can be put into the matrix,
and the library's Bellman operator be iterated until no value changes by more than 1e-12. Its own policy iteration
needs probabilities and a discount below one, so it does not apply.
"""

import os

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import time
import warnings

import numpy as np
from _measure import cpu_seconds, heading, number, table
from quantecon.markov import DiscreteDP
from scipy.sparse import csr_matrix

from dicebase.games import pig
from dicebase.matches.duel import DuelOfTurns
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.duel import solve_duel

CHANGE = 1e-12
TARGETS = [10, 20, 50, 100]


def model(target: int) -> tuple[DiscreteDP, int]:
    """The duel as state-action pairs, and the number of the first state; roll and hold in every state but at 0."""
    states = [(a, b, t) for a in range(target) for b in range(target) for t in (0, *range(2, target - a))]
    index = {state: i for i, state in enumerate(states)}
    rewards, of_state, actions, rows, columns, values = [], [], [], [], [], []

    def add(state: int, action: int, reward: float, ahead: list[tuple[int, float]]) -> None:
        for column, value in ahead:
            rows.append(len(rewards))
            columns.append(column)
            values.append(value)
        rewards.append(reward)
        of_state.append(state)
        actions.append(action)

    for (a, b, t), i in index.items():
        wins = sum(a + t + face >= target for face in range(2, 7))
        ahead = [(index[a, b, t + face], 1 / 6) for face in range(2, 7) if a + t + face < target]
        add(i, 0, (1 + wins) / 6, [*ahead, (index[b, a, 0], -1 / 6)])
        if t:
            add(i, 1, 1.0, [(index[b, a + t, 0], -1.0)])
    Q = csr_matrix((values, (rows, columns)), shape=(len(rewards), len(states)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a discount of one
        return DiscreteDP(np.array(rewards), Q, 1.0, of_state, actions), index[0, 0, 0]


def iterate(ddp: DiscreteDP, change: float) -> tuple[np.ndarray, int]:
    """(values, rounds) of the library's operator."""
    v, rounds, most = np.full(ddp.num_states, 0.5), 0, np.inf
    while most > change:
        after = ddp.bellman_operator(v)
        most, v, rounds = np.abs(after - v).max(), after, rounds + 1
    return v, rounds


def main() -> None:
    heading("Pig's duel: CPU seconds of QuantEcon's DiscreteDP and of ours")
    rows = []
    for target in TARGETS:
        started = time.process_time()
        ddp, start = model(target)
        built = time.process_time() - started
        started = time.process_time()
        v, rounds = iterate(ddp, CHANGE)
        iterated = time.process_time() - started
        turn = compile_turn(DuelOfTurns(pig.Rules(), target).rules)
        ours = cpu_seconds(lambda turn=turn, target=target: solve_duel(turn, target))
        error = abs(v[start] - solve_duel(turn, target)[0, 0])
        rows.append([target, ddp.num_states, number(built), rounds, number(iterated), f"{error:.0e}"])
        rows[-1] += [number(ours), number(iterated / ours)]
    table(["target", "states", "model", "rounds", "solved", "error", "ours", "ratio"], rows)


if __name__ == "__main__":
    main()
