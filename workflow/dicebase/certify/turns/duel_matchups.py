"""Matchups of a duel of turns: every policy is found again from the rules, and every pair of them played again.

The policies are those that the match format states. `optimal` follows chances found here by policy iteration and
enclosed by sub- and super-solutions; `minimise_turns` follows expected turns found here and bounded by their residuals;
`maximise_turn` is decided in rationals. Where two of their decisions differ by so nearly 1e-12 that doubles cannot
tell on which side of it, the turn may go either way, and the bound says what that can cost.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.fixed_pair import SMALL, STEPS, Ends, Settled, respond, settle
from dicebase.certify.published import Published
from dicebase.certify.turns.around import Duel
from dicebase.certify.turns.decided import Decided, ends_of
from dicebase.certify.turns.enclosures import bound_duel, turns_to_come
from dicebase.certify.turns.kernel import Turns, play
from dicebase.certify.turns.most_points import most_points
from dicebase.certify.turns.race_policy import decided, fewest_turns
from dicebase.matches.duel_matchups import (
    BEST_RESPONSE,
    MAXIMISE_TURN,
    MINIMISE_TURNS,
    OPTIMAL,
    Matchups,
    MatchupsOfTurns,
)
from dicebase.vocabulary.ranking import TIE

CLOSE = 1e-11  # of what is published to what is found here
LARGEST = 1e-9  # where less is proved of a chance, the certificate is refused


simulated = unplayed


def check(listing: MatchupsOfTurns, published: Published, exact: Fraction | None, fail: Fail) -> Finding:
    """Compute every chance again."""
    again = Replay(listing, fail)
    plays = {name: again.ends(name) for name in listing.names}
    return compare(listing, published, plays, again.respond, fail)


def compare(
    listing: Matchups,
    published: Published,
    plays: dict[str, Ends],
    response: Callable[[Ends], Settled],
    fail: Fail,
) -> Finding:
    """Every row against policies that were found again."""
    pairs = listing.pairs()
    if odd := set(pairs) ^ published.values.keys():
        fail(min(odd), "is missing" if min(odd) in pairs else "is not part of the table")
    worst = bound = 0.0

    def row_is(row: str, column: str, first: str, chance: float, error: float) -> None:
        nonlocal worst, bound
        given = published.values[row, column, first]
        if not error <= LARGEST:
            fail((row, column, first), f"decisions or roundings that cannot be told leave it uncertain by {error:.3g}")
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
        found = response(plays[column])
        row_is(BEST_RESPONSE, column, "row", float(found.X[0, 0]), found.errors[0])
        row_is(BEST_RESPONSE, column, "column", 1.0 - float(found.Y[0, 0]), found.errors[1])
    proof = "policies found and played again: what their equations leave, summed along play; responses bounded above"
    value = published.values[BEST_RESPONSE, listing.names[0], "row"]
    return Finding(value, bound, bound, worst, proof)


class Replay:
    """The policies of a variant, from its rules."""

    def __init__(self, listing: MatchupsOfTurns, fail: Fail) -> None:
        self.listing, self.fail = listing, fail
        self.unit, self.size = listing.duel.unit_of_points, listing.duel.totals
        self.turns = Turns(listing.rules, self.unit, together=True)
        self.around = Duel(self.size, 0)

    def ends(self, name: str) -> Ends:
        """How the turns of a policy end."""
        decide = {OPTIMAL: self._optimal, MINIMISE_TURNS: self._fewest, MAXIMISE_TURN: self._most_points}.get(name)
        return ends_of(self.turns, self.size, decide() if decide else self._stated(name))

    def _stated(self, name: str) -> Callable[[int], Decided]:
        listing, unit, modes = self.listing, self.unit, len(self.turns.modes)
        opponents = range(0, listing.target, unit) if listing.looks_at_both(name) else [0]

        def decide(me: int) -> Decided:
            total = np.arange(self.size - me, dtype=float)
            stop = np.broadcast_to(total[:, np.newaxis], (len(opponents), len(total), modes)).copy()
            roll = np.full_like(stop, -np.inf)
            for i, opponent in enumerate(opponents):
                below = total * unit < listing.holds_at(name, me * unit, opponent)
                roll[i, below] = stop[i, below] + 0.5  # on, and yet not before what gains more
            return Decided(roll, stop, 0.0, np.zeros(len(roll)))

        return decide

    def _most_points(self) -> Callable[[int], Decided]:
        roll, stop = most_points(self.listing.rules, self.unit, self.size)
        return lambda me: Decided(roll[None, : self.size - me], stop[None, : self.size - me], 0.0, np.zeros(1))

    def _greedy(self, V: np.ndarray, tie: float = 0.0, wrong: np.ndarray | None = None) -> Callable[[int], Decided]:
        """What is best by the opponent's chances V, each wrong by so much."""

        def decide(me: int) -> Decided:
            worth = self.around.after(V, me)
            roll, error, _, _ = play(self.turns, worth, 1)
            stop = np.repeat(worth[0][..., np.newaxis], roll.shape[2], axis=2)
            if wrong is None:
                return Decided(roll, stop, tie, np.zeros(len(roll)))
            # A turn leads to totals from here on, or to none.
            most = np.maximum(wrong[:, me:].max(axis=1), wrong[:, 0] if self.listing.duel.wipes else 0.0)
            return Decided(roll, stop, tie, 2 * (most + error.max(axis=(1, 2)) + EPSILON))

        return decide

    def _optimal(self) -> Callable[[int], Decided]:
        """Both play the best turn by the chances of the last round, until these stay."""
        V = np.full((self.size, self.size), 0.5)
        for _ in range(STEPS):
            ends = ends_of(self.turns, self.size, self._greedy(V))
            settled = settle(ends, ends, self.fail)
            # Both are the same chances, but for rounding.
            before, V = V, (settled.X + settled.Y) / 2
            if np.abs(V - before).max() <= SMALL:
                break
        self.around.values = V.ravel()
        worth, rounding = self.worth(V)
        residual = float((np.abs(V - worth) + rounding).max())
        to_come = turns_to_come(self.turns, V, self.listing.duel.wipes)
        bound, _ = bound_duel(self.turns, self.around, to_come, residual, self.fail)
        # Its shape is that of the turns to come, and it is proved as such.
        return self._greedy(V, TIE, bound * to_come / to_come.max() + EPSILON)

    def worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(worth of the best turn by the opponent's chances, its rounding), by (mover, opponent)."""
        found = [play(self.turns, self.around.after(V, me), 1)[:2] for me in range(self.size)]
        return tuple(np.array([part[k][:, 0, 0] for part in found]) for k in range(2))

    def respond(self, column: Ends) -> Settled:
        """The best response to a policy."""
        return respond(column, lambda V: ends_of(self.turns, self.size, self._greedy(V)), self.worth, self.fail)

    def _fewest(self) -> Callable[[int], Decided]:
        """The fewest turns to the target, by expected turns found in the longest doubles."""
        R, wrong = fewest_turns(self.turns, self.size, self._stated("hold_at_1"), self.fail)
        return decided(self.turns, R, TIE, 2 * (wrong + EPSILON * float(R.max() + 1)))
