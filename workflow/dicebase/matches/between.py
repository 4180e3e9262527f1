"""What happens between turns, for the match formats: a format says what a bank, a bust and a wipe lead to, and no more.

A match is a record of points between turns (what is banked, who leads, how many turns are left). A state is the
record and the position inside the turn: nothing for a game of single throws, the turn total (and the dice in the
hand, where the hand changes) elsewhere.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator

from dicebase.matches.targets import ToTarget
from dicebase.vocabulary.game import Game
from dicebase.vocabulary.listing import State

Record = tuple[int, ...]


class Between(ToTarget, Game):
    """What a match format adds: the record between turns. It is a mixin with one of the two classes below."""

    format: str  # race, reach or duel
    limit: int = 0  # the turns that the match has; 0: as many as it takes

    @abstractmethod
    def records(self) -> Iterable[Record]:
        """Every record at the start of a turn, in rising order; the table lists all of them."""

    @abstractmethod
    def first(self) -> Record:
        """The record play begins with."""

    @abstractmethod
    def to_go(self, record: Record) -> int:
        """The points that end the match."""

    @abstractmethod
    def after_bank(self, record: Record, points: int) -> tuple[Record | None, int, int]:
        """(next record or None, reward, sign) when this turn adds so many points; see Outcome."""

    @abstractmethod
    def after_bust(self, record: Record) -> tuple[Record | None, int, int]:
        """The same when this turn adds nothing."""

    @abstractmethod
    def after_wipe(self, record: Record) -> tuple[Record | None, int, int]:
        """The same when all points of the mover are lost."""

    @abstractmethod
    def reachable(self, record: Record) -> bool:
        """Whether a match from no points can come to a record."""

    @abstractmethod
    def layer_of(self, record: Record) -> int:
        """Never decreases from turn to turn."""

    @abstractmethod
    def why_no_record(self, record: Record) -> str:
        """Why there is no such record."""

    @property
    def points_text(self) -> str:
        """What a number of banked points is, in words."""
        multiple = f"a multiple of {self.unit_of_points}" if self.unit_of_points > 1 else "a whole number"
        return f"{multiple} from 0"

    def start(self) -> Hashable:
        return ("begin", self.first())

    def starts(self) -> Iterator[Hashable]:
        for record in self.records():
            yield ("begin", record)

    def layer(self, state: State) -> int:
        return self.layer_of(state[: len(self.record_columns)])
