"""Bound the errors of values between turns by the residuals of single turns.

docs/why/certificates.md has the proof (Matches of turns). In a duel, the expected number of turns left under the
published values falls by one each turn, so bounds slightly above its product with the residual enclose the values.
This is checked in the same arithmetic as the rows, with its rounding added.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.pairs import enclosed
from dicebase.certify.turns.kernel import OPTIONS, Turns, play
from dicebase.certify.turns.stakes import Stakes, Worth

SWEEPS, CLOSE = 1_000, 1e-4  # most sweeps, and the relative change at which they stop; bound_between adds 25 %


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
    found = [play(turns, stakes.after(values, b), 1, totals=1, needs=stakes.need[b])[:2] for b in stakes.blocks]
    return tuple(stakes.by_record(np.concatenate([part[k][:, 0, 0] for part in found])) for k in range(2))


def rounding_inside(turns: Turns, stakes: Stakes) -> float:
    """Bound the rounding error of a position inside a turn, computed in doubles from the stored starts of turns.

    A value at the end of a turn is rounded once, a sum over n rolls n times, and a quotient once, each time by at most
    half an EPSILON. Errors of later positions are weighted by probability; if there is a choice, the largest counts.
    """
    largest = 1.0 + float(stakes.values.max()) if stakes.game.sense < 0 else 1.0
    rolls, counts = turns.rolls, np.diff(turns.rolls.first)
    sums, chooses = np.add.reduceat(rolls.weight, rolls.first[:-1]), np.flatnonzero(rolls.kind == OPTIONS)
    once = largest * EPSILON / 2 * (1.0 + 1e-9)
    error = np.full(len(counts) + 1, once)  # by mode; the last entry is banking
    for _ in range(stakes.size):  # a turn has at most this many rolls
        worst = np.maximum.reduceat(error[rolls.next], rolls.first_option[chooses])
        mean = np.bincount(turns.mode_of_roll[chooses], rolls.weight[chooses] * worst, len(counts)) / sums
        error[:-1] = (counts + 2) * once + mean
    return float(error.max()) * (1.0 + 1e-9)


def _turns_to_come(turns: Turns, stakes: Stakes, V: np.ndarray) -> np.ndarray:
    """Return the expected turns left in the match, by (mover's total, opponent's total), if both players follow V. From
    the target on, the opponent's total leaves the mover a last turn.

    With wipes, sweeps raise them from 0 until a sweep adds at most CLOSE times the largest.
    """
    size, number = len(V), stakes.by_record(np.arange(len(stakes.need))).astype(int)
    g = np.zeros(V.shape)
    g[:, size:] = 1.0
    kept: dict[int, Worth] = {}  # what does not change from sweep to sweep
    for _ in range(SWEEPS if stakes.game.wipes else 1):
        before = g[:, 0].copy()
        for total in range(2 * size - 2, -1, -1):
            b = np.arange(max(0, total - size + 1), total // 2 + 1)
            a = total - b
            movers = number[np.concatenate([a, b]), np.concatenate([b, a])]
            worth = kept.get(total) or stakes.after(V, movers)
            if stakes.game.wipes:
                kept[total] = worth
            (x, y), (p, q), _ = (np.split(of_both, 2) for of_both in _ends(turns, stakes, worth, g, movers))
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
        for block in reversed(stakes.blocks):
            ends, busts, if_lost = _ends(turns, stakes, stakes.after(V, block), g, block)
            g[tuple(stakes.records[:, block])] = 1 + ends + busts * if_lost
        if np.abs(g - before).max() <= CLOSE * g.max():
            break
    return g


def _ends(
    turns: Turns, stakes: Stakes, worth: Worth, g: np.ndarray, which: slice | np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the expected turns after turns of some records that do not bust, the probability of a bust, and the turns
    after a bust, each by record, from the values of the ends of these turns and the turns to come, `g`."""
    later = stakes.counted(g, which, 0, 1, 0)
    return *play(turns, worth, 1, later, totals=0, needs=stakes.need[which])[2:], later[1]
