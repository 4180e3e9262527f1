"""The positions of a board by layers and numbers: what a game that is too large to be enumerated says beside its rules.

A position here is what lies before the mover who is about to throw: an afterstate of the rules whose outcomes pay
nothing and change no roles. Pieces that are off the board do not come back, so that play passes from layer to layer and
never returns; positions that lead to one another are of one layer. Within a layer they are numbered from 0 without
gaps. A number is made from the position, and the position from the number: nothing is searched or stored.

Rules stay what is read: compiled ones are compared with them, position by position, wherever they are used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from dicebase.vocabulary.boards import LayeredBoard
from dicebase.vocabulary.listing import State

if TYPE_CHECKING:
    import numpy as np


class Moves(NamedTuple):
    """What can be done in all positions of a layer, fall by fall.

    begin : (positions * falls + 1,), of fall f in position p the moves are begin[p * falls + f] up to the next one, in
    the order of the rules.
    to : the position that each leads to, if the mover throws again; ~to, if the other one throws there. Positions are
    those of the layer by number, then those of the layers ahead in order, and last the end, in which a player has lost
    who would have to throw.
    """

    begin: np.ndarray
    to: np.ndarray


class Layers(ABC):
    """The layers of a board, of which the rules are given."""

    weights: tuple[int, ...]  # of the falls of the dice, the same in every position

    @abstractmethod
    def __init__(self, rules: LayeredBoard) -> None: ...

    @abstractmethod
    def moves(self, layer: str) -> Moves:
        """All moves of a layer; play begins in number 0 of the last one."""

    @abstractmethod
    def columns(self, layer: str, first: int, end: int) -> tuple[np.ndarray, ...]:
        """The positions of these numbers, a column each but those that fall; texts as bytes of equal length."""

    @abstractmethod
    def afterstate(self, layer: str, number: int) -> Hashable:
        """A position as the rules have it."""

    @abstractmethod
    def number(self, state: State) -> tuple[str, int]:
        """(layer, number) of the position that a state was before its dice fell."""

    @abstractmethod
    def has(self, state: State) -> bool:
        """Whether a state is one of the falls of the dice in a position of these layers, whatever it is."""
