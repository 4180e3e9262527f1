"""A race of two players who throw at once and do not see each other; the first to reach the target wins."""

from dataclasses import dataclass

from dicebase.matches.turns.targets import ThrowTotals
from dicebase.vocabulary import Column, Layout, Listing, State, Throw, parameter, value_column


@dataclass(frozen=True)
class HiddenRace(ThrowTotals, Listing):
    """Unseen throws to a target (variant 4 of section 5 of Tijms & van der Wal for Hog).

    The paper does not say what happens if no player ever reaches the target; here it is a draw after `horizon` throws.
    """

    rules: Throw
    target: int = parameter(40, "points that end the match", low=1, high=200)
    horizon: int = parameter(60, "throws after which the match is a draw", low=1, high=500)

    rules_of_play = (
        "Each player sees only their own throws, and that the match is still on. The match ends when a player has "
        "reached the target; the larger total then wins, and equal totals are a draw. It is also a draw after "
        "`horizon` throws."
    )
    layout = Layout.DECISIONS
    value = value_column(
        "best expected P(win) - P(lose), given that the match is still on, against the table's mix", "P(win) - P(lose)"
    )
    columns = (
        Column("throw", int, "number of the throw about to be made, from 1"),
        Column("score", int, "own points so far", "points"),
    )
    action_unit = "dice"
    note = "the error bound is the exploitability: no strategy gains more against the table's mix"

    def why_missing(self, state: State) -> str:
        throw, score = state
        if not 1 <= throw <= self.horizon:
            return f"throw must be from 1 to {self.horizon}"
        if not 0 <= score < self.target:
            return f"score must be at least 0 and less than the target of {self.target}"
        return "the table's mix never reaches this position"


FORMATS = {Throw: HiddenRace}
