"""Certify the scores of a duel's turns: turns played forward by the values of the duel must end as published.

Policy iteration finds the values, starting from the published turns; enclosures.py proves that no turn gains more.
"""

from functools import partial

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.pairs import Ends, along_play, enclosed
from dicebase.certify.published import Published, refuse
from dicebase.certify.turns.duel_matchups import TurnPolicies
from dicebase.certify.turns.duel_turns import CLOSE, SAME
from dicebase.matches import LEAST
from dicebase.matches.duel_scores import DuelScores

simulated = unplayed

STEPS, SMALL = 100, 1e-14  # most steps of policy iteration, and the residual at which it stops
PROOF = "turns played by values of the duel, proved to {:.2g}: no probability of a score differs by more"


def check(listing: DuelScores, published: Published, fail: Fail) -> Finding:
    """Find and enclose the values of the duel, and compare the published probabilities with turns played by them."""
    size, unit = listing.duel.totals, listing.duel.unit_of_points
    said = _read(listing, published, fail)
    policies, own = TurnPolicies(listing, fail), np.arange(size)
    V, turns, residual = best_play(policies, _as_ends(said, listing.duel.wipes))
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


def best_play(policies: TurnPolicies, played: Ends) -> tuple[np.ndarray, np.ndarray, float]:
    """Return (values of optimal play, expected turns left, largest residual). Policy iteration starts from the turns
    `played`."""
    one, gap = np.ones((policies.size, policies.size)), np.inf
    for _ in range(STEPS):
        X, Z = along_play(played, played, played.ends[:, :, -1].copy(), 0 * one, EPSILON, policies.fail)
        # X and 1 - Z are equal except for rounding.
        V, last = (X + (1.0 - Z)) / 2, gap
        gap = float(np.abs(policies.best_worth(V)[0] - V).max())
        if gap <= SMALL or not gap < last:
            break
        played = policies.best(V)
    return V, along_play(played, played, one, one, EPSILON, policies.fail)[0], gap


def _as_ends(said: np.ndarray, wipes: bool) -> Ends:
    """Return the published turns as the ends of a policy's turns."""
    ends, own, none = said.copy(), np.arange(len(said)), np.zeros(said.shape[:2])
    busts, ends[own, :, own] = ends[own, :, own], 0.0
    wiped = ends[:, :, 0].copy() if wipes else none
    ends[:, :, 0] = 0.0
    return Ends(ends, busts, wiped, none, none)


def _read(listing: DuelScores, published: Published, fail: Fail) -> np.ndarray:
    """Return the probabilities by (mover's total, opponent's total, mover's total after the turn), in units."""
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
    refuse_row(~possible, "no turn ends with this score")
    refuse_row(~((p > 0) & (p <= 1)), "is not a probability above 0")
    first = np.searchsorted(pair, np.arange(size * size + 1))
    if (none := np.diff(first) == 0).any():
        a, b = divmod(int(none.argmax()), size)
        fail((a * unit, b * unit, 0), "is missing, as are all scores of this pair")
    sums = np.add.reduceat(p, first[:-1])
    refuse_row(
        np.repeat(~(np.abs(sums - 1.0) <= CLOSE), np.diff(first)), "the probabilities of this pair do not sum to 1"
    )
    said = np.zeros((size * size, size + 1))
    said[pair, -(-total // unit)] = p
    return said.reshape(size, size, -1)
