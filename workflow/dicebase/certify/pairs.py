"""Certify two policies in a duel for points: check their values at every pair of totals by one turn of each policy.

The rules and a policy's definition determine how its turns end. With both policies fixed, the values X (row player to
move) and Y (column player to move) solve linear equations. Their errors solve the same equations with the residuals of
one turn in place of its wins, so the error of a value is at most the expected sum of residuals and rounding along play.

Values U bound every response from above if the best turn from U leads to no more than U. A sweep over T totals costs
O(T^3).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys, pair_values
from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, OPTIMAL, Matchups
from dicebase.vocabulary.kernels import kernel

CLOSE = 1e-11  # largest residual of one turn that is accepted
LARGEST = 1e-9  # largest error bound of a probability for which a certificate is given
WIDEST = 1e-6  # widest bounds on the values of optimal play that are tried
SWEEPS = 10_000
PROOF = "residuals of one turn of both policies, summed along play; best responses are bounded above"


class Ends(NamedTuple):
    """How the turns of a policy end, by (mover's total, opponent's total), or (mover's total, 0) for all opponents.

    ends : (T, T or 1, T + 1) probability of each total after the turn. busts, wipes, outs : (T, T or 1) probability of
    losing the turn, the bank or the match. rounding : (T, T or 1) bound on the sum of all their errors.
    """

    ends: np.ndarray
    busts: np.ndarray
    wipes: np.ndarray
    outs: np.ndarray
    rounding: np.ndarray


def one_turn(of: Ends, theirs: np.ndarray) -> np.ndarray:
    """Return the values of one turn, by (mover, opponent), from the opponent's, `theirs`, by (opponent, mover)."""
    size = len(theirs)
    after = np.broadcast_to(of.ends, (size, size, size + 1))
    banked = np.einsum("abt,bt->ab", after[:, :, :size], 1.0 - theirs)
    return after[:, :, size] + of.busts * (1.0 - theirs.T) + of.wipes * (1.0 - theirs[:, 0]) + banked


def along_play(
    row: Ends, column: Ends, own: np.ndarray, own2: np.ndarray, enough: float, fail: Fail
) -> tuple[np.ndarray, np.ndarray]:
    """Return the expected sums over the rest of the match, E if the row player moves next, F if the other does.

    own, own2 : what each turn of the row player, and of the other, adds to the sum. All arrays are (T, T), by (mover's
    total, other player's total).

    A wipe leads back to pairs whose sums are unknown: value iteration raises these from 0 until they grow by at most
    `enough`.
    """
    E, F = np.zeros((2, *own.shape))
    wipes = row.wipes.any() or column.wipes.any()
    for _ in range(SWEEPS):
        before = E[:, 0].copy(), F[:, 0].copy()
        _sweep(*row[:3], *column[:3], own, own2, E, F)
        if not wipes or max((E[:, 0] - before[0]).max(), (F[:, 0] - before[1]).max()) <= enough:
            return E, F
    fail(None, "matches are too long to be proved in doubles")


@kernel(_nrt=True, error_model="numpy")
def _sweep(ends, busts, wipes, ends2, busts2, wipes2, own, own2, E, F):
    """Solve E = own + expected F, F = own2 + expected E from high totals down; sums after wipes are one sweep old.
    ends, busts, wipes : as in Ends, ends2 and so on for the other player. own, own2, E, F : as in `along_play`."""
    size = len(E)
    wiped, wiped2 = F[:, 0].copy(), E[:, 0].copy()
    for a in range(size - 1, -1, -1):
        for b in range(size - 1, -1, -1):
            i, j = b % busts.shape[1], a % busts2.shape[1]
            e = own[a, b] + wipes[a, i] * wiped[b]
            for t in range(a + 1, size):
                e += ends[a, i, t] * F[b, t]
            f = own2[b, a] + wipes2[b, j] * wiped2[a]
            for t in range(b + 1, size):
                f += ends2[b, j, t] * E[a, t]
            E[a, b] = (e + busts[a, i] * f) / (1.0 - busts[a, i] * busts2[b, j])
            F[b, a] = f + busts2[b, j] * E[a, b]


def enclosed(
    best: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | float]], V: np.ndarray, bounds: np.ndarray, fail: Fail
) -> np.ndarray:
    """Raise `bounds` until they bound the errors of win probabilities V of optimal play, and return them: if opponents
    have the values at one end, no turn leads beyond the other end. Probabilities are clipped to [0, 1].

    best : returns (value of the best turn, its rounding), by (mover, opponent), from the opponent's values.
    """
    tiny = np.finfo(V.dtype).eps
    while bounds.max() <= WIDEST:
        low, high = np.maximum(V - bounds, 0.0), np.minimum(V + bounds, 1.0)
        (above, off), (below, also_off) = best(low), best(high)
        up, down = above + (off + tiny), below - (also_off + tiny)
        if np.all((up <= high) | (high == 1.0)) and np.all((down >= low) | (low == 0.0)):
            return np.maximum(high - V, V - low)
        bounds = 1.25 * np.maximum(bounds, np.maximum(up - V, V - down))
    fail(None, "no enclosure of the values could be proved")


