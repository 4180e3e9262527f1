"""How wrong the values between turns can be, from the residuals of single turns; docs/why/certificates.md says why
(Matches of turns).

Of a duel the turns still to come under the published values fall by one each turn, so that e need only be a little more
than the residual; 0 and 1 no chance is beyond. That the enclosure is one is checked in the same arithmetic as the rows,
its rounding added.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.pairs import enclosed
from dicebase.certify.turns.kernel import OPTIONS, Turns, play
from dicebase.certify.turns.stakes import Stakes

SWEEPS, CLOSE = 1_000, 1e-6


def bound_between(turns: Turns, stakes: Stakes, residual: float, fail: Fail) -> tuple[float, str]:
    """(a bound on the values at the start of turns, why it holds)."""
    game = stakes.game
    if game.sense < 0:
        most = float(stakes.values.max())
        return residual * most / (1 - residual), f"residuals of turns times the longest race, {most:.4g} turns"
    if game.limit:
        return residual * game.limit, f"residuals of turns, summed over {game.limit} turns"
    V = stakes.by_record(stakes.values)
    g = (_turns_to_come if game.wins_at_once else _turns_by_record)(turns, stakes, V)
    wrong = enclosed(lambda values: one_turn(turns, stakes, values), V, (1.25 * residual + EPSILON) * g, fail)
    proof = f"sub- and super-solutions, in proportion to the turns to come, at most {g.max():.4g}"
    return float(wrong.max()) + EPSILON, proof


def one_turn(turns: Turns, stakes: Stakes, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(worth of the best turn of a duel, its rounding), by (mover, opponent), from values of the opponent."""
    blocks = range(stakes.blocks)
    found = [play(turns, stakes.after(values, b), 1, totals=1, needs=stakes.needs(b))[:2] for b in blocks]
    return tuple(stakes.by_record(np.concatenate([part[k][:, 0, 0] for part in found])) for k in range(2))


def rounding_inside(turns: Turns, stakes: Stakes) -> float:
    """How far sums of doubles take a position inside a turn from what follows exactly from the starts of turns.

    A number from which a turn follows is rounded once; a sum over n rolls n times, and its quotient once; each time by
    half an EPSILON at the most. Errors of later positions count by their probability, and the largest where there is a
    choice.
    """
    largest = 1.0 + float(stakes.values.max()) if stakes.game.sense < 0 else 1.0
    rolls, sums = np.diff(turns.first_roll), np.add.reduceat(turns.weight, turns.first_roll[:-1])
    chooses = np.flatnonzero(turns.kind == OPTIONS)
    once = largest * EPSILON / 2 * (1.0 + 1e-9)
    error = np.full(len(rolls) + 1, once)  # by mode; the last is to bank
    for _ in range(stakes.size):  # no turn has more rolls
        worst = np.maximum.reduceat(error[turns.next], turns.first_option[chooses])
        mean = np.bincount(turns.mode_of_roll[chooses], turns.weight[chooses] * worst, len(rolls)) / sums
        error[:-1] = (rolls + 2) * once + mean
    return float(error.max()) * (1.0 + 1e-9)


def _turns_to_come(turns: Turns, stakes: Stakes, V: np.ndarray) -> np.ndarray:
    """The expected number of turns of the rest of the match, by (mover's, opponent's total), both following V.

    With wipes they are found sweep by sweep, from below, until a sweep adds less than CLOSE of the longest.
    """
    size = len(V)
    g = np.zeros((size, size))
    for _ in range(SWEEPS if stakes.game.wipes else 1):
        before = g[:, 0].copy()
        for total in range(2 * size - 2, -1, -1):
            b = np.arange(max(0, total - size + 1), total // 2 + 1)
            a = total - b
            movers = np.concatenate([a, b]), np.concatenate([b, a])
            ends, busts = _ends(turns, stakes.too_few, V, g, before, *movers)
            (x, y), (p, q) = np.split(ends, 2), np.split(busts, 2)
            g[a, b] = (1 + x + p * (1 + y)) / (1 - p * q)
            g[b, a] = 1 + y + q * g[a, b]
        if np.abs(g[:, 0] - before).max() <= CLOSE * g.max():
            break
    return g


def _turns_by_record(turns: Turns, stakes: Stakes, V: np.ndarray) -> np.ndarray:
    """The same by record, sweep by sweep, whatever records lead to."""
    g = np.zeros_like(V)
    for _ in range(SWEEPS):
        before = g.copy()
        for block in range(stakes.blocks - 1, -1, -1):
            later, (first, end, _) = stakes.counted(g, block, 0, 1, 0), stakes.span(block)
            ends, busts = play(turns, stakes.after(V, block), 1, later, totals=0, needs=stakes.needs(block))[2:]
            g[tuple(stakes.records[:, first:end])] = 1 + ends + busts * later[1]
        if np.abs(g - before).max() <= CLOSE * g.max():
            break
    return g


def _ends(
    turns: Turns,
    too_few: Callable[[np.ndarray, np.ndarray], np.ndarray],
    V: np.ndarray,
    g: np.ndarray,
    wiped: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(expected turns to come after turns at (a, b), but for a bust; probability of a bust), each of shape (n,)."""
    size = len(V)
    # What is banked beyond the target is worth 1, like the target itself.
    after = a[:, np.newaxis] + np.arange(size - a.min())
    below, after = after < size, np.minimum(after, size - 1)
    bank = np.where(below, 1.0 - V[b[:, np.newaxis], after], 1.0)
    later = np.where(below, g[b[:, np.newaxis], after], 0.0)
    bank[below & too_few(a[:, np.newaxis], np.arange(bank.shape[1]))] = -np.inf
    worth, others = (bank, bank[:, 0], 1.0 - V[b, 0]), (later, bank[:, 0], wiped[b])
    return play(turns, worth, 1, others, totals=0, needs=size - a)[2:]
