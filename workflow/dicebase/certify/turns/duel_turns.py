"""Certify the turns of a duel: enclose the values as for the duel itself, and recompute what follows from them.

The error bound is that of the values. Expected turns, losses and points belong to the policy that is greedy for these
values. They must agree with turns played forward, up to 1e-9 of their size.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.pairs import along_play, enclosed
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.turns.duel_matchups import TurnPolicies
from dicebase.matches.duels.duel_turns import DuelTurns

CLOSE = 1e-11
SAME = 1e-9


def check(listing: DuelTurns, published: Published, fail: Fail) -> Finding:
    """Certify the rows of all pairs of totals."""
    check_keys(published, listing.duel.records(), fail)
    policies, size, unit = TurnPolicies(listing, fail), listing.duel.totals, listing.duel.unit_of_points
    V = published.values.reshape(size, size)
    if not (residual := float(np.abs(policies.best_worth(V)[0] - V).max())) <= CLOSE:
        fail(None, f"a turn played from the values differs from them by {residual:.3g}")
    played, one = policies.followed(V), np.ones((size, size))
    turns, _ = along_play(played, played, one, one, EPSILON, fail)
    bound = float(enclosed(policies.best_worth, V, 4 * EPSILON * turns, fail).max()) + EPSILON
    # A turn banks its total, or the points needed for the target.
    after = np.minimum(unit * np.arange(size + 1), listing.target)
    points = played.ends @ after - played.ends.sum(axis=2) * after[:size, np.newaxis]
    again = turns, played.busts + played.wipes, points
    for (name, *_), ours, theirs in zip(listing.more, map(np.ravel, again), published.more, strict=True):
        wrong = ~(np.abs(ours - theirs) <= SAME * np.maximum(1.0, ours))
        refuse(published.keys, fail, wrong, f"{name} is {{!r}}, recomputed it is {{!r}}", theirs, ours)
    proof = f"sub- and super-solutions, in proportion to the turns to come, at most {turns.max():.4g}"
    return Finding(float(V[0, 0]), bound, bound, residual, proof)
