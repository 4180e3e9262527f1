"""What happens between turns, for the match formats: a format says what the points after a turn lead to, and no more.

A match is a record of points between turns (what is banked, who leads, how many turns are left). A state is the
record and the position inside the turn: nothing for a game of single throws, the turn total (and the dice in the
hand, where the hand changes) elsewhere.
"""

from abc import abstractmethod
from functools import cached_property

from dicebase.matches.targets import Record, ToTarget
from dicebase.vocabulary.game import Controller, Game
from dicebase.vocabulary.listing import State
from dicebase.vocabulary.turns import Loss

After = tuple[Record | None, int, int]
"""(next record or None, reward, sign); see Outcome."""


class Between(ToTarget, Game):
    """What a match format adds: the record between turns. It is a mixin with ByTurns or ByThrows."""

    @abstractmethod
    def after(self, record: Record, points: int) -> After:
        """What follows when the mover of a record has so many points after the turn."""

    @cached_property
    def mine(self) -> int:
        """The place of the mover's points in a record."""
        return [c.unit for c in self.record_columns].index("points")

    def to_go(self, record: Record) -> int:
        """The points that end the match."""
        return self.target - record[self.mine]

    def after_turn(self, record: Record, gain: int | Loss) -> After:
        """What follows when this turn adds so many points, or is lost."""
        if isinstance(gain, Loss):
            return self.after(record, record[self.mine] if gain is Loss.BUST else 0)
        return self.after(record, record[self.mine] + gain)

    def controller(self, state: State) -> Controller:
        return Controller.MAX if self.sense > 0 else Controller.MIN

    def layer(self, state: State) -> int:
        return self.layer_of(state[: len(self.record_columns)])

    def layer_of(self, record: Record) -> int:
        """Never decreases from turn to turn."""
        return 0 if self.wipes else sum(record)
