"""What a game is: who moves, what follows, and how the dice can fall.

Every game here is a finite zero-sum stochastic game with integer-weighted chance (Shapley 1953). A Markov decision
process, an optimal-stopping problem and a game by turns only restrict who controls a state.

    state --action--> afterstate --the dice fall, weight w--> state, or the end, with a reward

The value of a state is the expected sum of rewards to MAX under best play by both sides. Where players take turns in
positions that look alike, states are seen by the mover, who is MAX: Outcome.sign says where the other one moves on.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from dicebase.vocabulary.listing import Column, Layout, Listing, State


class Controller(Enum):
    """Who chooses in a state."""

    MAX = "max"
    MIN = "min"
    BOTH = "both"  # at once, neither seeing the other's choice


class Outcome(NamedTuple):
    """One way the dice can fall."""

    weight: int  # probability times the sum of the weights of the afterstate
    state: State | None  # None: play is over
    reward: int | Fraction = 0  # paid to MAX on the way
    sign: int = 1  # -1: the players change roles, and what the next state is worth counts against MAX


class Game(Listing, ABC):
    """Rules and an objective: everything a solver, a certifier or a simulation may know of a game."""

    layout = Layout.DECISIONS
    record_columns: tuple[Column, ...] = ()  # of a player's way to a target, before what happens inside a turn
    certified_by = "decisions"

    @abstractmethod
    def start(self) -> Hashable:
        """The afterstate play begins in: what is on the table before anything is decided."""

    def starts(self) -> Iterable[Hashable]:
        """The afterstates from which the table's states are those that play can reach; `start` is one of them."""
        return (self.start(),)

    def listed(self, state: State) -> bool:
        """Whether a state is a row of the table; others, decided in passing, follow from those that are."""
        return True

    def controller(self, state: State) -> Controller:
        """Who moves: of one player, and of two who change roles, the one for whom values are."""
        return Controller.MAX if self.sense > 0 else Controller.MIN

    @abstractmethod
    def actions(self, state: State) -> Sequence[str]:
        """The legal actions, never empty; of equally good ones a policy takes the first. Where both choose at once they
        are those of either."""

    @abstractmethod
    def afterstate(self, state: State, action: str | tuple[str, str]) -> Hashable:
        """What lies on the table when the action is done and the dice have not fallen; where both choose at once
        `action` is (MAX's, MIN's)."""

    @abstractmethod
    def outcomes(self, afterstate: Hashable) -> Iterable[Outcome]:
        """How the dice can fall; the weights are positive integers."""

    @property
    def tuples(self) -> Callable[[Hashable], Iterable[tuple]]:
        """`outcomes`, for which plain tuples of the same four may stand: who asks millions of times does not care."""
        return self.outcomes

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        """What falls in each of `outcomes`, as people write it down; nothing where no dice do."""
        return ()
