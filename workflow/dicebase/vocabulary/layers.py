"""Numbered positions of a board by layers. A game that is too large to enumerate defines them beside its rules.

A position here is a position before the mover's throw: an afterstate of the rules whose outcomes have no reward and
change no roles. Pieces that have left the board do not return, so play passes from layer to layer and never comes back;
positions on a cycle share a layer. Positions of a layer are numbered from 0 without gaps, and formulas convert between
position and number, so nothing is searched or stored.

The rules stay the reference: wherever compiled rules are used, they are compared with the rules position by position.
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
    """All moves in the positions of a layer, by outcome of the dice.

    begin : (positions * falls + 1,), CSR offsets: the moves after fall f in position p are
        begin[p * falls + f] to begin[p * falls + f + 1], in the order of the rules.
    to : the position that each move leads to if the mover throws again, or ~position if the opponent throws. Positions
        are numbered through this layer, then the layers ahead in order; the last number is the end, in which the player
        who would throw has lost.
    """

    begin: np.ndarray
    to: np.ndarray


class Layers(ABC):
    """The layers of a board, given its rules."""

    weights: tuple[int, ...]  # of the outcomes of the dice, equal in all positions

    @abstractmethod
    def __init__(self, rules: LayeredBoard) -> None: ...

    @abstractmethod
    def moves(self, layer: str) -> Moves:
        """All moves of a layer; play begins in position 0 of the last layer."""

    @abstractmethod
    def columns(self, layer: str, first: int, end: int) -> tuple[np.ndarray, ...]:
        """Positions first to end - 1, one array per column except those in `fallen`; texts are fixed-width bytes."""

    @abstractmethod
    def afterstate(self, layer: str, number: int) -> Hashable:
        """A position as an afterstate of the rules."""

    @abstractmethod
    def number(self, state: State) -> tuple[str, int]:
        """The (layer, number) of the position in which a state's dice were thrown."""

    @abstractmethod
    def has(self, state: State) -> bool:
        """Whether a tuple is a state of these layers."""
