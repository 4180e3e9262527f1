"""The table of a board: every position that play can reach, with all actions; in rationals where that is quick."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pyarrow as pa
from numba import njit

from dicebase.matches.board import BoardGame
from dicebase.solve import reference
from dicebase.solve.boards.positions import Positions, positions_of
from dicebase.solve.boards.values import Step, q_values, solve, solving_order
from dicebase.tables.writer import Rows
from dicebase.vocabulary import over_one_denominator, rank, tie_of

AT_ONCE = 200_000  # positions
# Outcomes, and times the bits of rationals, up to which a board without cycles is solved in rationals.
EXACT_OUTCOMES, EXACT_WORK = 50_000, 10_000_000


def tabulate(game: BoardGame) -> Iterator[Rows]:
    """All positions, some at a time."""
    p = positions_of(game.rules)
    if _is_small(p):
        yield _exactly(game)
        return
    values = solve(p, game.sense)
    q = q_values(Step(*(getattr(p, name) for name in Step._fields)), values)
    tie = tie_of(float(np.abs(values).max()))
    keys = [np.array(column) for column in zip(*p.states, strict=True)]
    p.states.clear()
    order, names = np.lexsort(keys[::-1]), pa.array(p.names)
    for some in (order[first : first + AT_ONCE] for first in range(0, len(order), AT_ONCE)):
        counts = np.diff(p.first)[some]
        ends = np.cumsum(counts)
        acts = np.repeat(p.first[some] - ends + counts, counts) + np.arange(ends[-1])
        first = np.append(0, ends)
        best, margin, regret, optimal, undecided = _rank(first, q[acts], p.after[acts], game.sense, tie)
        action, probability = p.action[acts], np.zeros(len(acts))
        probability[best] = 1.0
        rows = Rows(game)
        rows.set_rows(
            *(pa.array(key[some]) for key in keys),
            pa.array(q[acts][best]),
            names.take(pa.array(action[best])),
            pa.array(margin, mask=np.isnan(margin)),
        )
        rows.counts = counts
        columns = (names.take(pa.array(action)), q[acts], regret, probability, optimal, undecided)
        rows.actions = dict(zip(rows.actions, map(pa.array, columns), strict=True))
        yield rows


@njit(cache=True, nogil=True)
def _rank(first, q, after, sense, tie):
    """What `rank` says of each state, with q-values that are not told apart within `tie`: (the row of its first optimal
    action, its margin), and of each row (regret, optimal, undecided).

    Actions that lead to the same afterstate are one in all but name: among them nothing is undecided.
    """
    states, rows = len(first) - 1, len(q)
    best, margin = np.empty(states, np.int64), np.full(states, np.nan)
    regret, optimal, undecided = np.empty(rows), np.empty(rows, np.bool_), np.zeros(rows, np.bool_)
    for s in range(states):
        top, second, leads, differ = -np.inf, np.inf, -1, False
        for k in range(first[s], first[s + 1]):
            top = max(top, sense * q[k])
        seen = False
        for k in range(first[s], first[s + 1]):
            regret[k] = top - sense * q[k]
            optimal[k] = regret[k] <= tie
            if optimal[k]:
                if leads < 0:
                    best[s], leads = k, after[k]
                differ |= after[k] != leads
            if regret[k] == 0 and not seen:
                seen = True
            else:
                second = min(second, regret[k])
        if second < np.inf:
            margin[s] = second
        for k in range(first[s], first[s + 1]):
            undecided[k] = optimal[k] and differ
    return best, margin, regret, optimal, undecided


def _is_small(p: Positions) -> bool:
    """Whether rationals are quick: there are no cycles, and few outcomes whose numbers stay short."""
    if len(p.to) > EXACT_OUTCOMES:
        return False
    order, ends = solving_order(p)
    bits = _depth(p.first, p.after, p.begin, p.to, order) * np.log2(1 / p.chance.min() + 1)
    return len(ends) == len(order) and bits * len(p.to) <= EXACT_WORK


@njit(cache=True, nogil=True)
def _depth(first, after, begin, to, order):
    """How many positions play can have, where it has no cycles but a position that stays."""
    depth = np.zeros(len(order) + 1, np.int64)
    for s in order:
        for k in range(first[s], first[s + 1]):
            for o in range(begin[after[k]], begin[after[k] + 1]):
                if to[o] != s:
                    depth[s] = max(depth[s], 1 + depth[to[o]])
    return depth.max()


def _exactly(game: BoardGame) -> Rows:
    solution = reference.solve(game)
    rows = Rows(game, exact=Fraction(solution.start))
    for state in sorted(solution.value):
        actions = game.actions(state)
        numerators, denominator = over_one_denominator([solution.q(state, action) for action in actions])
        rows.add(state, actions, rank(numerators, denominator, sense=game.sense))
    return rows
