"""Bound the errors of values between turns by the residuals of single turns.

docs/why/certificates.md has the proof (Matches of turns). In a duel, the expected number of turns left under the
published values falls by one each turn, so bounds slightly above its product with the residual enclose the values.
This is checked in the same arithmetic as the rows, with its rounding added.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.pairs import enclosed
from dicebase.certify.turns.kernel import OPTIONS, Turns, play
from dicebase.certify.turns.stakes import Stakes

SWEEPS, CLOSE = 1_000, 1e-6


def bound_between(turns: Turns, stakes: Stakes, residual: float, fail: Fail) -> tuple[float, str]:
    """Return an error bound of the values at starts of turns, and its proof; `residual` is the largest one there."""
    game = stakes.game
    if game.sense < 0:
        most = float(stakes.values.max())
        return residual * most / (1 - residual), f"residuals of turns times the longest race, {most:.4g} turns"
    if game.limit:
        return residual * game.limit, f"residuals of turns, summed over {game.limit} turns"
    V = stakes.by_record(stakes.values)
    g = (_turns_to_come if game.may_store_starts else _turns_by_record)(turns, stakes, V)
    wrong = enclosed(lambda values: one_turn(turns, stakes, values), V, (1.25 * residual + EPSILON) * g, fail)
    proof = f"sub- and super-solutions, in proportion to the turns to come, at most {g.max():.4g}"
    return float(wrong.max()) + EPSILON, proof


def one_turn(turns: Turns, stakes: Stakes, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the value of a duel's best turn and its rounding, by (mover, opponent), from the opponent's `values`."""
    blocks = range(stakes.blocks)
    found = [play(turns, stakes.after(values, b), 1, totals=1, needs=stakes.needs(b))[:2] for b in blocks]
    return tuple(stakes.by_record(np.concatenate([part[k][:, 0, 0] for part in found])) for k in range(2))


def rounding_inside(turns: Turns, stakes: Stakes) -> float:
    """Bound the rounding error of a position inside a turn, computed in doubles from the stored starts of turns.

    A value at the end of a turn is rounded once, a sum over n rolls n times, and a quotient once, each time by at most
    half an EPSILON. Errors of later positions are weighted by probability; if there is a choice, the largest counts.
    """
    largest = 1.0 + float(stakes.values.max()) if stakes.game.sense < 0 else 1.0
    rolls, sums = np.diff(turns.first_roll), np.add.reduceat(turns.weight, turns.first_roll[:-1])
    chooses = np.flatnonzero(turns.kind == OPTIONS)
    once = largest * EPSILON / 2 * (1.0 + 1e-9)
    error = np.full(len(rolls) + 1, once)  # by mode; the last entry is banking
    for _ in range(stakes.size):  # a turn has at most this many rolls
        worst = np.maximum.reduceat(error[turns.next], turns.first_option[chooses])
        mean = np.bincount(turns.mode_of_roll[chooses], turns.weight[chooses] * worst, len(rolls)) / sums
        error[:-1] = (rolls + 2) * once + mean
    return float(error.max()) * (1.0 + 1e-9)


def _turns_to_come(turns: Turns, stakes: Stakes, V: np.ndarray) -> np.ndarray:
    """Return the expected turns left in the match, by (mover's total, opponent's total), if both players follow V. From
    the target on, the opponent's total leaves the mover a last turn.

    With wipes, sweeps raise them from 0 until a sweep adds at most CLOSE times the largest.
    """
    size = len(V)
    g = np.zeros(V.shape)
    g[:, size:] = 1.0
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
    """Return the same by record, in sweeps that allow any transitions between records."""
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
    """Return the expected turns after turns at (a, b) that do not bust, (n,), and the probability of a bust, (n,)."""
    size, known = V.shape
    # Banking wins if no turn follows.
    total = a[:, np.newaxis] + np.arange(known - a.min())
    follows, after = total < known, np.minimum(total, known - 1)
    bank = np.where(follows, 1.0 - V[b[:, np.newaxis], after], 1.0)
    later = np.where(follows, g[b[:, np.newaxis], after], 0.0)
    bank[(total < size) & too_few(a[:, np.newaxis], np.arange(bank.shape[1]))] = -np.inf
    worth, others = (bank, bank[:, 0], 1.0 - V[b, 0]), (later, bank[:, 0], wiped[b])
    return play(turns, worth, 1, others, totals=0, needs=size - a)[2:]
