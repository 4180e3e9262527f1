"""Turns of a duel: values enclosed as those of the duel itself, and what follows from them played out again.

Each turn is solved from the published values by the certifier's own kernel, which also sums up how it ends. The bound
is that of the values; expected turns, losses and points belong to a policy that follows the values, and must agree
with what comes out up to 1e-9 of their size.
"""

import numpy as np

from dicebase.certify.finding import Fail, Finding, unplayed
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.turns.enclosures import bound_between, turns_to_come
from dicebase.certify.turns.kernel import Turns, play
from dicebase.certify.turns.stakes import Duel
from dicebase.matches.duel_turns import DuelTurns

CLOSE = 1e-11
SAME = 1e-9


simulated = unplayed


def check(listing: DuelTurns, published: Published, fail: Fail) -> Finding:
    """Compute the turns of all pairs again and compare."""
    unit = listing.duel.unit_of_points
    check_keys(published, listing.duel.records(), fail)
    turns = Turns(listing.rules, unit)
    duel = Duel(listing.duel.totals)
    duel.values = published.values
    V = duel.values.reshape(duel.size, duel.size)
    residual, points, lost = 0.0, np.empty_like(V), np.empty_like(V)
    for me in range(duel.size):
        stakes = duel.block(me)
        banked = np.broadcast_to(unit * np.arange(duel.size - me, dtype=float), stakes[0].shape).copy()
        nothing = np.zeros(duel.size)
        # What a turn banks: its total, or what was needed, or nothing.
        worth, error, points[me], busts = play(
            turns, stakes, 1, (banked, nothing, nothing), float(listing.target - unit * me), totals=1
        )
        lost[me] = busts
        if listing.duel.wipes:
            lost[me] += play(turns, stakes, 1, (np.zeros_like(banked), nothing, nothing + 1), totals=0)[2]
        residual = max(residual, float((np.abs(V[me] - worth[:, 0, 0]) + error[:, 0, 0]).max()))
    if not residual <= CLOSE:
        fail(None, f"a turn played from the values differs from them by {residual:.3g}")
    bound, proof = bound_between(turns, duel, listing.duel.wipes, residual, fail)
    again = turns_to_come(turns, V, listing.duel.wipes, 1e-12), lost, points
    for (name, *_), ours, theirs in zip(listing.more, map(np.ravel, again), published.more, strict=True):
        wrong = ~(np.abs(ours - theirs) <= SAME * np.maximum(1.0, ours))
        refuse(published.keys, fail, wrong, f"{name} is {{!r}}, played out again it is {{!r}}", theirs, ours)
    return Finding(float(V[0, 0]), bound, bound, residual, proof)
