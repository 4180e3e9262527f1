"""Values of boards on which play may go on for ever without reward, if the rules state what that pays (`unending`).

An action waits if all its outcomes lead to states of the same value and leave the payoff u = `unending` unchanged:
reward + sign * u = u. If each move ends play with probability d and then pays u, the values of the game with endless
play are the limit for small d (docs/why/solvers.md). So strategy improvement lowers d to 0, and states from which the
policies found then wait for ever have the value u. States that wait for one another have equal values, up to roles.
"""

from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from dicebase.solvers.boards.cycles import STOPS, Cycle, cycle_of, refusal, unsettled
from dicebase.solvers.boards.positions import Positions, Step
from dicebase.vocabulary.kernels import inner, kernel

UNFIT = "; unending does not say what this pays, because reward + sign * unending is not unending after some move"
NEAR = 2.0**-42  # relative difference of values that count as equal; the certifier proves or rejects them


def idle(step: Step, unending: int | Fraction) -> np.ndarray:
    """Return whether all outcomes of an afterstate, (B,), go on and leave the payoff of endless play unchanged."""
    fall, u = np.arange(len(step.to)) + np.repeat(step.fall - step.begin[:-1], np.diff(step.begin)), float(unending)
    off = abs(step.reward[fall] + (step.sign[fall] - 1) * u)
    return np.logical_and.reduceat((step.to >= 0) & (off <= NEAR * abs(u)), step.begin[:-1])


def solve_waiting(
    p: Positions, sense: int, inside: np.ndarray, values: np.ndarray, unending: float, idle: np.ndarray
) -> np.ndarray:
    """Return the values of the states of a component; all its successors outside must have values, (S,).

    idle : (B,), from the function `idle`. Raises ConfigurationError if optimal play need not end and does not wait, or
    if no solution is found.
    """
    cycle, actions = cycle_of(p.step, sense, inside, values, unending, idle)
    choice, found = cycle.first, np.zeros(len(cycle.turn))
    for stop in (*STOPS[1:], 0.0):
        if (better := cycle.improved(choice, stop, found)) is None:
            raise unsettled(p, inside) if stop else refusal(p, cycle, actions, inside, choice, found, UNFIT)
        choice, found = better
    return unending + _levelled(cycle, found)[: len(inside)]


def _levelled(cycle: Cycle, values: np.ndarray) -> np.ndarray:
    """Return the values of nodes, (N,), made opposite in the two roles, and equal where nodes wait for one another."""
    if cycle.turn[0] != cycle.turn[-1]:
        values = (values - np.roll(values, len(values) // 2)) / 2
    near, rows = NEAR * cycle.size.max(), np.flatnonzero(cycle.free)
    ahead = cycle.ahead[rows].tocoo()
    of, to = cycle.of[rows[ahead.row]], ahead.col
    away, held = np.bincount(ahead.row, abs(values[to] - values[of]) > near, len(rows)) > 0, np.ones(len(values), bool)
    while True:
        away |= np.bincount(ahead.row, ~held[to], len(rows)) > 0
        still = np.zeros(len(values), bool)
        still[cycle.of[rows[~away]]] = True
        if (still == held).all():
            break
        held = still
    waits = ~away[ahead.row]
    graph = csr_array((np.ones(waits.sum(), np.int8), (of[waits], to[waits])), shape=(len(values),) * 2)
    count, part = connected_components(graph, directed=False)
    least, most = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(least, part, values)
    np.maximum.at(most, part, values)
    return ((least + most) / 2)[part]


def progressing(
    step: Step, sense: int, values: np.ndarray, q: np.ndarray, tie: float, unending: int | Fraction | None
) -> np.ndarray:
    """Return the worth of each action to its mover, (A,): its q-value, or minus infinity if it is optimal but waits
    without coming closer to an optimal action that does not. q : (A,). tie : largest regret of an optimal action."""
    worth = sense * q
    if unending is not None:
        away, waits = sense * (values - float(unending)), np.zeros(len(q), np.bool_)
        near, rank = NEAR * max(1.0, float(abs(away).max())), np.full(len(values), -1)
        _progress(step, idle(step, unending), away, worth, near, tie, rank, waits)
        worth[waits] = -np.inf
    return worth


@kernel(_nrt=True)
def _progress(step, idle, away, worth, near, tie, rank, waits):
    """Mark in `waits`, (A,), the optimal actions by which play might wait for ever although it need not.

    away : (S,), how much more than endless play a state is worth to its mover. rank : (S,), filled with -1. It becomes
    0 in states that cannot wait for ever; in others it orders states by the distance to an optimal action that does
    not wait, and stays -1 if there is none.
    """
    states = len(rank)
    for s in range(states):
        for k in range(step.first[s], step.first[s + 1]):
            waits[k] = idle[step.after[k]] and _is_level(step, away, near, s, step.after[k])
    changed = True
    while changed:
        changed = False
        for s in range(states):
            if rank[s] < 0:
                stays = False
                for k in range(step.first[s], step.first[s + 1]):
                    waits[k] &= not _reaches(step, rank, step.after[k], 0, 0)
                    stays |= waits[k]
                if not stays:
                    rank[s], changed = 0, True
    changed, ranked = True, 0
    while changed:
        changed = False
        for s in range(states - 1, -1, -1):
            if rank[s] < 0:
                best, some, every = worth[step.first[s] : step.first[s + 1]].max(), False, True
                for k in range(step.first[s], step.first[s + 1]):
                    closer = not waits[k] or _reaches(step, rank, step.after[k], 1, states)
                    some |= closer and best - worth[k] <= tie
                    every &= closer
                # If the opponent wants to leave, all ways to wait must come closer.
                if some if away[s] >= -near else every:
                    ranked += 1
                    rank[s], changed = ranked, True
    for s in range(states):
        for k in range(step.first[s], step.first[s + 1]):
            waits[k] &= rank[s] > 0 and not _reaches(step, rank, step.after[k], 1, rank[s] - 1)


@inner
def _is_level(step, away, near, s, b):
    """Return whether all outcomes of afterstate b lead to states with the value of state s, up to a change of roles."""
    fall = step.fall[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        if abs(step.sign[fall + o] * away[step.to[o]] - away[s]) > near:
            return False
    return True


@inner
def _reaches(step, rank, b, least, most):
    """Return whether afterstate b may lead to a state whose rank lies between `least` and `most`."""
    found = False
    for t in step.to[step.begin[b] : step.begin[b + 1]]:
        found |= least <= rank[t] <= most
    return found
