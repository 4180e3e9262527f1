"""Alternate single throws: every q-value by one step of the rules, and a bound by the longest play, which
docs/why/certificates.md proves (Single throws of two players)."""

from functools import partial

import numpy as np

from dicebase.certify.action_rows import check_rows
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, refuse
from dicebase.certify.throws import referee as referee_throws
from dicebase.certify.throws.arrays import check_bound, gain_probabilities, longest_play, one_throw, squares
from dicebase.matches.duel import DuelOfThrows
from dicebase.vocabulary.eights import LANES, in_blocks, load, splat, store
from dicebase.vocabulary.kernels import kernel

simulated = referee_throws.play_duel


def check(game: DuelOfThrows, published: Published, fail: Fail) -> Finding:
    """Certify the rows of a variant."""
    q = gain_probabilities(game)
    V, stored = squares(published, game, fail, "q_value")
    again = one_throw(q, V, game.wipes)
    refuse_state = partial(refuse, published.keys, fail)
    off = np.abs(stored - again).max(axis=2).ravel()
    refuse_state(~(off <= 1e-13), "a q-value is {:.3g} away from what one step of the rules gives", off)
    off = np.abs(V - again.max(axis=2)).ravel()
    refuse_state(~(off <= 1e-13), "the value is {!r}, the best action is {:.3g} away", published.values, off)
    residual = float(off.max())
    # A sum of positive terms below one: a rounding of the longest doubles for each.
    r = residual + float(np.finfo(np.longdouble).eps) * (q.shape[1] + 4)
    number = {str(choice): i for i, choice in enumerate(game.rules.choices)}
    policy = np.array([number.get(action, -1) for action in published.best])
    H = _longest(q.astype(float), policy.reshape(V.shape), game.wipes)
    bound = r * H
    check_bound(bound, fail)
    of = np.repeat(np.arange(published.count), len(number))
    check_rows(published, of, 1, np.full(published.count, 2 * bound), decided=False, fail=fail)
    proof = f"residuals times the longest play, {H:.4g} throws, against the published policy"
    return Finding(float(V[0, 0]), bound, bound, residual, proof)


def _longest(q: np.ndarray, policy: np.ndarray, wipes: bool) -> float:
    """An upper bound on the expected throws of a match in which one player follows `policy`."""

    by_gain = in_blocks(q.T)

    def sweep(lengths: np.ndarray) -> np.ndarray:
        longer = lengths.copy()
        _lengthen(by_gain, policy, wipes, *longer)
        return longer

    # While the one who follows it, or the other, is about to throw.
    return longest_play(sweep, np.zeros((2, *policy.shape)))


@kernel(_nrt=True)
def _lengthen(by_gain, policy, wipes, mine, theirs):
    """One sweep, in place."""
    reach, D = by_gain.shape
    total, lengths, chances = policy.shape[0], np.empty(D), by_gain.ravel()
    for sum_of_totals in range(2 * total - 2, -1, -1):
        for a in range(max(0, sum_of_totals - total + 1), min(total, sum_of_totals + 1)):
            b = sum_of_totals - a
            for who in range(2):
                here = mine if who == 0 else theirs
                after = theirs if who == 0 else mine
                for d in range(0, D, LANES):
                    length = splat(0.0)
                    for gain in range(min(reach, total - a)):
                        later = after[b, 0 if wipes and gain == 0 else a + gain]
                        length += later * load(chances, gain * D + d)
                    store(lengths, d, length)
                here[a, b] = 1.0 + (lengths[policy[a, b]] if who == 0 else lengths.max())
