"""Certify weighted sums of features on a board: prove the values of best play, of the policy, and of best responses.

The policy is read from its text, and each value is proved like those of any board, by one step of the rules. The
solver's search of all sums is not repeated; a sum claimed to be the best is compared with those that differ in one
weight.
"""

from dataclasses import replace

import numpy as np

from dicebase.certify.boards.matchups import pair_of
from dicebase.certify.boards.play import BestPlay, play_by, settled
from dicebase.certify.card_claims import check_proved
from dicebase.certify.finding import Fail, Finding
from dicebase.certify.graph.one_step import at_the_start, proved
from dicebase.certify.graph.positions import Positions, discovered
from dicebase.certify.graph.step import Step
from dicebase.certify.published import Published, check_keys
from dicebase.matches.boards.board_cards import SUM, BoardCards
from dicebase.matches.boards.preferences import preference
from dicebase.vocabulary import TIE
from dicebase.vocabulary.arithmetic.components import solving_order

PROOF = "best play and the policy, by one step of the rules; the search of all sums is not repeated"
CLOSE = 1e-12  # tolerance of a cost, relative to the largest value


def check(listing: BoardCards, published: Published, fail: Fail) -> Finding:
    """Certify the cost of the policy and, for two players, the gain of the best response to it."""
    check_keys(published, [(SUM,)], fail)
    (cost,), (*worst, (least,), (proved,), (card,), (policy,)) = published.values, published.more
    weights = listing.grid.get(policy)
    if weights is None or card != listing.in_words(weights):
        fail((SUM,), f"'{policy}' is not a sum of this many features, or its words differ")
    check_proved(SUM, cost, least, proved, fail)
    play = _Play(listing, fail)
    found, said = [play.lost(policy), *(play.worst(policy) for _ in worst)], [cost, *(column[0] for column in worst)]
    for what, theirs, (again, _) in zip(("cost", "worst_case"), said, found, strict=False):
        if not abs(theirs - again) <= CLOSE * (1 + abs(play.best.value)):
            fail((SUM,), f"{what} is {float(theirs)!r}, recomputed it is {again!r}")
    for other, near in listing.grid.items() if proved else ():
        if sum(a != b for a, b in zip(weights, near, strict=True)) == 1 and play.lost(other)[0] < cost - TIE:
            fail((SUM,), f"the card is not the best: '{other}' costs {play.lost(other)[0]!r}")
    bound = max(abs(theirs - again) + error for theirs, (again, error) in zip(said, found, strict=True))
    return Finding(float(cost), bound, bound, 0.0, PROOF, actions=0)


class _Play:
    """The positions of a board, and what policies lose there, as (value, bound on its error)."""

    def __init__(self, listing: BoardCards, fail: Fail) -> None:
        self.listing, self.fail = listing, fail
        self.positions, self.states, self.actions = discovered(listing.game, fail)
        self.step = Step.of(self.positions)
        self.best = self.alone(self.positions)
        if listing.players == 2 and self.best.doubtful.any():
            fail(None, "doubles cannot decide what best play does in some positions")

    def alone(self, p: Positions) -> BestPlay:
        """Return best play of some positions, with its proved value."""
        step = Step.of(p)
        return play_by(p, step, settled(step, p.sense, *solving_order(p)), self.fail)

    def taken(self, policy: str) -> np.ndarray:
        """Return the action of a policy in each state, (S,)."""
        choose, first = preference(policy, self.listing.rules), self.positions.first.tolist()
        return np.array([self.actions.index(choose(state), s) for s, state in zip(first, self.states, strict=False)])

    def lost(self, policy: str) -> tuple[float, float]:
        """Return what a policy loses to best play."""
        taken, p = self.taken(policy), self.positions
        if self.listing.players == 2:
            return self._wins(self.best.played, taken)
        play = self.alone(replace(p, first=np.arange(len(p.first)), after=p.after[taken], of=np.arange(len(taken))))
        return self.listing.game.sense * (self.best.value - play.value), play.bound + self.best.bound

    def worst(self, policy: str) -> tuple[float, float]:
        """Return what a policy loses to the best response to it."""
        return self._wins(None, self.taken(policy))

    def _wins(self, row: np.ndarray | None, column: np.ndarray) -> tuple[float, float]:
        """Return what the row player wins in both seats together. row : its actions, None for a best response."""
        masks = [None if taken is None else np.isin(np.arange(len(self.step.after)), taken) for taken in (row, column)]
        pair = pair_of(self.step, masks, self.fail)
        sense = np.ones(len(pair.first) - 1, np.int8)
        values = settled(pair, sense, *solving_order(pair))
        found, *_ = proved(pair, sense, values, self.fail)
        seats = [at_the_start(pair, values, found.bounds, b) for b in (0, len(self.step.fall))]
        return sum(value for value, _ in seats), sum(error for _, error in seats)
