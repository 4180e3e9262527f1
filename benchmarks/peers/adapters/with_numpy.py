"""NumPy only: straightforward array code for each problem, with arrays as large as possible."""

import numpy as np
from iterate import CHANGE, ROUNDS, outside, payoffs
from problems import CHIP, hog_simultaneous, offers

PIVOTS = 1000


def build(problem: str, size: int):
    if problem == "hog_simultaneous":
        return hog_simultaneous(size)
    if problem == "ten_thousand_turn":
        return [offers(dice) for dice in range(5, 0, -1)], size // CHIP
    return size


def solve(problem: str, built) -> np.ndarray:
    return {
        "pig_duel": pig_duel,
        "hog_simultaneous": hog,
        "ten_times_eighteen": ten_times_eighteen,
        "ten_thousand_turn": ten_thousand_turn,
        "cards_up": cards_up,
    }[problem](built)


def pig_duel(target: int) -> np.ndarray:
    """Iterate values over all pairs of points at once, with a whole turn per round."""
    V = np.zeros((target, target))
    while True:
        lost, worth = -V.T, {}  # by turn total, the values for the movers who can have it
        for turn in range(target - 1, -1, -1):
            movers = target - turn
            roll = lost[:movers].copy()
            for face in range(2, 7):
                more = worth.get(turn + face)
                on = 0 if more is None else len(more)
                roll[on:] += 1.0
                if on:
                    roll[:on] += more
            roll /= 6
            worth[turn] = np.maximum(roll, lost[turn:]) if turn else roll
            worth.pop(turn + 6, None)
        change = np.abs(worth[0] - V).max()
        V = worth[0]
        if change <= CHANGE:
            return V


def hog(rounds) -> np.ndarray:
    """Solve states with the same sum of points side by side, iterating each until it converges."""
    q, target = rounds
    V = outside(rounds)
    stay = np.outer(q[:, 0], q[:, 0])
    for total in range(2 * target - 2, 0, -1):
        a = np.arange(total // 2 + 1, min(total, target - 1) + 1)
        if not len(a):
            continue
        M = np.array([payoffs(q, V, i, total - i) for i in a])
        v, left = V[a + 1, total - a + 1], np.arange(len(a))
        for _ in range(ROUNDS):
            after = matrix_games(M[left] + v[left, None, None] * stay)
            moves = np.abs(after - v[left]) > CHANGE
            v[left] = after
            left = left[moves]
            if not len(left):
                break
        V[a, total - a], V[total - a, a] = v, -v
    return V[:target, :target]


def matrix_games(M: np.ndarray) -> np.ndarray:
    """Return the values of matrix games, (games, rows, columns), by the simplex method, all games side by side.

    If payoffs are positive, the maximum of sum(y) subject to y >= 0 and M y <= 1 is the reciprocal of the value.
    """
    games, n, m = M.shape
    shift = 1.0 - M.min(axis=(1, 2))
    tableau = np.zeros((games, n + 1, m + n + 1))
    tableau[:, :n, :m] = M + shift[:, None, None]
    tableau[:, :n, m:-1] = np.eye(n)
    tableau[:, :n, -1] = 1.0
    tableau[:, n, :m] = -1.0
    left = np.arange(games)
    for _ in range(PIVOTS):
        column = tableau[left, n, :-1].argmin(axis=1)
        left, column = (part[tableau[left, n, column] < -1e-12] for part in (left, column))
        if not len(left):
            return 1.0 / tableau[:, n, -1] - shift
        entering = tableau[left, :n, column]
        ratio = np.where(entering > 1e-12, tableau[left, :n, -1] / np.where(entering > 1e-12, entering, 1.0), np.inf)
        row = ratio.argmin(axis=1)
        pivot = tableau[left, row] / entering[np.arange(len(left)), row, None]
        factors = tableau[left, :, column]
        factors[np.arange(len(left)), row] = 0.0
        tableau[left] -= factors[:, :, None] * pivot[:, None, :]
        tableau[left, row] = pivot
    raise ArithmeticError("the simplex method does not end")


def ten_times_eighteen(slots: int) -> np.ndarray:
    """Solve all sets of free slots of the same size at once."""
    faces = np.full(6, 1 / 6)
    probability = np.convolve(np.convolve(faces, faces), faces)
    rolls = np.arange(3, 19)
    sets = np.arange(1 << slots)
    size = sum(sets >> slot & 1 for slot in range(slots))
    values = np.zeros(1 << slots)
    for free in range(1, slots + 1):
        which = np.flatnonzero(size == free)
        best = np.full((len(which), len(rolls)), -np.inf)
        for slot in range(slots):
            has = np.flatnonzero(which >> slot & 1)
            placed = (slot + 1) * rolls + values[which[has] ^ (1 << slot)][:, None]
            best[has] = np.maximum(best[has], placed)
        values[which] = best @ probability
    return values[1:]


def ten_thousand_turn(given) -> np.ndarray:
    """Solve totals from the last one back, with all options of a total at once."""
    found, totals = given
    offered = [(m, options, weight / 6 ** (5 - m)) for m in range(5) for options, weight in found[m].items()]
    starts = np.cumsum([0, *(len(options) for _, options, _ in offered)])[:-1]
    gain, dice = np.array([option for _, options, _ in offered for option in options]).T
    share = np.zeros((5, len(offered)))
    for i, (m, _, probability) in enumerate(offered):
        share[m, i] = probability
    best = np.repeat(np.arange(totals + gain.max(), dtype=float)[:, None], 5, axis=1)
    for total in range(totals - 1, -1, -1):
        roll = share @ np.maximum.reduceat(best[total + gain, 5 - dice], starts)
        best[total] = np.maximum(roll, total) if total else roll
    return best[:totals]


def cards_up(cards: int) -> np.ndarray:
    """Iterate values over all sets of cards at once."""
    rolls = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    chance = np.array([(1 + (a < b)) / 36 for a, b in rolls])
    turned = np.arange(1 << cards)[:, None] ^ 1 << np.arange(cards)
    V = np.zeros(1 << cards)
    while True:
        ahead = V[turned] - 1
        worth = np.array([np.max([ahead[:, c - 1] for c in {a, b, a + b} if c <= cards], axis=0) for a, b in rolls])
        after = chance @ worth
        after[0] = 0.0
        change = np.abs(after - V).max()
        V = after
        if change <= CHANGE:
            return worth.T[1:]
