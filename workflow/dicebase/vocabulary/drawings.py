"""Drawings of positions.

A drawing is data that tells the command line and the explorer how to show a column of the position: as dice, cards,
tiles, squares, piles, pieces or a place on a scale. The explorer points out an action on the parts that its words name:
tiles, piles and squares by number, or pieces by character.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Dice(NamedTuple):
    """Draw a column of digits as the faces of dice, or a number as one die; any other text means: not yet thrown."""

    column: str
    covered: bool = False  # whether the opponent has such dice too, which the mover does not see


class Cards(NamedTuple):
    """Draw a column as cards, with spaces in between: ranks or numbers, with or without a suit; - means: no card."""

    column: str
    covered: bool = False  # whether the opponent has such cards too, which the mover does not see


class Tiles(NamedTuple):
    """Draw a column of text as tiles: a tile is up if its label occurs in the text."""

    column: str
    labels: str  # one character per tile


class Squares(NamedTuple):
    """Draw a column of text as a board: character i describes the square at places[i]."""

    column: str
    places: tuple[tuple[int, int], ...]  # (column, row) from the upper left corner
    pieces: Mapping[str, str]  # {character: name of the piece}; any other character is an empty square
    marked: tuple[int, ...] = ()  # indices of special squares
    marked_words: str = "special"  # the name of the special squares
    path: tuple[int, ...] = ()  # indices of the squares that the mover's pieces pass, in order
    steps: str = ""  # column of the steps on the path: `move n` moves the piece on its nth square, `enter` a new one
    waiting: tuple[str, ...] = ()  # columns of the pieces still to enter: the mover's, the opponent's
    ways: Mapping[str, tuple[int, int]] = MappingProxyType({})  # (columns, rows) that a word of an action moves a piece


class Piles(NamedTuple):
    """Draw a column of text as piles: character i, a digit or A for 10, is the number of pieces at labels[i]."""

    column: str
    labels: tuple[str, ...]
    tops: tuple[int, ...] = ()  # the largest number of each pile, if the piles are tracks to climb
    off: str = ""  # the label of pieces off the board in actions such as 6/5 or 2/off, which move a piece


class Pieces(NamedTuple):
    """Draw a column of numbers as this many pieces."""

    column: str


class Scale(NamedTuple):
    """Draw a column of numbers as a place on a scale."""

    column: str
    mark: str = ""  # another column of numbers, marked on the same scale


Drawing = Dice | Cards | Tiles | Squares | Piles | Pieces | Scale
