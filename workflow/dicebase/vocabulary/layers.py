"""Compiled rules: numbered positions of a board that is too large to enumerate, defined in a file beside its rules.

A position here is one before a throw: an afterstate of the rules. Each outcome of the dice lets one player choose a
move, which leads to another position or to an end of play. If pieces leave the board for good, play passes from layer
to layer and never comes back; positions on a cycle share a layer. Positions of a layer are numbered from 0 without
gaps, and formulas convert between position and number, so nothing is searched or stored.

The rules stay the reference: wherever compiled rules are used, they are compared with the rules position by position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.listing import State
from dicebase.vocabulary.rules.boards import CompiledBoard

if TYPE_CHECKING:
    import numpy as np

AT_ONCE = 1 << 15  # positions per part
KEPT = 1 << 29  # moves of a layer that stay in memory; further ones are generated again for each sweep


class Moves(NamedTuple):
    """All moves in n successive positions of a layer, by outcome of the dice.

    begin : (n * outcomes + 1,), CSR offsets: the moves after outcome i in the p-th of the positions are
        begin[p * outcomes + i] to begin[p * outcomes + i + 1]. An outcome that can occur has a move.
    to : int32, the position that each move leads to if the same player owns it, or ~position if the opponent does.
        Positions are numbered through this layer, then the layers ahead in order, then the ends of play.
    earned : float64, the reward of each move to the player who makes it; None if there is none.
    dice : (n,) uint8, the row of `Compiled.dice` that each position throws; None if this is the first row.
    """

    begin: np.ndarray
    to: np.ndarray
    earned: np.ndarray | None = None
    dice: np.ndarray | None = None


class Layers(ABC):
    """The compiled rules of a board, given its rules."""

    # Rows of integer weights of the outcomes of the dice, all of one length; 0 if an outcome cannot occur, negative if
    # the opponent of the position's owner chooses the move after it.
    dice: Sequence[Sequence[int]]
    ends: Sequence[float] = (0,)  # value of each end of play to the owner of the position; integers or halves

    @abstractmethod
    def __init__(self, rules: CompiledBoard) -> None: ...

    @abstractmethod
    def moves(self, layer: str, first: int, end: int) -> Moves:
        """All moves of positions first to end - 1 of a layer."""

    @abstractmethod
    def columns(self, layer: str, first: int, end: int) -> tuple[np.ndarray, ...]:
        """Positions first to end - 1, one array per column of `numbered`; texts are fixed-width bytes."""

    @abstractmethod
    def afterstate(self, layer: str, number: int) -> Hashable:
        """A position as an afterstate of the rules."""

    @abstractmethod
    def number(self, afterstate: Hashable) -> tuple[str, int, bool]:
        """(layer, number, whether the opponent of the player who moved owns the position) of an afterstate."""

    @abstractmethod
    def has(self, state: State) -> bool:
        """Whether a tuple is a state of these layers."""


class Parts:
    """The moves of a layer in parts. Iteration yields (number of the first position, its Moves with all four arrays),
    from the last part to the first."""

    def __init__(self, layers: Layers, layer: str, sense: int = 1) -> None:
        self.layers, self.layer, self.sense = layers, layer, sense
        self.room, self.kept = KEPT, {}

    def __iter__(self) -> Iterator[tuple[int, Moves]]:
        size = self.layers.rules.size(self.layer)
        for first in reversed(range(0, size, AT_ONCE)):
            yield first, self.kept.get(first) or self._made(first, min(size, first + AT_ONCE))

    def _made(self, first: int, end: int) -> Moves:
        import numpy as np

        begin, to, earned, dice = self.layers.moves(self.layer, first, end)
        if len(begin) != (end - first) * len(self.layers.dice[0]) + 1:
            raise ConfigurationError(f"layer {self.layer}: moves({first}, {end}) has {len(begin)} offsets")
        made = Moves(
            begin,
            to,
            np.empty(0) if earned is None else self.sense * earned,
            np.zeros(end - first, np.uint8) if dice is None else dice,
        )
        if len(to) <= self.room:
            # Copies, because the arrays may be views of larger ones.
            self.kept[first], self.room = Moves(*(part.copy() for part in made)), self.room - len(to)
        return made
