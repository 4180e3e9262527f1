"""The rules of matches of single throws, and their published rows, as arrays."""

from collections.abc import Callable
from itertools import repeat

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.pairs import Ends
from dicebase.certify.published import Published, check_keys
from dicebase.matches.duels.duel import DuelOfThrows
from dicebase.matches.duels.simultaneous import SimultaneousRace
from dicebase.matches.turns.targets import ThrowTotals

SWEEPS = 10_000
LARGEST = 1e-9
"""The certificate is refused if the error bound is larger."""


def gain_probabilities(match: ThrowTotals) -> np.ndarray:
    """Return P(gain), (throws, gains), in long doubles; column 0 is a throw that scores nothing."""
    found = np.zeros((len(match.gains), max(map(max, match.gains)) + 1), np.longdouble)
    for row, weights in enumerate(match.gains):
        for gain in weights:
            found[row, gain] = np.longdouble(weights[gain]) / np.longdouble(sum(weights.values()))
    return found


def one_throw(q: np.ndarray, V: np.ndarray, wipes: bool) -> np.ndarray:
    """Return the q-values, (me, opponent, throw), if players alternate and V (me, opponent) has the mover's values.

    q : (throws, gains); if `wipes`, scoring nothing loses all points.
    """
    total = len(V)
    # By (me, opponent, gain): 1 - V of the opponent, or 1 at the target.
    later = np.ones((total, total, q.shape[1]), np.longdouble)
    later[:, :, 0] = 1 - (V[:, :1].T if wipes else V.T)
    for gain in range(1, min(q.shape[1], total)):
        later[: total - gain, :, gain] = 1 - V[:, gain:].T
    return later @ q.T


def throw_ends(q: np.ndarray, chosen: np.ndarray, wipes: bool) -> Ends:
    """Return how turns of one throw end; chosen : (me, opponent), the throw of each, or (me, 1) for all opponents."""
    size, reach = len(chosen), q.shape[1]
    ends, of = np.zeros((*chosen.shape, size + 1)), q[chosen].astype(float)
    for a in range(size):
        for gain in range(1, reach):
            ends[a, :, min(a + gain, size)] += of[a, :, gain]
    nothing, none = of[:, :, 0], np.zeros(chosen.shape)
    lost = (none, nothing) if wipes else (nothing, none)
    return Ends(ends, *lost, none, np.full(chosen.shape, EPSILON * (reach + 6)))


def squares(published: Published, game: DuelOfThrows | SimultaneousRace, fail: Fail, *columns: str) -> list[np.ndarray]:
    """Return the values, (me, opponent), and action columns, (me, opponent, throw); fail at a missing or extra row."""
    extra = "the table has this state, but no play reaches it"
    check_keys(published, game.records(), fail, "the table lacks this state", extra)
    published.check_actions(repeat(tuple(map(str, game.rules.choices)), published.count), fail)
    side = game.totals
    found = (published.actions[name].reshape(side, side, -1) for name in columns)
    return [published.values.reshape(side, side), *found]


def longest_play(sweep: Callable[[np.ndarray], np.ndarray], lengths: np.ndarray) -> float:
    """Return an upper bound on the longest expected play from any state; infinite if none is found. `sweep` maps
    lengths h to those after one more step; if sweep(h) <= h, h is an upper bound by induction. In sweeps from zero, the
    growth soon shrinks geometrically, or to nothing by rounding, so the rest of the series is added at once, and then a
    tenth."""
    last = np.inf
    for number in range(1, SWEEPS):
        before, lengths = lengths, sweep(lengths)
        grown = lengths - before
        ratio, last = grown.max() / last if grown.any() else 0.0, grown.max()
        if number % 5 == 0 and ratio < 1:
            bound = 1.1 * (lengths + grown * ratio / (1 - ratio))
            if (sweep(bound) <= bound).all():
                return float(bound.max())
    return float("inf")


def check_bound(bound: float, fail: Fail) -> None:
    """Fail if the bound is too large to be useful: in very long matches rounding adds up."""
    if not bound <= LARGEST:
        fail(None, f"matches are too long: rounding leaves values uncertain by {bound:.3g}")
