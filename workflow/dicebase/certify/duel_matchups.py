"""Matchups of a duel: every policy is found again from the rules, and every pair of them played again.

What matches of turns and of single throws share; how each finds its policies stands in turns/ and throws/.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.fixed_pair import SMALL, STEPS, Ends, respond, settle
from dicebase.certify.published import Published, check_keys
from dicebase.matches.duel_matchups import BEST_RESPONSE, Matchups

CLOSE = 1e-11  # of what is published to what is found here
PROOF = "policies found and played again: what their equations leave, summed along play; responses bounded above"
LARGEST = 1e-9  # where less is proved of a chance, the certificate is refused


def enclosed(
    worth: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], V: np.ndarray, turns: np.ndarray, e: float, fail: Fail
) -> np.ndarray:
    """Bounds on how wrong chances of best play are, at least e times the turns to come: V -+ these, but for 0 and 1,
    which no chance is beyond, are chances that no turn leads beyond (turns/enclosures.py).

    worth : gives (what the best turn is worth by the opponent's chances, its rounding), by (mover, opponent).
    """
    while e <= 1e-6:
        low, high = np.maximum(V - e * turns, 0.0), np.minimum(V + e * turns, 1.0)
        (above, off), (below, also_off) = worth(low), worth(high)
        inside = (high - above >= off + EPSILON) | (high == 1.0), (below - low >= also_off + EPSILON) | (low == 0.0)
        if np.all(inside):
            return np.maximum(high - V, V - low)
        e *= 1.5
    fail(None, "no enclosure of the values holds")


class Replay(ABC):
    """The policies of a variant, from its rules; chances to win are by the mover's and the other's total."""

    def __init__(self, listing: Matchups, fail: Fail) -> None:
        self.listing, self.fail = listing, fail
        self.unit, self.size, self.wipes = listing.duel.unit_of_points, listing.duel.totals, listing.duel.wipes

    @abstractmethod
    def ends(self, name: str) -> Ends:
        """How the turns of a policy end."""

    @abstractmethod
    def best(self, V: np.ndarray) -> Ends:
        """How the best turns end, by the opponent's chances V."""

    @abstractmethod
    def worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(worth of the best turn by the opponent's chances, its rounding), by (mover, opponent)."""

    def equilibrium(self, ends: Ends | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(V, bounds on how wrong it is): the chances where both play what is best by the chances of the last round,
        from turns that end so, if any are given, until no turn gains more."""
        ends, gap = ends or self.best(np.full((self.size, self.size), 0.5)), np.inf
        for _ in range(STEPS):
            settled, last = settle(ends, ends, self.fail), gap
            # Both are the same chances, but for rounding.
            V = (settled.X + settled.Y) / 2
            gap = self.gap(V)
            if gap <= SMALL or not gap < last:
                break
            ends = self.best(V)
        return V, self.wrong(V, settled.row_turns)

    def gap(self, V: np.ndarray) -> float:
        """The most that chances differ from what one best turn makes of them."""
        return float(np.abs(self.worth(V)[0] - V).max())

    def wrong(self, V: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Bounds on how wrong chances of best play are, in proportion to the turns to come: no turn leads beyond them
        (enclosures.py)."""
        return enclosed(self.worth, V, turns, 4 * EPSILON, self.fail)

    def check(self, published: Published) -> Finding:
        """Every row against policies that were found again."""
        listing, fail = self.listing, self.fail
        plays = {name: self.ends(name) for name in listing.names}
        check_keys(published, listing.pairs(), fail)
        worst = bound = 0.0

        def row_is(row: str, column: str, first: str, chance: float, error: float) -> None:
            nonlocal worst, bound
            given = published.value_of[row, column, first]
            if not error <= LARGEST:
                unsure = f"decisions or roundings that cannot be told leave it uncertain by {error:.3g}"
                fail((row, column, first), unsure)
            if not abs(given - chance) <= CLOSE + error:
                fail((row, column, first), f"the probability is {given!r}, played again it is {chance!r}")
            worst = max(worst, abs(given - chance))
            bound = max(bound, abs(given - chance) + error)

        for number, column in enumerate(listing.names):
            for row in listing.names[number:]:
                found = settle(plays[row], plays[column], fail)
                X, Y = float(found.X[0, 0]), float(found.Y[0, 0])
                row_is(row, column, "row", X, found.errors[0])
                row_is(row, column, "column", 1.0 - Y, found.errors[1])
                row_is(column, row, "row", Y, found.errors[1])
                row_is(column, row, "column", 1.0 - X, found.errors[0])
            found = respond(plays[column], self.best, self.worth, fail)
            row_is(BEST_RESPONSE, column, "row", float(found.X[0, 0]), found.errors[0])
            row_is(BEST_RESPONSE, column, "column", 1.0 - float(found.Y[0, 0]), found.errors[1])
        value = published.value_of[BEST_RESPONSE, listing.names[0], "row"]
        return Finding(value, bound, bound, worst, PROOF)
