"""Certify weighted sums of features on a board: prove the values of best play, of the policy, and of best responses.

The policy is read from its text, and each value is proved like those of any board, by one step of the rules. The
solver's search of all sums is not repeated; a sum claimed to be the best is compared with those that differ in one
weight.
"""

from dataclasses import replace

import numpy as np

from dicebase.certify.boards.matchups import pair_of
from dicebase.certify.boards.play import BestPlay, play_by, settled
from dicebase.certify.card_claims import Claims, Number
from dicebase.certify.finding import Fail
from dicebase.certify.graph.one_step import at_the_start, proved
from dicebase.certify.graph.positions import Positions, discovered
from dicebase.certify.graph.step import Step
from dicebase.matches.boards.board_cards import BoardCards
from dicebase.matches.boards.preferences import preference
from dicebase.vocabulary.arithmetic.components import solving_order

CLOSE = 1e-12  # tolerance of a cost, relative to the largest value


class _Play(Claims):
    """The positions of a board, and what policies lose there."""

    listing: BoardCards
    proof = "best play and the policy, by one step of the rules; the search of all sums is not repeated"

    def __init__(self, listing: BoardCards, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.positions, self.states, self.actions = discovered(listing.game, fail)
        self.step = Step.of(self.positions)
        self.best_play = self.alone(self.positions)
        self.rounding = CLOSE * (1 + abs(self.best_play.value))
        if listing.players == 2 and self.best_play.doubtful.any():
            fail(None, "doubles cannot decide what best play does in some positions")

    def alone(self, p: Positions) -> BestPlay:
        """Return best play of some positions, with its proved value."""
        step = Step.of(p)
        return play_by(p, step, settled(step, p.sense, *solving_order(p)), self.fail)

    def taken(self, policy: str) -> np.ndarray:
        """Return the action of a policy in each state, (S,)."""
        choose, first = preference(policy, self.listing.rules), self.positions.first.tolist()
        return np.array([self.actions.index(choose(state), s) for s, state in zip(first, self.states, strict=False)])

    def cost(self, policy: str) -> Number:
        taken, p, best = self.taken(policy), self.positions, self.best_play
        if self.listing.players == 2:
            return self._wins(best.played, taken)
        play = self.alone(replace(p, first=np.arange(len(p.first)), after=p.after[taken], of=np.arange(len(taken))))
        return self.listing.game.sense * (best.value - play.value), play.bound + best.bound

    def worst(self, policy: str) -> Number:
        return self._wins(None, self.taken(policy))

    def _wins(self, row: np.ndarray | None, column: np.ndarray) -> Number:
        """Return what the row player wins in both seats together. row : its actions, None for a best response."""
        masks = [None if taken is None else np.isin(np.arange(len(self.step.after)), taken) for taken in (row, column)]
        pair = pair_of(self.step, masks, self.fail)
        sense = np.ones(len(pair.first) - 1, np.int8)
        values = settled(pair, sense, *solving_order(pair))
        found, *_ = proved(pair, sense, values, self.fail)
        seats = [at_the_start(pair, values, found.bounds, b) for b in (0, len(self.step.fall))]
        return sum(value for value, _ in seats), sum(error for _, error in seats)


check = _Play.check
