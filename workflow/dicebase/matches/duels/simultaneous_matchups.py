"""Policies of the one-person games in the simultaneous race: the value of each pair, and the best response to each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from dicebase.matches.turns.race import RaceOfThrows
from dicebase.matches.turns.reach import ReachOfThrows
from dicebase.matches.turns.targets import ThrowTotals
from dicebase.matches.turns.turn import BestThrow
from dicebase.vocabulary import Column, Game, Layout, Listing, State, Throw, parameter, value_column


@dataclass(frozen=True)
class SimultaneousMatchups(ThrowTotals, Listing):
    """One-person policies against each other, and best responses (variant 1 of section 5 of Tijms & van der Wal).

    `race` plays to reach the target in the fewest throws, `reach` to reach it with the greatest probability within
    `throws` throws from the start, and `turn` to score the most points with one throw. Ties go to the fewest dice. The
    paper does not say what `reach` does after its last throw; here it continues as `race`. `best_response` knows the
    other policy, both totals and the number of throws made.
    """

    rules: Throw
    target: int = parameter(40, "points that end the match", low=1, high=1000)
    throws: int = parameter(6, "L: number of throws that `reach` plans for", low=1, high=100)

    layout = Layout.PAIRS
    value = value_column("probability that the row policy wins minus that it loses, from 0 points", "P(win) - P(lose)")
    policies: ClassVar[tuple[str, ...]] = ("race", "reach", "turn")
    columns = (
        Column("row_policy", str, "best_response, race, reach or turn"),
        Column("column_policy", str, "race, reach or turn"),
    )
    places = (
        Column("throws_made", int, "throws made by each player; the last number stands for all larger ones"),
        Column("me", int, "points of the player with `policy`", "points"),
        Column("opponent", int, "points of the other player", "points"),
    )
    note = "the value of the table is that of the best response to race"

    def pairs(self) -> list[tuple[str, str]]:
        """The rows (row policy, column policy), in order."""
        return [(row, column) for row in ("best_response", *self.policies) for column in self.policies]

    def plans(self, best: Callable[[Game], list[int]]) -> dict[str, list[list[int]]]:
        """The indices in `choices` of each policy's throws, (throws + 1, totals), by throws made and own total. `best`
        returns the index of the first best action in each position of a game of one player, in sorted order."""
        left, size = range(self.throws, 0, -1), self.totals
        race = best(RaceOfThrows(self.rules, self.target))
        reach = best(ReachOfThrows(self.rules, self.target, self.throws))
        return {
            "race": [race] * (self.throws + 1),
            "reach": [*(reach[(n - 1) * size : n * size] for n in left), race],
            "turn": [best(BestThrow(self.rules)) * size] * (self.throws + 1),
        }

    def why_missing(self, state: State) -> str:
        known = ", ".join(self.policies)
        return f"row_policy must be best_response or one of {known}; column_policy must be one of the latter"


FORMATS = {Throw: SimultaneousMatchups}
