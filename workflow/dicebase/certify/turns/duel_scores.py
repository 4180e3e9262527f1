"""Certify the scores of a duel's turns: turns played forward by the values of the duel must end as published.

Policy iteration finds the values; enclosures prove that no turn gains more.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.pairs import along_play, enclosed
from dicebase.certify.published import Published, refuse
from dicebase.certify.turns.duel_matchups import TurnPolicies
from dicebase.certify.turns.duel_turns import CLOSE, SAME
from dicebase.matches import LEAST
from dicebase.matches.duels.duel_scores import DuelScores

STEPS, SMALL = 100, 1e-14  # most steps of policy iteration, and the residual at which it stops
PROOF = "turns played by values of the duel, proved to {:.2g}: no probability of a score differs by more"


def check(listing: DuelScores, published: Published, fail: Fail) -> Finding:
    """Find and enclose the values of the duel, and compare the published probabilities with turns played by them."""
    size, unit = listing.duel.totals, listing.duel.unit_of_points
    said = _read(listing, published, fail)
    policies, own = TurnPolicies(listing, fail), np.arange(size)
    V, turns, residual = best_play(policies)
    values_wrong = enclosed(policies.best_worth, V, 4 * EPSILON * turns, fail)
    again, busts, wipes, _, rounding = policies.followed(V)  # no roll loses the match
    again[own, :, own] += busts  # a lost turn leaves the total as it is, a lost bank leaves 0
    again[:, :, 0] += wipes
    worst = 0.0
    for me, (theirs, ours) in enumerate(zip(said, again, strict=True)):
        difference = np.abs(theirs - ours)
        wrong = ~(difference <= SAME * ours) & ((theirs > 0) | (ours >= 2 * LEAST))
        if wrong.any():
            place = opponent, total = tuple(int(x[0]) for x in np.nonzero(wrong))
            what = f"probability is {float(theirs[place])!r}" if theirs[place] else "is missing"
            row = me * unit, opponent * unit, listing.score(me, total)
            fail(row, f"{what}, played forward it is {float(ours[place])!r}")
        worst = max(worst, float((difference.max(axis=1) + rounding[me]).max()))
    scores = np.array([listing.score(0, total) for total in range(size + 1)])
    mean, mean_bound = float(again[0, 0] @ scores), float(rounding[0, 0] * scores.max())
    proof = PROOF.format(values_wrong.max() + EPSILON)
    return Finding(mean, mean_bound + EPSILON * (size + 2) * mean, worst, residual, proof)


def best_play(policies: TurnPolicies) -> tuple[np.ndarray, np.ndarray, float]:
    """Return (values of optimal play, expected turns left, largest residual), by policy iteration."""
    one, gap = np.ones((policies.size, policies.size)), np.inf
    V = one / 2
    for _ in range(STEPS):
        played = policies.best(V)
        X, Z = along_play(played, played, played.ends[:, :, -1].copy(), 0 * one, EPSILON, policies.fail)
        # X and 1 - Z are equal except for rounding.
        V, last = (X + (1.0 - Z)) / 2, gap
        gap = float(np.abs(policies.best_worth(V)[0] - V).max())
        if gap <= SMALL or last <= gap <= CLOSE:
            break
    return V, along_play(played, played, one, one, EPSILON, policies.fail)[0], gap


def _read(listing: DuelScores, published: Published, fail: Fail) -> np.ndarray:
    """Return the probabilities by (mover's total, opponent's total, mover's total after the turn), in units; 0 without
    a row."""
    size, unit, p = listing.duel.totals, listing.duel.unit_of_points, published.values
    me, opponent, score = (key.astype(np.int64) for key in published.keys)
    place = me // unit, opponent // unit, -(-(me + score) // unit)
    possible = np.all([(x >= 0) & (x < n) for x, n in zip(place, (size, size, size + 1), strict=True)], axis=0)
    possible &= (me % unit == 0) & (opponent % unit == 0) & (score == np.minimum(place[2] * unit, listing.target) - me)
    refuse(published.keys, fail, ~possible, "no turn ends with this score")
    refuse(published.keys, fail, ~((p > 0) & (p <= 1)), "is not a probability above 0")
    said = np.zeros((size, size, size + 1))
    said[place] = p
    return said
