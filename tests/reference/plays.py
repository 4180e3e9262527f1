"""Bracket the value of a game of hidden information that is given as the list of its plays.

A play is (probability of chance, sequence of player 1, sequence of player 2, payoff to player 1). A sequence is a tuple
of pairs (what the player knows, action). Linear programs over sequences find plans; what HiGHS returns is not trusted,
because best responses to both plans bound the value.
"""

from collections import defaultdict

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array


def bracket(plays):
    """The least and the greatest value to player 1 that the plans found leave possible."""
    return -_conceded([(chance, theirs, mine, -paid) for chance, mine, theirs, paid in plays]), _conceded(plays)


def _conceded(plays):
    """What player 1 earns by a best response to the plan of player 2 that a linear program finds."""
    _, *sides, _ = zip(*plays, strict=True)
    own, theirs = (sorted({s[:n] for s in side for n in range(len(s) + 1)}, key=len) for side in sides)
    sets, their_sets = ({_set(s): s[:-1] for s in side} for side in (own, theirs))
    x, v = {s: i for i, s in enumerate(theirs)}, {of: i for i, of in enumerate(sets, len(theirs))}
    row, their_row = {s: i for i, s in enumerate(own)}, {of: i for i, of in enumerate(their_sets)}
    # A set is worth at least what each of its sequences earns, also at the sets that the sequence leads to.
    worth = [(row[s], v[_set(s)], -1.0) for s in own] + [(row[sets[of]], v[of], 1.0) for of in sets if of]
    worth += [(row[mine], x[other], chance * paid) for chance, mine, other, paid in plays]
    flow = [(their_row[_set(s)], x[s], 1.0) for s in theirs]
    flow += [(their_row[of], x[before], -1.0) for of, before in their_sets.items() if of]
    size = len(x) + len(v)
    found = linprog(
        np.eye(1, size, len(x))[0],  # the first set is the start of the game
        A_ub=_matrix(worth, len(row), size),
        b_ub=np.zeros(len(row)),
        A_eq=_matrix(flow, len(their_row), size),
        b_eq=np.eye(1, len(their_row))[0],
        bounds=[(0, None)] * len(x) + [(None, None)] * len(v),
    ).x.clip(0)
    plan, total, earned, best = {(): 1.0}, defaultdict(float), defaultdict(float), defaultdict(list)
    for s in theirs[1:]:
        total[_set(s)] += found[x[s]]
    for s in theirs[1:]:
        plan[s] = plan[s[:-1]] * found[x[s]] / (total[_set(s)] or 1.0)
    for chance, mine, other, paid in plays:
        earned[mine] += chance * paid * plan[other]
    for s in own:
        best[_set(s)].append(s)
    for of in reversed(best):
        if of:
            earned[sets[of]] += max(earned[s] for s in best[of])
    return earned[()]


def _set(sequence):
    """The information set of a sequence, with the sequence that leads to it; () at the start."""
    return (*sequence[:-1], sequence[-1][0]) if sequence else ()


def _matrix(entries, rows, columns):
    i, j, values = zip(*entries, strict=True)
    return coo_array((values, (i, j)), (rows, columns)).tocsr()
