"""Matches whose records say more than how far each player is from the target: what their turns lead to, as arrays."""

from functools import cached_property

import numpy as np

from dicebase.matches.by_turns import ByTurns
from dicebase.solve.turns.between import Stakes, solve_between
from dicebase.solve.turns.compiled import CompiledTurn
from dicebase.vocabulary.progress import reporter


class Between:
    """The records of such a match, by number, in the order of the table; totals of a turn count units."""

    def __init__(self, game: ByTurns, turn: CompiledTurn) -> None:
        self.game, self.turn = game, turn
        self.records = np.array(list(game.records())).T
        self.rows = np.arange(int(self.need.max()) + game.past // turn.unit)[:, np.newaxis]

    @cached_property
    def need(self) -> np.ndarray:
        """The units that end the turns."""
        return -(-self.game.to_go(self.records) // self.turn.unit)

    @cached_property
    def values(self) -> np.ndarray:
        """The values between turns."""
        points = [i for i, c in enumerate(self.game.record_columns) if c.unit == "points"]
        later = -self.records[points].sum(axis=0)
        # Turns run out, or points add up.
        order = np.lexsort((later,) if not self.game.limit else (later, self.records[0]))
        key = self.records[0] if self.game.limit else later
        groups = np.split(order, np.flatnonzero(np.diff(key[order])) + 1)
        return solve_between(self.turn, groups, self.stakes, self.game.sense, reporter("record"))

    def stakes(self, values: np.ndarray, which: np.ndarray) -> Stakes:
        """What the turns of some records lead to, by all values."""
        game, unit = self.game, self.turn.unit
        record, need = self.records[:, which], self.need[which]
        totals, mine = self.rows[: need.max() + game.past // unit], record[game.mine]
        known = np.append(values, 0.0)  # where no turn is left there is nothing more

        def worth(points: np.ndarray, bust: bool = False) -> np.ndarray:
            won, lost, following = game.ended(record, points, bust)
            number, there = 0, ~(won | lost)
            for x, numbers in zip(following, game.ranges, strict=True):
                at = (x - numbers.start) // numbers.step
                number, there = number * len(numbers) + at, there & (at >= 0) & (at < len(numbers))
            return np.where(won, 1.0, np.where(lost, 0.0, game.reward + game.sign * known[np.where(there, number, -1)]))

        bank = worth(mine + totals * unit)
        least = np.where(mine == 0, *(-(-game.rules.least_bank(banked) // unit) for banked in (0, 1)))
        bank[(totals > 0) & (totals < np.minimum(least, need))] = -np.inf * game.sense
        return bank, need, worth(mine, True), worth(np.zeros_like(mine))
