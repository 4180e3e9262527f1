"""Play of two policies against each other on a board, as a board of its own: the values of its states, which values.py
solves, and the probability of each state after each move.

The row player moves in the first S states, the column player in the next S. All rewards are the row player's, and
players never change roles. A policy has one action in each state: the mixture of the actions it may take.
"""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from dicebase.solvers.boards.positions import Positions, Step
from dicebase.solvers.boards.values import q_values, solve
from dicebase.vocabulary.arithmetic.ranges import ranges

LEFT = 1e-15  # probability mass of a match that may be ignored


def pure(step: Step, taken: np.ndarray) -> np.ndarray:
    """Return the probability of each action, (A,), of the policy that takes one action in each state, (S,)."""
    mix = np.zeros(len(step.after))
    mix[taken] = 1.0
    return mix


def earned(p: Positions, row: np.ndarray | None, column: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Return the row player's value if the row player begins, the value if the column player begins, and the value of
    each state with the row or the column player to move, (2, S).

    row, column : (A,), the probability of each action in its state; if `row` is None, the row player plays a best
    response. Raises ConfigurationError if play need not end, or lasts too long for doubles.
    """
    step, values = _solved(p, row, column)
    begin, to = step.begin, step.to
    ahead = step.chance * (step.reward + np.where(to < 0, 0.0, values[to]))
    first, second = (float(ahead[begin[b] : begin[b + 1]].sum()) for b in (0, len(p.step.fall)))
    return first, second, values.reshape(2, -1)


def replies(p: Positions, column: np.ndarray) -> np.ndarray:
    """Return the row player's q-value of each action, (A,), against a policy, with best responses afterwards."""
    return q_values(*_solved(p, None, column))[: len(p.action)]


def _solved(p: Positions, row: np.ndarray | None, column: np.ndarray) -> tuple[Step, np.ndarray]:
    """Return the board of a pair and the values of its states, (2 S,)."""
    step, action = pair_of(p, row, column)
    return step, solve(Positions(p.states[:] * 2, p.names, action, step), 1)


def flows(p: Positions, row: np.ndarray, column: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the probability of each state after 0, 1, 2 ... moves, (2, S) as in `earned`, if each player begins half of
    the matches, until play has ended except for a probability of LEFT."""
    step, _ = pair_of(p, row, column)
    ahead, flow = _ahead(step, len(p.step.fall))
    while flow.sum() > LEFT:
        yield flow.reshape(2, -1)
        flow = np.bincount(step.after, flow, ahead.shape[0]) @ ahead


def reached(p: Positions, row: np.ndarray) -> np.ndarray:
    """Return whether the row player can meet each state, (S,), against any opponent."""
    step, _ = pair_of(p, row, np.ones(len(p.action)))
    ahead, flow = _ahead(step, len(p.step.fall))
    there = new = flow > 0
    while new.any():
        new = (np.bincount(step.after, new, ahead.shape[0]) @ ahead > 0) & ~there
        there = there | new
    return there[: len(p.states)]


def _ahead(step: Step, second: int) -> tuple[csr_array, np.ndarray]:
    """Return the probability of each state of a pair after each afterstate, and at the start, if play begins half of
    the time in afterstate 0, otherwise in afterstate `second`."""
    states = len(step.after)
    ended = csr_array((step.chance, step.to % (states + 1), step.begin), shape=(len(step.fall), states + 1))
    ahead = ended[:, :-1]
    return ahead, (ahead[[0]] + ahead[[second]]).toarray()[0] / 2


def pair_of(p: Positions, *policies: np.ndarray | None) -> tuple[Step, np.ndarray]:
    """Return the board of a pair of policies as in `earned`, or of the policy of one player, and the number of the text
    of each of its actions.

    Its afterstates are those of the board for the row player, the same B for the column player, and mixtures. Play
    begins in afterstate 0 if the row player begins, otherwise in afterstate B. A state in which a policy takes no
    action ends play, because no match reaches it.
    """
    step, states, counts = p.step, len(p.states), np.diff(p.step.begin)
    every, of = np.arange(len(counts)), np.repeat(np.arange(states), np.diff(step.first))
    # For each part: the role, the pair's afterstates, the afterstates that each of them mixes, their probabilities.
    parts = [(role, every, every, np.ones(len(every))) for role in range(len(policies))]
    actions, afters, numbers, known = [], [], [], len(parts) * len(counts)
    for role, mix in enumerate(policies):
        some = np.ones(len(of), bool) if mix is None else mix > 0
        some[step.first[:-1][np.bincount(of[some], minlength=states) == 0]] = True
        taken = np.flatnonzero(some)
        after = role * len(counts) + step.after[taken]
        if not (mix is None or (len(taken) == states and (mix[taken] == 1).all())):
            after, known = known + np.arange(states), known + states
            parts.append((role, of[taken], step.after[taken], mix[taken]))
            taken = taken[np.searchsorted(of[taken], np.arange(states))]
        actions.append(p.action[taken])
        afters.append(after)
        numbers.append(np.bincount(of[taken]))
    sizes, columns = [], []
    for role, group, b, share in parts:
        _, o = ranges(step.begin[b], step.begin[b + 1])
        fall, each = o + np.repeat(step.fall[b] - step.begin[b], counts[b]), np.repeat(share, counts[b])
        other = np.where(step.sign[fall] > 0, role, 1 - role)
        to = np.where((step.to[o] < 0) | (each == 0), -1, other * states + step.to[o])
        reward = np.where(each == 0, 0.0, (1 - 2 * role) * step.reward[fall])
        columns.append((to, step.chance[fall] * np.where(each == 0, 1.0, each), reward))
        sizes.append(np.bincount(group, counts[b]))
    first, begin = (np.append(0, np.cumsum(np.concatenate(x))).astype(np.int64) for x in (numbers, sizes))
    to, chance, reward = (np.concatenate(column) for column in zip(*columns, strict=True))
    after = np.concatenate(afters).astype(np.int32)
    pair = Step(first, after, begin, to.astype(np.int32), begin[:-1].copy(), chance, reward, np.ones(len(to)))
    return pair, np.concatenate(actions)
