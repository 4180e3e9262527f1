"""Check values of cards by points scored, for a payoff of the final score: recompute them from the rules (by_score.py,
distribution.py), without published values."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.published import Published, refuse
from dicebase.certify.sheets.by_score import Scores, edges, entry_payoffs, greatest, of_play
from dicebase.certify.sheets.distribution import chosen_by, ends, played, rounding
from dicebase.certify.sheets.turn import Cards, one_turn, used
from dicebase.matches.sheets.scorecards import FollowedPlacements
from dicebase.matches.sheets.sheets import SheetPoints

LEAST = 1e-300
"""An absolute error of numbers that are too small for a relative one."""
PROOF = "each recomputed from the rules: no number differs by more"


def check_values(
    listing: SheetPoints | FollowedPlacements, cards: Cards, scores: Scores, published: Published, place: np.ndarray,
    payoff: np.ndarray, error: float, fail: Fail, tie: np.ndarray | None = None,
) -> tuple[float, float]:  # fmt: skip
    """Fail unless the published values, and those of the score-optimal strategy, agree with ours; return the largest
    difference and the error bound of our numbers.

    place : (rows,), the index of each row in the order of `scores`. payoff : by final score, with relative error
    `error`. tie : the same for the column `tie`, if the table has it. All numbers are expectations of nonnegative
    terms, so rounding is relative as well.
    """
    turn, boxes = cards.turn, len(cards.there).bit_length() - 1
    again, bound = [greatest(turn, cards.there, scores, payoff)[place]], error + boxes * one_turn(turn, 1.0)
    if listing.every:
        again.append(_earned(cards, scores, payoff)[place])
        bound = max(bound, error + boxes * rounding(turn))
    else:
        chances, forward = played(cards, "optimal")
        final = np.minimum((place - place.min())[:, np.newaxis] + np.arange(len(chances)), len(payoff) - 1)
        again.append(payoff[final] @ chances)
        bound = max(bound, error + forward + len(payoff) * EPSILON)
    if tie is not None:
        values = np.zeros(scores.size)
        values[place] = published.values
        again.append(_earned(cards, scores, tie, values)[place])
    worst, columns = 0.0, zip((listing.value, *listing.more), (published.values, *published.more), strict=True)
    for (column, values), ours in zip(columns, again, strict=True):
        differ = np.abs(ours - values)
        wrong = ~(differ <= 2 * bound * ours + LEAST)
        refuse(published.keys, fail, wrong, f"{column.name} is {{!r}}, the rules give {{!r}}", values, ours)
        worst = max(worst, float(differ.max()))
    return worst, bound


def respond(cards: Cards, payoff: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the greatest expected payoff, and the probability of each final score under the policy that earns it."""
    scores = of_play(cards.turn, cards.there)
    values, chances = greatest(cards.turn, cards.there, scores, payoff), scores.start(cards)
    for card in reversed([*cards.each()]):
        above = np.flatnonzero(chances[scores.first[card] :][: scores.many[card]])
        points = scores.low[card] + above
        worth = entry_payoffs(cards.turn, *card, points, scores, values)
        chosen = np.zeros(worth.shape)
        ends(cards.turn, worth, chosen, np.ones(len(points)), None)
        for e in np.flatnonzero(chosen.any(axis=1)):
            earned, then = used(cards.turn, e, *card)
            places = scores.first[then] + points + earned - scores.low[then]
            chances[places] += chosen[e] * chances[scores.first[card] + above]
    return float(values[scores.first[cards.fresh]]), scores.final(chances)


def _earned(cards: Cards, scores: Scores, payoff: np.ndarray, by: np.ndarray | None = None) -> np.ndarray:
    """Return the expected payoff of the score-optimal strategy, in the order of `scores`; or on a scorecard, if each
    roll goes to the first slot with the greatest value in `by`, in the same order."""
    turn, values = cards.turn, np.zeros(scores.size)
    for card in map(tuple, np.argwhere(cards.there).tolist()):
        here, points = scores.first[card], scores.low[card] + np.arange(scores.many[card])
        if card[0]:
            worth = entry_payoffs(turn, *card, points, scores, values)
            if by is None:
                upper, bonus = np.array([card[1:]]).T
                chosen = chosen_by(cards, "optimal", cards.values, card[0], upper, bonus)[:, 0]
                made = np.flatnonzero(chosen)
                mean = chosen[made] @ worth[made]
            else:
                shape = len(turn.weight), -1, len(points)  # rolls, slots, points
                rated, worth = entry_payoffs(turn, *card, points, scores, by).reshape(shape), worth.reshape(shape)
                best, kept = rated[:, 0], worth[:, 0]
                for slot in range(1, card[0].bit_length()):
                    better = rated[:, slot] > best
                    best, kept = np.where(better, rated[:, slot], best), np.where(better, worth[:, slot], kept)
                mean = turn.weight @ kept
            values[here : here + len(points)] = mean
        edges(values, scores, *card, payoff)
    return values