class Policies(ABC):
    """The policies of a variant, derived from its rules; values are (T, T), by (mover's total, opponent's total)."""

    def __init__(self, listing: Matchups, fail: Fail) -> None:
        self.listing, self.fail = listing, fail
        self.unit, self.size, self.wipes = listing.duel.unit_of_points, listing.duel.totals, listing.duel.wipes

    @abstractmethod
    def ends(self, name: str, V: np.ndarray | None) -> Ends:
        """Return how the turns of a policy end; only `optimal` needs `V`, the values of optimal play."""

    @abstractmethod
    def best(self, V: np.ndarray) -> Ends:
        """Return how the best turns end if the opponent's turns have the values V."""

    @abstractmethod
    def best_worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the value of the best turn, and a bound on its rounding, if the opponent's turns have the values V."""


def check(policies: Policies, published: Published) -> Finding:
    """Certify the values of all pairs, and the rows, which state the values at the start of the match."""
    listing, fail = policies.listing, policies.fail
    check_keys(published, listing.pairs(), fail)
    places = policies.unit * np.indices((policies.size, policies.size)).reshape(2, -1)
    found = pair_values(published, listing.value_pairs(), places, fail)
    values = {pair: of.reshape(policies.size, policies.size) for pair, of in found.items()}
    ends = {name: policies.ends(name, values.get((BEST_RESPONSE, OPTIMAL))) for name in listing.names}
    worst, bounds = 0.0, {}
    for number, column in enumerate(listing.names):
        for row in (BEST_RESPONSE, *listing.names[number:]):
            X, Y = values[row, column], values[column, row]
            mine = policies.best(Y) if row == BEST_RESPONSE else ends[row]
            off, E, F = errors(policies, (row, column), (mine, ends[column]), (X, Y))
            worst, bounds[row, column], bounds[column, row] = max(worst, off), E, F
    for row, column, first in listing.pairs():
        mover = (row, column) if first == "row" else (column, row)
        chance, said = float(values[mover][0, 0]), published.value_of[row, column, first]
        if not abs(said - (chance if first == "row" else 1.0 - chance)) <= EPSILON:
            fail((row, column, first), f"the probability is {said!r}, recomputed for the mover it is {chance!r}")
        if not bounds[mover] <= LARGEST:
            unsure = f"matches are too long: rounding leaves it uncertain by {bounds[mover]:.3g}"
            fail((row, column, first), unsure)
    bound = max(bounds.values()) + EPSILON
    return Finding(published.value_of[BEST_RESPONSE, listing.names[0], "row"], bound, bound, worst, PROOF, actions=0)


def errors(
    policies: Policies, names: tuple[str, str], played: tuple[Ends, Ends], values: tuple[np.ndarray, np.ndarray]
) -> tuple[float, float, float]:
    """Return the largest residual of a pair's values X and Y, and error bounds of both at the start of the match."""
    largest, left = 0.0, []
    for play, mine, theirs, mover in zip(played, values, values[::-1], (names, names[::-1]), strict=True):
        again = one_turn(play, theirs)
        off = np.abs(mine - again)
        if not (off <= CLOSE).all():
            me, opponent = np.argwhere(~(off <= CLOSE))[0].tolist()
            place = f"policy={mover[0]} against={mover[1]} me={me * policies.unit} opponent={opponent * policies.unit}"
            what = f"the value is {float(mine[me, opponent])!r}, recomputed it is {float(again[me, opponent])!r}"
            policies.fail(None, f"{place}: {what}")
        largest = max(largest, float(off.max()))
        left.append(off + EPSILON * (len(off) + 6) + play.rounding)
    # The iteration stops early. Enlarged by a tenth, each sum is at least its residual plus the expected sum after it.
    E, F = (1.1 * sums for sums in along_play(*played, *left, 0.05 * float(np.min(left)), policies.fail))
    times = _times(policies, played[1], *values, E, F) if names[0] == BEST_RESPONSE else 1.0
    return largest, times * float(E[0, 0]), times * float(F[0, 0])


def _times(policies: Policies, column: Ends, X: np.ndarray, Y: np.ndarray, E: np.ndarray, F: np.ndarray) -> float:
    """Return a factor such that no turn leads above X + factor * E, or below Y - factor * F for the column player.
    These bounds are clipped to [0, 1]: below 0, losing more slowly would look better than a certain win."""
    slack, times = EPSILON * (len(E) + 6) + column.rounding, 1.0
    while times < 1e6:
        high, low = np.minimum(X + times * E, 1.0), np.maximum(Y - times * F, 0.0)
        best, rounding = policies.best_worth(low)
        held = (best + rounding + EPSILON <= high) | (high == 1.0)
        if held.all() and ((one_turn(column, high) - slack >= low) | (low == 0.0)).all():
            return times
        times *= 1.25
    policies.fail(None, "no bound holds for the best response: one turn's deviation gains too much")
