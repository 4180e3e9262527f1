"""The best turns of a box of cards: play that chooses freely wherever the cards of the box differ.

A card stops at a turn total, which may depend on the dice left, and keeps the dice whose position has the largest
score. If every number of the box is fixed, the value is that of the card. Against a fixed opponent a choice in one
position never forbids one in another, so one backward sweep over the positions finds the best free choices.
"""

from typing import NamedTuple

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.solvers.turns.compiled import BUST, ENDS, OPTIONS, CompiledTurn
from dicebase.vocabulary.kernels import inner, kernel

STEPS, CLOSE, SMALL = 50, 1e-14, 1e-16  # policy iteration stops at a relative improvement of CLOSE


class Box(NamedTuple):
    """The ranges of what the cards of a box do, in units; the last axis is the mode.

    stops : (2, branches, T, W, modes) least and greatest turn total at which a card stops, by the player's total and
        the opponent's; the least is above the greatest in a branch that no card takes there.
    ended, rolled : (2, totals), (2, totals, modes) least and greatest score of a position in which a card stops, or
        rolls on, by turn total.
    """

    stops: np.ndarray
    ended: np.ndarray
    rolled: np.ndarray


class Against:
    """A duel, a race or a turn against a fixed opponent, if the player of the cards may choose within a box.

    turn : the rules, whose rolls do not depend on the turn total. least : (T,) the least turn total with which the
        player may stop, by the player's total.
    won : the value of a turn that reaches the target, which `need` units end from a total of 0.
    after : (T + 1, W) values between turns if the opponent moves next, by the player's total and the opponent's; filled
        in a match. The first T + 1 rows of a turn for its own sake are what it pays.
    each : (T, W) is added between turns. opponent : how the opponent's turns end, without wipes. Against one who always
        busts, only the player's turns count.
    """

    def __init__(
        self, turn: CompiledTurn, least: np.ndarray, won: float, after: np.ndarray, each: np.ndarray, opponent: Play
    ) -> None:
        (T, W), self.need = each.shape, len(after) - 1
        ends = np.broadcast_to(opponent.ends, (W, T, W + 1))[:, :, :-1]
        b, a, to = np.nonzero(ends)
        start = np.searchsorted(b * T + a, np.arange(W * T + 1))
        chain = start, to, ends[b, a, to], np.ascontiguousarray(np.broadcast_to(opponent.busts, (W, T)))
        reached, space = np.zeros((self.need, len(turn.modes)), bool), np.empty((4, self.need, len(turn.modes)))
        reached[tuple(turn.positions(self.need - 1).T)] = True
        self.fixed = (turn.arrays, turn.must_roll, reached, space), (least, won, each, *chain)
        self.values = after.astype(float), np.zeros((T + 1, W))

    def solve(self, box: Box) -> tuple[float, float]:
        """Return the values of the best choices within a box at the start: (moving first, moving second)."""
        after, starts = self.values
        _sweep(*self.fixed, box, after, starts)
        return float(starts[0, 0]), float(after[0, 0])


@kernel
def _sweep(turns, chances, box, after, starts):
    """Fill `after` and `starts`, (T + 1, W), in decreasing order of the totals; `turns` and `chances` are the arrays of
    Against, `box` has those of Box."""
    least, won, each, start, to, chance, lost = chances
    (T, W), need, stops = each.shape, len(turns[2]), box[0]
    for total in range(T + W - 2, -1, -1):
        for a in range(max(0, total - W + 1), min(total, T - 1) + 1):
            b = total - a
            # Between turns the value is `ahead` plus q times the value of the player's turn at the same totals.
            ahead, q = each[a, b], lost[b, a]
            for k in range(start[b * T + a], start[b * T + a + 1]):
                ahead += chance[k] * starts[a, to[k]]
            x = starts[a + 1, b] + each[a, b]
            for step in range(STEPS):  # policy iteration: solve the linear equation of the best choices at x
                bust, best, slope = ahead + q * x, -np.inf, 0.0
                for branch in range(stops.shape[1]):
                    low, high = stops[0, branch, a, b], stops[1, branch, a, b]
                    if low[0] <= high[0]:
                        value, p = _turn(turns, need - a, least[a], won, after[a:, b], bust, low, high, box)
                        if value > best:
                            best, slope = value, p
                solved = (best - slope * (bust - ahead)) / max(1.0 - slope * q, SMALL)
                done = step > 0 and solved - x <= CLOSE * abs(x)
                x = solved
                if done or q == 0.0:
                    break
            starts[a, b] = x
            after[a, b] = ahead + q * x


@inner
def _turn(turns, need, least, won, bank, bust, low, high, box):
    """Return (value of the best choices of a turn, its slope in the value of a bust); `bank` is by turn total, `low`
    and `high`, (modes,), are the least and greatest stop."""
    (_, row_start, sums, weight, kind, option_start, gain, next_mode), must, reached, space = turns
    (_, ended, rolled), (V, S, A, B) = box, (space[0], space[1], space[2], space[3])
    for t in range(need - 1, -1, -1):
        for m in range(len(must)):
            if not reached[t, m]:
                continue
            on = t == 0 or must[m] or t < least
            V[t, m], S[t, m], A[t, m], B[t, m] = bank[t], 0.0, ended[0, t], ended[1, t]
            if t >= high[m] and not on:
                continue
            value, slope = 0.0, 0.0
            for o in range(row_start[m], row_start[m + 1]):
                if kind[o] == BUST:
                    value += weight[o] * bust
                    slope += weight[o]
                elif kind[o] == OPTIONS:
                    options = option_start[o], option_start[o + 1], gain, next_mode
                    best, its_slope = _best_option(t, need, won, bank, options, ended, space)
                    value += weight[o] * best
                    slope += weight[o] * its_slope
            value, slope = value / sums[m], slope / sums[m]
            if on or t < low[m]:
                V[t, m], S[t, m], A[t, m], B[t, m] = value, slope, rolled[0, t, m], rolled[1, t, m]
                continue
            if value > bank[t]:
                V[t, m], S[t, m] = value, slope
            A[t, m], B[t, m] = min(A[t, m], rolled[0, t, m]), max(B[t, m], rolled[1, t, m])
    return V[0, 0], S[0, 0]


@inner
def _best_option(t, need, won, bank, options, ended, space):
    """Return the value and slope of the best option that a card of the box may take: no earlier option surely has a
    score as large, and no later one a larger score. An option that reaches the target precedes all others."""
    V, S, A, B = space[0], space[1], space[2], space[3]
    first, end, gain, next_mode = options
    if t + gain[first] >= need:  # the first option has the largest gain
        return won, 0.0
    x, n = t + gain[first], next_mode[first]
    if end == first + 1:
        return (bank[x], 0.0) if n == ENDS else (V[x, n], S[x, n])
    top, before, best, slope = -np.inf, -np.inf, -np.inf, 0.0
    for k in range(first, end):
        x, n = t + gain[k], next_mode[k]
        top = max(top, ended[0, x] if n == ENDS else A[x, n])
    for k in range(first, end):
        x, n = t + gain[k], next_mode[k]
        least, most = (ended[0, x], ended[1, x]) if n == ENDS else (A[x, n], B[x, n])
        if most >= top and most > before:
            value, its_slope = (bank[x], 0.0) if n == ENDS else (V[x, n], S[x, n])
            if value > best:
                best, slope = value, its_slope
        before = max(before, least)
    return best, slope
