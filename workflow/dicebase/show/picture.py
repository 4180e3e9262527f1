"""A position as lines of text: of a board as its rules draw it, or as their drawing says; of a sheet its open boxes."""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from dicebase.catalog.solved_tables import SolvedTable
from dicebase.vocabulary import Board, Dice, Piles, Sheet, Squares, Tiles, answered


def picture(rules: Any, state: Mapping[str, int | str]) -> list[str]:
    """Lines for a terminal; none where nothing is drawn."""
    if isinstance(rules, Sheet):
        return wrap(f"open: {', '.join(name for i, name in enumerate(rules.boxes) if state['open'] >> i & 1)}", 80)
    if not isinstance(rules, Board) or not state.keys() >= {column.name for column in rules.columns}:
        return []
    if own := str(answered("picture", rules.picture, tuple(state.values()))):
        return own.rstrip().splitlines()
    width = max((len(drawn.column) for drawn in rules.drawing), default=0)
    lines = []
    for drawn in rules.drawing:
        rows = {Dice: _dice, Tiles: _tiles, Squares: _squares, Piles: _piles}[type(drawn)](drawn, state[drawn.column])
        lines += [f"{'' if i else drawn.column:{width}}  {row}".rstrip() for i, row in enumerate(rows)]
    return lines


def example_drawn(solved: SolvedTable, example: Mapping[str, int | str]) -> list[str]:
    """The position of a table's example; no lines where nothing is decided there, or drawn."""
    variant = solved.find({name: example[name] for name in solved.parameters})
    if not variant or not isinstance(variant.game.rules, Board) or not solved.match.layout.decides:
        return []
    return picture(variant.game.rules, {c.name: example[c.name] for c in variant.game.columns})


def _dice(_: Dice, fallen: int | str) -> list[str]:
    return [" ".join(f"[{face}]" for face in (fallen if isinstance(fallen, str) else [fallen]))]


def _tiles(drawn: Tiles, text: str) -> list[str]:
    return [" ".join(label if label in text else "_" for label in drawn.labels)]


def _squares(drawn: Squares, text: str) -> list[str]:
    """Squares that are marked in brackets; below the squares what the pieces on them are."""
    columns, rows = (1 + max(place[i] for place in drawn.places) for i in (0, 1))
    board = [["   "] * columns for _ in range(rows)]
    for i, (column, row) in enumerate(drawn.places):
        piece = text[i] if i < len(text) and text[i] in drawn.pieces else "."
        board[row][column] = f"[{piece}]" if i in drawn.marked else f" {piece} "
    legend = [f"{piece} {words}" for piece, words in drawn.pieces.items() if piece in text]
    legend += [f"[ ] {drawn.marked_words}"] * bool(drawn.marked)
    return ["".join(row).rstrip() for row in board] + [f" {', '.join(legend)}"] * bool(legend)


def _piles(drawn: Piles, text: str) -> list[str]:
    """Labels, and below each how many there are."""
    numbers = [str(int(digit, 36) or ".") for digit in text]
    widths = [max(map(len, pair)) for pair in zip(drawn.labels, numbers, strict=True)]
    return [" ".join(map(str.rjust, row, widths)) for row in (drawn.labels, numbers)]
