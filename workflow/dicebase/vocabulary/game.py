"""A game: the mover, the afterstate that an action leads to, and the outcomes of the dice.

Every game here is a finite zero-sum stochastic game with integer-weighted chance (Shapley 1953). Markov decision
processes, optimal stopping and games by turns only restrict who controls a state.

    state --action--> afterstate --dice, with weight w--> state, or the end, with a reward

The value of a state is the expected sum of rewards to MAX if both sides play optimally. If players alternate in
positions that look alike, a state describes the mover's view (MAX), and Outcome.sign = -1 marks a change of roles.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from dicebase.vocabulary.listing import Column, Layout, Listing, State


class Controller(Enum):
    """The player who chooses in a state."""

    MAX = "max"
    MIN = "min"
    BOTH = "both"  # simultaneously


class Outcome(NamedTuple):
    """One way the dice can fall."""

    weight: int  # divided by the sum of the afterstate's weights, it is the probability
    state: State | None  # None: play is over; rules of a board may also give an After
    reward: int | Fraction = 0  # to MAX, on the way
    sign: int = 1  # -1: the players change roles, and the next state's value counts against MAX


class Game(Listing, ABC):
    """Rules and an objective: all that a solver, a certifier or a simulation knows of a game."""

    layout = Layout.DECISIONS
    hides: bool = False  # whether players see only a part of the position
    record_columns: tuple[Column, ...] = ()  # of a player's progress to a target, without the current turn
    certified_by = "decisions"
    # The reward of play that never ends, to the mover of every position that it returns to; None: it is refused.
    unending: int | Fraction | None = None

    @abstractmethod
    def start(self) -> Hashable:
        """The afterstate before the first decision."""

    def starts(self) -> Iterable[Hashable]:
        """The afterstates from which the table's states are reachable; `start` is one of them."""
        return (self.start(),)

    def row(self, state: State) -> State:
        """The row of a state: the state itself, or with hidden information the part that the mover sees."""
        return state

    def listed(self, state: State) -> bool:
        """Whether a state is a row of the table; the values of unlisted states follow from those of listed ones."""
        return True

    def controller(self, state: State) -> Controller:
        """The player who moves. With one player, or two who change roles, it is the player whose value is given."""
        return Controller.MAX if self.sense > 0 else Controller.MIN

    @abstractmethod
    def actions(self, state: State) -> Sequence[str]:
        """The legal actions, at least one; if several are optimal, the policy takes the first. With simultaneous
        choice, both players have these actions."""

    @abstractmethod
    def afterstate(self, state: State, action: str | tuple[str, str]) -> Hashable:
        """The position after an action, before the dice fall; with simultaneous choice `action` is (MAX's, MIN's)."""

    @abstractmethod
    def outcomes(self, afterstate: Hashable) -> Iterable[Outcome]:
        """The outcomes of the dice; weights are positive integers."""

    @property
    def tuples(self) -> Callable[[Hashable], Iterable[tuple]]:
        """`outcomes`, possibly as plain tuples of the four fields, which are faster for millions of calls."""
        return self.outcomes

    def falls(self, afterstate: Hashable) -> Sequence[str]:
        """The dice of each outcome as people write them; empty if there are none."""
        return ()
