"""Check simultaneous throws: compute what two published mixes guarantee, from the rules and the mixes alone.

docs/why/certificates.md (Single throws of two players) has the proofs. The opponent's mix is the row player's with the
totals exchanged.
"""

from functools import partial

import numpy as np

from dicebase.certify.action_rows import check_mix, check_sums
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, refuse
from dicebase.certify.throws import referee as referee_throws
from dicebase.certify.throws.arrays import check_bound, gain_probabilities, longest_play, squares
from dicebase.matches.duels.simultaneous import SimultaneousRace

STRICT = 1e-10
STEP = 1e-13
"""Tolerance of q-values. Against the exact mix of the opponent a throw in use has the value of the game; against the
published mix, which is rounded, it may have slightly less."""

simulated = referee_throws.play


def check(game: SimultaneousRace, published: Published, fail: Fail) -> Finding:
    """Certify a variant, whose values are P(win) - P(lose) of the row player."""
    stage = Rounds(gain_probabilities(game), game.totals, game.wipes)
    V, mix, stored = squares(published, game, fail, "probability", "q_value")
    refuse_state = partial(refuse, published.keys, fail)
    first = mix.shape[2] * np.arange(published.count)
    check_sums(published, mix.ravel(), first, fail)
    wrong = ~(np.abs(V + V.T) <= 1e-13)
    refuse_state(wrong.ravel(), "the value is {!r}, not that of the other player, negated", published.values)
    q, guaranteed, spread = stage.step(V, mix)
    off = np.abs(q - stored).max(axis=2).ravel()
    refuse_state(~(off <= STEP), "a q-value is {:.3g} away from what one step of the rules gives", off)
    off = np.maximum(V - guaranteed, q.max(axis=2) - V).ravel()
    what = "the value is {!r}; the mixes guarantee it up to {:.3g}"
    refuse_state(~(off <= 1e-12), what, published.values, off)
    residual = float(off.max())
    if game.rules.wipes:
        H = stage.longest(mix)
        bound = (residual + stage.rounding) * H
        proof = f"shortfall of each mix in one round, times the longest play against it, {H:.4g} rounds"
    else:
        low = stage.guarantee(mix)
        # Both sums have positive terms, so their rounding is relative to the probability of leaving, the divisor. Play
        # visits each sum of totals at most once.
        bound = float(np.maximum(V - low, -low.T - V).max()) + 2 * game.totals * 2 * stage.rounding
        proof = "values that the two published mixes guarantee, from the last state back"
    check_bound(bound, fail)
    check_mix(published, first, (V[:, :, np.newaxis] - q).ravel(), 2 * bound + STEP, fail)
    unique = spread > STRICT
    for x, worth, value in ((mix, q, V), (mix.swapaxes(0, 1), q.swapaxes(0, 1), -V)):
        unique &= np.where(x > 0, x, value[:, :, np.newaxis] - worth).min(axis=2) > STRICT
    wrong = published.more[0] != unique.ravel()
    refuse_state(wrong, "unique is {}, which contradicts the mixes and their regrets", published.more[0])
    return Finding(float(V[0, 0]), bound, bound, residual, proof)


class Rounds:
    """One round of a match: q (throws, gains) are probabilities, `size` is the number of totals below the target. Sums
    use long doubles, so that their rounding hides no error."""

    def __init__(self, q: np.ndarray, size: int, wipes: bool) -> None:
        self.q, self.size, self.reach = q, size, q.shape[1]
        # Rounding occurs in three sums of terms of at most 1, and in the probabilities themselves.
        self.rounding = float(np.finfo(np.longdouble).eps) * (2 * self.reach + len(q) + 4)
        totals = np.arange(size + self.reach)
        self.ends = np.sign(np.subtract.outer(totals, totals)).astype(np.longdouble)  # the larger total wins
        self.next = np.arange(size)[:, None] + np.arange(self.reach)[None, :]  # total by (total, gain)
        if wipes:
            self.next[:, 0] = 0

    def step(self, V: np.ndarray, mix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play one round by mix (me, opponent, throw), followed by the row player's values V (me, opponent); return the
        q-values (me, opponent, throw), the value each mix guarantees, and how far both are from not being unique."""
        whole = self.ends.copy()
        whole[: self.size, : self.size] = V
        theirs = self._before_theirs(self.q, whole)
        q, guaranteed = np.empty(mix.shape, np.longdouble), np.empty(V.shape, np.longdouble)
        spread = np.empty(V.shape)
        for a in range(self.size):
            payoff = np.tensordot(self.q, theirs[self.next[a]], axes=1)  # by (mine, theirs, b)
            for b in range(self.size):
                q[a, b] = payoff[:, :, b] @ mix[b, a]
                guaranteed[a, b] = (mix[a, b] @ payoff[:, :, b]).min()
                kernel = payoff[:, :, b][mix[a, b] > 0][:, mix[b, a] > 0] - V[a, b]
                spread[a, b] = min(_spread(kernel), _spread(kernel.T))
        return q, guaranteed, spread

    def guarantee(self, mix: np.ndarray) -> np.ndarray:
        """Return the lower bounds L (me, opponent) that the mix guarantees if totals never fall."""
        low = self.ends.copy()
        low[: self.size, : self.size] = 0
        nothing, scores = self.q[:, 0], self.q[:, 1:].sum(axis=1)
        for a in range(self.size - 1, -1, -1):
            for b in range(self.size - 1, -1, -1):
                # `low` is still 0 at this state itself.
                ahead = low[a : a + self.reach, b : b + self.reach]
                x = mix[a, b]
                leaving = x @ scores + (x @ nothing) * scores
                low[a, b] = ((self.q @ ((x @ self.q) @ ahead)) / leaving).min()
        return low[: self.size, : self.size]

    def longest(self, mix: np.ndarray) -> float:
        """Return an upper bound on the expected number of rounds against this mix, whatever the opponent does."""
        q, gains = self.q.astype(float), (mix @ self.q).astype(float)[:, np.newaxis]

        def lengthen(rounds: np.ndarray) -> np.ndarray:
            """Return 1 + the expected `rounds`, (me, opponent), if the opponent prolongs the match most."""
            theirs = self._before_theirs(q, np.pad(rounds, (0, self.reach)))
            # By (me, their throw, opponent).
            ahead = sum(gains[..., gain] * theirs[self.next[:, gain]] for gain in range(self.reach))
            return 1.0 + ahead.max(axis=1)

        return longest_play(lengthen, np.zeros((self.size, self.size)))

    def _before_theirs(self, q: np.ndarray, later: np.ndarray) -> np.ndarray:
        """Return the expectation of `later` (my total, opponent's total after a throw), by (my total, the opponent's
        throw, the opponent's total before it)."""
        after = (later[:, np.newaxis, self.next[:, gain]] for gain in range(self.reach))
        return sum(q[:, gain, np.newaxis] * value for gain, value in enumerate(after))


def _spread(kernel: np.ndarray) -> float:
    """Return the least singular value of a payoff matrix with a row of ones below it; 0 if it has too many columns."""
    rows, columns = kernel.shape
    if rows == columns == 1:
        return 1.0
    system = np.vstack([kernel.astype(float), np.ones(columns)])
    return float(np.linalg.svd(system, compute_uv=False)[-1]) if rows + 1 >= columns else 0.0
