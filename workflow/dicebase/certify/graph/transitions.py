"""How play continues from every position of a board, as arrays in the order of the table."""

import numpy as np

from dicebase.certify.certificate import MOST_TRANSITIONS, TRANSITIONS
from dicebase.certify.graph.positions import Positions
from dicebase.vocabulary.arithmetic.ranges import ranges


def transitions_of(p: Positions) -> dict[str, np.ndarray] | None:
    """Return the arrays of TRANSITIONS, or None if there are more than MOST_TRANSITIONS. The certifier asks in
    random order, so afterstates are numbered in the order of the actions that lead to them."""
    if len(p.to) > MOST_TRANSITIONS:
        return None
    actions, first = np.arange(len(p.after)), np.full(len(p.fall), len(p.after))
    first[p.after[::-1]] = actions[::-1]  # the first action that leads to an afterstate is assigned last
    first[0] = -1
    order = np.argsort(first)[: np.count_nonzero(first < len(actions))]
    number = np.empty(len(p.fall), np.int32)
    number[order] = np.arange(len(order))
    begin, to, weight, reward, sign = outcomes_of(p, order)
    found = number[p.after], begin, weight, to, reward, (sign < 0).astype(np.uint8)
    return dict(zip((f.name for f in TRANSITIONS.type), found, strict=True))


def outcomes_of(p: Positions, b: np.ndarray, kind: type = float) -> tuple[np.ndarray, ...]:
    """Return (begin, to, weight, reward, sign) of afterstates `b`, (n,): the outcomes of the i-th are begin[i] to
    begin[i + 1] - 1. `kind` is that of the weights; raises OverflowError if it cannot hold one."""
    begin, o = ranges(p.begin[b], p.begin[b + 1])
    begin = np.append(begin, len(o))
    fall = o + np.repeat(p.falls_at[b] - p.begin[b], np.diff(begin))
    kinds = enumerate((kind, float, np.int8))
    weight, reward, sign = (np.array([x for fall in p.falls for x in fall[i]], kind)[fall] for i, kind in kinds)
    return begin.astype(np.int32), p.to[o].astype(np.int32), weight, reward, sign
