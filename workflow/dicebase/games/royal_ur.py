"""The Royal Game of Ur: a race of pieces over a way of which both players share the middle.

Throw the dice, each of which shows one or nothing, and move a piece by so many squares: enter one, or move one that is
on the board. Only one piece stands on a square. A piece that comes to one of the other player's in the middle sends it
back to enter again. Three squares of a way are rosettes: the last one before the middle, one half-way along the middle,
and the last one of all. Whoever comes to a rosette throws again; on the one in the middle no piece is sent back. A
piece leaves the board by an exact throw. One has to move where one can. Who first has brought all pieces home wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

from dicebase.vocabulary import Board, Column, ConfigurationError, Objective, Outcome, Squares, parameter

EMPTY, MINE, THEIRS = ".", "x", "o"
SWAPPED = str.maketrans(MINE + THEIRS, THEIRS + MINE)
Side = tuple[str, int, int]  # the board, my pieces that are to enter, the opponent's


@dataclass(frozen=True)
class Rules(Board):
    """The rules of I. Finkel; the whole game has seven pieces, four dice and a way of 4 + 8 + 2 squares."""

    pieces: int = parameter(2, "pieces of each player", low=1, high=7)
    before: int = parameter(4, "squares of one's own before the middle, the last one a rosette", low=1, high=4)
    middle: int = parameter(8, "squares that both share, one of them a rosette", low=2, high=8)
    after: int = parameter(2, "squares of one's own after the middle, the last one a rosette", low=1, high=4)
    dice: int = parameter(4, "dice, each of which shows one or nothing", low=1, high=4)

    title = "The Royal Game of Ur"
    citation = "I. Finkel (2007), On the rules for the Royal Game of Ur, in: Ancient Board Games in Perspective, 16-32"
    objectives = {"duel": Objective("chance of the mover to win", "probability")}
    columns = (
        Column("board", str, "squares of my way, then the opponent's own: x is my piece, o the opponent's, . is empty"),
        Column("to_enter", int, "pieces of mine that are not yet on the board"),
        Column("opponent_to_enter", int, "pieces of the opponent that are not yet on the board"),
        Column("roll", int, "squares to move, as thrown"),
    )

    def __post_init__(self) -> None:
        if self.before + self.after > self.middle:
            raise ConfigurationError(
                f"middle: {self.middle} squares; the {self.before} before and {self.after} after lie beside them"
            )

    @cached_property
    def _way(self) -> int:
        return self.before + self.middle + self.after

    @cached_property
    def _safe(self) -> int:
        return self.before + self.middle // 2

    @property
    def drawing(self) -> tuple[Squares]:
        enter, leave = range(self.before - 1, -1, -1), range(self.middle - 1, self.middle - 1 - self.after, -1)
        mine, theirs = ([[(x, row) for x in part] for part in (enter, leave)] for row in (2, 0))
        middle = [(x, 1) for x in range(self.middle)]
        places = (*mine[0], *middle, *mine[1], *theirs[0], *theirs[1])
        rosettes = (self.before, self._safe, self._way, self._way + self.before, self._way + self.before + self.after)
        pieces = {MINE: "my piece", THEIRS: "the opponent's piece"}
        return (Squares("board", places, pieces, tuple(square - 1 for square in rosettes)),)

    def start(self) -> tuple[Side, bool]:
        return (EMPTY * (self._way + self.before + self.after), self.pieces, self.pieces), True

    def actions(self, state: tuple[str, int, int, int]) -> list[str]:
        board, to_enter, _, roll = state
        if not roll:
            return ["pass"]
        moves = ["enter"] if to_enter and self._is_free(board, roll) else []
        for square in range(1, self._way + 1):
            if board[square - 1] == MINE and self._is_free(board, square + roll):
                moves.append(f"move {square}")
        return moves or ["pass"]

    def _is_free(self, board: str, square: int) -> bool:
        """Whether a piece of mine may come to a square of my way, the one past the last being home."""
        if square > self._way:
            return square == self._way + 1
        return board[square - 1] == EMPTY or (board[square - 1] == THEIRS and square != self._safe)

    def afterstate(self, state: tuple[str, int, int, int], action: str) -> tuple[Side, bool]:
        """(the position of who made the move, whether that one throws again)."""
        board, to_enter, theirs, roll = state
        if action == "pass":
            return (board, to_enter, theirs), False
        squares = list(board)
        square = roll
        if action == "enter":
            to_enter -= 1
        else:
            square = int(action.removeprefix("move "))
            squares[square - 1] = EMPTY
            square += roll
        if square <= self._way:
            theirs += squares[square - 1] == THEIRS
            squares[square - 1] = MINE
        return ("".join(squares), to_enter, theirs), square in (self.before, self._safe, self._way)

    def outcomes(self, afterstate: tuple[Side, bool]) -> Iterator[Outcome]:
        (board, to_enter, theirs), again = afterstate
        if not to_enter and MINE not in board:
            yield Outcome(1, None, 1)
            return
        if not again:
            board, to_enter, theirs = self._of_the_other(board), theirs, to_enter
        for roll in range(self.dice + 1):
            state = (board, to_enter, theirs, roll)
            yield Outcome(comb(self.dice, roll), state, *((0, 1) if again else (1, -1)))

    def _of_the_other(self, board: str) -> str:
        """The board as the opponent sees it."""
        enter, leave = self.before, self.before + self.middle
        parts = (board[self._way : self._way + enter], board[enter:leave], board[self._way + enter :])
        return "".join((*parts, board[:enter], board[leave : self._way])).translate(SWAPPED)
