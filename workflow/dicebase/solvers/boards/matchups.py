"""Expected results of two policies against each other on a board.

A pair of policies is turned into a board, which values.py solves. The row player moves in its first S states, the
column player in the next S. All rewards are the row player's, and players never change roles. A policy has one action
in each state: the mixture of the actions it may take.
"""

import numpy as np

from dicebase.solvers.boards.positions import Positions, Step
from dicebase.solvers.boards.values import q_values, solve
from dicebase.vocabulary.arithmetic.ranges import ranges


def earned(p: Positions, row: np.ndarray | None, column: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Return the row player's value if the row player begins, the value if the column player begins, and the value of
    each state with the row or the column player to move, (2, S).

    row, column : (A,), the probability of each action in its state; if `row` is None, the row player plays a best
    response. Raises ConfigurationError if play need not end, or lasts too long for doubles.
    """
    pair = _pair(p, row, column)
    values = solve(pair, 1)
    begin, to = pair.step.begin, pair.step.to
    ahead = pair.step.chance * (pair.step.reward + np.where(to < 0, 0.0, values[to]))
    first, second = (float(ahead[begin[b] : begin[b + 1]].sum()) for b in (0, 1))
    return first, second, values.reshape(2, -1)


def replies(p: Positions, column: np.ndarray) -> np.ndarray:
    """Return the row player's q-value of each action, (A,), against a policy, with best responses afterwards."""
    pair = _pair(p, None, column)
    return q_values(pair.step, solve(pair, 1))[: len(p.action)]


def _pair(p: Positions, row: np.ndarray | None, column: np.ndarray) -> Positions:
    """Return the board of a pair. Play begins in afterstate 0 if the row player begins, otherwise in afterstate 1. A
    state in which a policy takes no action ends play, because no match reaches it."""
    step, states, counts = p.step, len(p.states), np.diff(p.step.begin)
    every, of = np.arange(len(counts)), np.repeat(np.arange(states), np.diff(step.first))
    # For each part: the role, the pair's afterstates, the afterstates that each of them mixes, their probabilities.
    parts = [(0, every[:1], every[:1], np.ones(1)), (1, every[:1], every[:1], np.ones(1))]
    firsts, afters, actions = [np.zeros(1, np.int64)], [], []
    for role, mix in enumerate((row, column)):
        known = sum(part[1][-1] + 1 for part in parts)
        if mix is None:
            parts.append((role, every, every, np.ones(len(every))))
            taken, after = np.arange(len(of)), step.after
        else:
            nothing = np.add.reduceat(mix, step.first[:-1]) == 0
            some = mix > 0
            some[step.first[:-1][nothing]] = True
            parts.append((role, of[some], step.after[some], mix[some]))
            taken, after = np.flatnonzero(some)[np.searchsorted(of[some], np.arange(states))], np.arange(states)
        afters.append(known + after)
        actions.append(p.action[taken])
        firsts.append(firsts[-1][-1] + (step.first[1:] if mix is None else np.arange(1, states + 1)))
    sizes, columns = [], []
    for role, group, b, share in parts:
        _, o = ranges(step.begin[b], step.begin[b + 1])
        fall, each = o + np.repeat(step.fall[b] - step.begin[b], counts[b]), np.repeat(share, counts[b])
        other = np.where(step.sign[fall] > 0, role, 1 - role)
        to = np.where((step.to[o] < 0) | (each == 0), -1, other * states + step.to[o])
        reward = np.where(each == 0, 0.0, (1 - 2 * role) * step.reward[fall])
        columns.append((to, step.chance[fall] * np.where(each == 0, 1.0, each), reward))
        sizes.append(np.bincount(group, counts[b]))
    begin = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
    to, chance, reward = (np.concatenate(column) for column in zip(*columns, strict=True))
    first, after = np.concatenate(firsts), np.concatenate(afters).astype(np.int32)
    pair = Step(first, after, begin, to.astype(np.int32), begin[:-1].copy(), chance, reward, np.ones(len(to)))
    return Positions(p.states[:] * 2, p.names, np.concatenate(actions), pair)
