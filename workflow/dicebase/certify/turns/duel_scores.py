"""Scores of a duel's turns: what the published ones earn is the value of the duel, and its turns end as published.

With p(t) the published probability that the mover, from a against b, has t after this turn, the published play earns

    V[a, b] = sum of p(t) (1 - V[b, t]), where 1 - V is 1 at the target,

two linear equations for V[a, b] and V[b, a], in falling order of a + b; with wipes, t = 0, they are swept until they
settle. Every turn is then played from V by the best play that V says. It must end as published, and earn V; what little
better it does, where published turns bank though rolling on is better by less than TIE, V is raised by on the way, so
that V is the value of the duel. That is proved from the rules, as for its own table (enclosures.py).
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numba import njit

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, refuse
from dicebase.certify.turns.enclosures import bound_duel
from dicebase.certify.turns.kernel import Turns
from dicebase.certify.turns.stakes import Duel
from dicebase.certify.turns.turn_ends import ends_of_best
from dicebase.matches.duel_scores import LEAST, DuelScores

CLOSE = 1e-11
SAME = 1e-9
SETTLED = 8e-15
STEPS, SWEEPS = 100, 10_000
PROOF = "turns that follow values of the duel, proved to {:.2g} ({}), end so: no probability differs by more"

Played = Iterator[tuple[int, int, float, np.ndarray, np.ndarray]]


simulated = unplayed


def check(listing: DuelScores, published: Published, fail: Fail) -> Finding:
    """Recover the values of the duel, play every turn from them, and prove them."""
    size, unit = listing.duel.totals, listing.duel.unit_of_points
    first, after = _read(listing, published, fail)
    V = _settle(first, after, published.values, size, wins=True)
    turns_left = _settle(first, after, published.values, size, wins=False)
    turns = Turns(listing.rules, unit)
    residual, worst, mean, mean_bound = 0.0, 0.0, 0.0, 0.0

    def play() -> Played:
        for a, b, gap, ends, doubts in _play(turns, V):
            if not gap <= CLOSE:
                what = f"what these scores earn is not what best play does, which differs by {gap:.3g}"
                fail((a * unit, b * unit, 0), what)
            yield a, b, gap, ends, doubts

    if listing.duel.wipes:  # all pairs depend on all
        last, worst_gap = np.inf, max(gap for _, _, gap, _, _ in play())
        while SETTLED < worst_gap < last:
            last, worst_gap = worst_gap, max(gap for _, _, gap, _, _ in play())
    for a, b, gap, ends, doubts in play():
        rows = slice(first[a * size + b], first[a * size + b + 1])
        theirs = np.zeros(size + 1)
        theirs[after[rows]] = published.values[rows]
        difference = np.abs(theirs - ends)
        wrong = ~(difference <= SAME * ends) & ((theirs > 0) | (ends >= 2 * LEAST))
        if wrong.any():
            total = int(wrong.argmax())
            what = f"probability is {float(theirs[total])!r}" if theirs[total] else "is missing"
            row = a * unit, b * unit, listing.score(a, total)
            fail(row, f"{what}, played forward it is {float(ends[total])!r}")
        residual, worst = max(residual, gap), max(worst, float((difference + doubts).max()))
        if a == b == 0:
            scores = np.array([listing.score(0, total) for total in range(size + 1)])
            mean, mean_bound = float(ends @ scores), float(doubts @ scores)
    duel = Duel(size)
    duel.values = V.ravel()
    bound, proof = bound_duel(turns, duel, turns_left, SETTLED / 4, fail)
    return Finding(mean, mean_bound + EPSILON * (size + 2) * mean, worst, residual, PROOF.format(bound, proof))


def _play(turns: Turns, V: np.ndarray) -> Played:
    """The turns of all pairs, (a, b) with (b, a), by falling sum: (a, b, gap, ends, doubts), the last two of
    `ends_of_best`. Both entries of V are replaced by what these turns earn until the gap, how much better they are than
    V says, is settled; the gap yielded is the first one."""
    size = len(V)
    later = np.hstack([V, np.zeros((size, 1))])  # at the target the opponent has lost
    for total in range(2 * size - 2, -1, -1):
        for b in range(max(0, total - size + 1), total // 2 + 1):
            a, gaps = total - b, []
            pairs = [(a, b), (b, a)]
            for _ in range(STEPS):
                played = [_turn(turns, later, *pair, size) for pair in pairs]
                gaps.append(max(abs(starts - later[pair]) for pair, (starts, _, _) in zip(pairs, played, strict=True)))
                if not SETTLED < gaps[-1] <= CLOSE:
                    break
                for pair, (starts, _, _) in zip(pairs, played, strict=True):
                    later[pair] = starts
            for (i, j), (_, ends, doubts) in zip(pairs if a != b else pairs[:1], played, strict=False):
                V[i, j] = later[i, j]
                yield i, j, gaps[0], ends, doubts


def _turn(turns: Turns, later: np.ndarray, me: int, opponent: int, size: int) -> tuple[float, np.ndarray, np.ndarray]:
    """`ends_of_best` one turn; `later` is what the opponent wins, by his total and the mover's."""
    bank = 1.0 - later[opponent : opponent + 1, :size]
    starts, ends, doubts = ends_of_best(turns, (bank[:, me:], bank[:, me], bank[:, 0]), size)
    return starts[0], ends[0], doubts[0]


