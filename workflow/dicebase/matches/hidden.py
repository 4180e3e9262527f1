"""Both players throw at once, and neither sees the other; who reaches the target first wins."""

from dataclasses import dataclass

from dicebase.matches.targets import OfThrows
from dicebase.vocabulary import Column, Layout, Listing, State, Throw, parameter, worth


@dataclass(frozen=True)
class HiddenRace(OfThrows, Listing):
    """Unseen throws to a target (variant 4 of section 5 of Tijms & van der Wal for Hog).

    The paper leaves open what happens if nobody ever gets to the target.
    """

    rules: Throw
    target: int = parameter(40, "points that end the match", low=1, high=200)
    horizon: int = parameter(60, "throws after which the match is a draw", low=1, high=500)

    rules_of_play = (
        "Each player sees the own throws, and that the match is still on. The match is over when a player has the "
        "target; the larger total wins then, and equal totals are a draw. After `horizon` throws it is a draw as well."
    )
    layout = Layout.DECISIONS
    value = worth(
        "best expected P(win) - P(lose), the match still being on, against an opponent who follows the table's mix",
        "P(win) - P(lose)",
    )
    columns = (
        Column("throw", int, "number of the throw about to be made, from 1"),
        Column("score", int, "own points so far", "points"),
    )
    action_unit = "dice"
    note = "the error bound is the exploitability: no plan whatever gains more against the table's mix"

    def why_missing(self, state: State) -> str:
        throw, score = state
        if not 1 <= throw <= self.horizon:
            return f"throw is from 1 to {self.horizon}"
        if not 0 <= score < self.target:
            return f"score is from 0, less than the target of {self.target}"
        return "the table's mix never leads there"


FORMATS = {Throw: HiddenRace}
