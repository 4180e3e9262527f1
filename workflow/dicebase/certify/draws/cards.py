"""Certify ranked lists of holds: recompute each cost in integers, from the policy as text.

The solver adds up groups of hands; here each hand takes the first line of the policy that one of its holds satisfies.
"""

from functools import cached_property

import numpy as np

from dicebase.certify.card_claims import Claims, Number
from dicebase.certify.draws.recount import Recount
from dicebase.certify.finding import Fail
from dicebase.matches.deals.hold_cards import HOLD, HoldCards
from dicebase.matches.deals.lines import Line, read_lines
from dicebase.vocabulary.dice_and_cards.hand_classes import held_features
from dicebase.vocabulary.rules.draws import HELD_FEATURES


class _Play(Claims):
    """The hands of a game, and what policies lose in them."""

    proof = "the list and best play in integers; the search for better lists is not repeated"
    better = "the list is not the best: '{words}' costs"

    def __init__(self, listing: HoldCards, fail: Fail) -> None:
        super().__init__(listing, fail)
        again = Recount(listing.rules, fail)
        self.deals, self.games, self.common = again.deals, again.games, again.classes.common
        self.values, self.kept = again.values, again.kept
        table = np.stack([*held_features(again.classes, again.paid[again.classes.hands]).values()], axis=1)
        self.kinds, self.kind = np.unique(table, axis=0, return_inverse=True)
        self.known: dict[str, np.ndarray] = {}

    # Quotients of integers are rounded once, so published numbers must be the same.

    def cost(self, policy: str) -> Number:
        return int(self.losses(policy) @ self.deals) / self.games, 0.0

    def worst(self, policy: str) -> Number:
        return int(self.losses(policy).max()) / self.common, 0.0

    @cached_property
    def most(self) -> np.ndarray:
        """The value of each hand's best hold times `common`, (hands,)."""
        return self.values.max(axis=1)

    def least(self, line: Line) -> np.ndarray:
        """Return the least value of the holds that satisfy a condition, -1 if there is none, (hands,)."""
        _, condition, holds = line
        if condition not in self.known:
            satisfied = np.array([bool(holds(*kind)) for kind in self.kinds.tolist()])[self.kind]
            least = np.where(satisfied[self.kept], self.values, np.iinfo(np.int64).max).min(axis=1)
            self.known[condition] = np.where(least < np.iinfo(np.int64).max, least, -1)
        return self.known[condition]

    def losses(self, policy: str) -> np.ndarray:
        """Return what each hand loses compared with its best hold, times `common`, (hands,)."""
        taken = self.values[:, 0]
        for line in reversed(read_lines(policy, [HOLD], HELD_FEATURES)):
            least = self.least(line)
            taken = np.where(least >= 0, least, taken)
        return self.most - taken


check = _Play.check