def _read(listing: DuelScores, published: Published, fail: Fail) -> tuple[np.ndarray, np.ndarray]:
    """(first row of each pair of totals and the end of the last, total after the turn in units of every row)."""
    size, unit, p = listing.duel.totals, listing.duel.unit_of_points, published.values
    me, opponent, score = (key.astype(np.int64) for key in published.keys)
    pair = np.zeros(len(p), dtype=np.int64)
    possible = np.ones(len(p), dtype=bool)
    for total in (me, opponent):
        possible &= (total >= 0) & (total < size * unit) & (total % unit == 0)
        pair = pair * size + total // unit
    total = me + score
    possible &= (total == listing.target) | (total < listing.target) & (total % unit == 0) & (total >= me)
    if listing.duel.wipes:
        possible |= total == 0

    refuse_row = partial(refuse, published.keys, fail)
    refuse_row(~possible, "no turn ends so")
    refuse_row(~((p > 0) & (p <= 1)), "is no probability above 0")
    first = np.searchsorted(pair, np.arange(size * size + 1))
    if (none := np.diff(first) == 0).any():
        a, b = divmod(int(none.argmax()), size)
        fail((a * unit, b * unit, 0), "is missing, as are all scores of this pair")
    sums = np.add.reduceat(p, first[:-1])
    refuse_row(
        np.repeat(~(np.abs(sums - 1.0) <= CLOSE), np.diff(first)), "the probabilities of this pair do not sum to 1"
    )
    return first, -(-total // unit)


def _settle(first: np.ndarray, after: np.ndarray, p: np.ndarray, size: int, wins: bool) -> np.ndarray:
    """What the published play earns, of shape (size, size): the mover's probability to win, or else turns to come."""
    x = np.zeros((size, size + 1))  # of who moves against a player at the target: he has lost, and no turn is to come
    step = np.inf
    for _ in range(SWEEPS):
        before, last = x[:, 0].copy(), step
        _sweep(first, after, p, wins, before, x)
        step = np.abs(x[:, 0] - before).max()
        # Rounding may keep the last bits moving.
        if not step > EPSILON * np.abs(x).max() or (step < 1e-13 * np.abs(x).max() and step >= last):
            break
    return x[:, :size].copy()


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep(first, after, p, wins, wiped, x):
    size = len(x)
    for total in range(2 * size - 2, -1, -1):
        for b in range(max(0, total - size + 1), total // 2 + 1):
            a = total - b
            mine, not_mine, stays = _from(first, after, p, wins, wiped, x, a, b)
            yours, not_yours, remains = _from(first, after, p, wins, wiped, x, b, a)
            # x = mine + stays * (not_yours + remains * x): no term is negative, nothing cancels.
            x[a, b] = (mine + stays * not_yours) / (1.0 - stays * remains)
            x[b, a] = (yours + remains * not_mine) / (1.0 - stays * remains)


@njit(cache=True, nogil=True)
def _from(first, after, p, wins, wiped, x, a, b):
    """(what turns of a against b are worth to the mover, and to the other, but for those that leave a; the probability
    of these); a turn counts one for both."""
    size = len(wiped)
    mine = not_mine = 0.0 if wins else 1.0
    stays = 0.0
    for row in range(first[a * size + b], first[a * size + b + 1]):
        t = after[row]
        if t == a:
            stays = p[row]
            continue
        later = x[b, t] if t > a else wiped[b]
        mine += p[row] * (1.0 - later if wins else later)
        not_mine += p[row] * later
    return mine, not_mine, stays
