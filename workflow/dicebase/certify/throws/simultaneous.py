"""Simultaneous throws: what the two published mixes guarantee, state by state, from the rules and the mixes alone.

What `guarantee`, `longest` and `unique` prove, where totals never fall and where they can, is in
docs/why/certificates.md (Single throws of two players). The mix of the other is the row player's with the totals
exchanged.
"""

from functools import partial

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, refuse
from dicebase.certify.throws import referee as referee_throws
from dicebase.certify.throws.arrays import check_bound, check_mix, check_sums, gain_probabilities, longest_play, squares
from dicebase.matches.simultaneous import SimultaneousRace

STRICT = 1e-10
STEP = 1e-13
"""What a q-value may be away from one step of the rules. A used throw is worth the value against the exact mix of the
other; against the published one, which is rounded, by as little less."""

simulated = referee_throws.play


def check(game: SimultaneousRace, published: Published, fail: Fail) -> Finding:
    """Certify the rows of a variant."""
    stage = Rounds(gain_probabilities(game), game.totals, game.wipes)
    V, mix, stored = squares(published, game, fail, "probability", "q_value")
    refuse_state = partial(refuse, published.keys, fail)
    check_sums(published, mix, fail)
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
        proof = f"what each mix falls short of in a round, times the longest play against it, {H:.4g} rounds"
    else:
        low = stage.guarantee(mix)
        # Both sums of a guarantee are of terms of which none is taken away from another: their rounding is relative to
        # the probability of leaving, by which they are divided. Every state that is left has a larger sum of totals.
        bound = float(np.maximum(V - low, -low.T - V).max()) + 2 * game.totals * 2 * stage.rounding
        proof = "what the two published mixes guarantee, from the last state back"
    check_bound(bound, fail)
    check_mix(published, V[:, :, np.newaxis] - q, 2 * bound + STEP, fail)
    unique = spread > STRICT
    for x, worth, value in ((mix, q, V), (mix.swapaxes(0, 1), q.swapaxes(0, 1), -V)):
        unique &= np.where(x > 0, x, value[:, :, np.newaxis] - worth).min(axis=2) > STRICT
    wrong = published.more[0] != unique.ravel()
    refuse_state(wrong, "unique is {}, the mixes and their regrets say otherwise", published.more[0])
    return Finding(float(V[0, 0]), bound, bound, residual, proof)


class Rounds:
    """One round of the game as arrays: `q` (throws, gains) probabilities, `size` totals below the target.

    Sums run in the longest doubles of the machine, so that their rounding hides nothing.
    """

    def __init__(self, q: np.ndarray, size: int, wipes: bool) -> None:
        self.q, self.size, self.reach = q, size, q.shape[1]
        # Three sums of terms no larger than one, and the probabilities themselves.
        self.rounding = float(np.finfo(np.longdouble).eps) * (2 * self.reach + len(q) + 4)
        totals = np.arange(size + self.reach)
        self.ends = np.sign(np.subtract.outer(totals, totals)).astype(np.longdouble)  # the larger total wins
        self.next = np.arange(size)[:, None] + np.arange(self.reach)[None, :]  # total by (total, gain)
        if wipes:
            self.next[:, 0] = 0

    def step(self, V: np.ndarray, mix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One round ahead by the values: q-values by (me, opponent, mine), what each mix then guarantees, and how far
        both mixes are from having others beside them."""
        whole = self.ends.copy()
        whole[: self.size, : self.size] = V
        # By (my next total, their throw, their total): the mean over what they throw.
        theirs = np.stack([self.q @ row[self.next].T for row in whole])
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
        """L by (me, opponent): what a mix guarantees where no total falls."""
        low = self.ends.copy()
        low[: self.size, : self.size] = 0
        nothing, scores = self.q[:, 0], self.q[:, 1:].sum(axis=1)
        for a in range(self.size - 1, -1, -1):
            for b in range(self.size - 1, -1, -1):
                # This state itself still has 0 in it.
                ahead = low[a : a + self.reach, b : b + self.reach]
                x = mix[a, b]
                leaving = x @ scores + (x @ nothing) * scores
                low[a, b] = ((self.q @ ((x @ self.q) @ ahead)) / leaving).min()
        return low[: self.size, : self.size]

    def longest(self, mix: np.ndarray) -> float:
        """An upper bound on the expected rounds against this mix, whatever the other throws."""
        q, gains = self.q.astype(float), (mix @ self.q).astype(float)
        sweep = partial(_lengthen, q, gains, self.next)
        return longest_play(sweep, np.zeros((self.size, self.size)))


def _lengthen(q, gains, following, rounds):
    """One round, and the mean of `rounds` after it where the other prolongs the match most; nothing at the end."""
    size, reach = following.shape
    inside = np.pad(rounds, (0, reach))
    theirs = np.zeros((len(q), size + reach, size))
    for j in range(reach):
        theirs += q[:, j, np.newaxis, np.newaxis] * inside[:, following[:, j]]
    ahead = np.zeros((len(q), size, size))
    for i in range(reach):
        ahead += gains[:, :, i] * theirs[:, following[:, i]]
    return 1.0 + ahead.max(axis=0)


def _spread(kernel: np.ndarray) -> float:
    """The least singular value of a kernel and a row of ones; 0 where there are more unknowns than equations."""
    rows, columns = kernel.shape
    if rows == columns == 1:
        return 1.0
    system = np.vstack([kernel.astype(float), np.ones(columns)])
    return float(np.linalg.svd(system, compute_uv=False)[-1]) if rows + 1 >= columns else 0.0
