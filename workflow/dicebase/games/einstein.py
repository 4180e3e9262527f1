"""EinStein würfelt nicht!: the first stone in the other player's corner wins, and a die says which stone may move.

Each player has numbered stones in a corner of a square board, the smallest triangle that holds them, in any order.
Throw a die with as many sides as a player has stones at the beginning, and move the stone of this number by one square,
straight or diagonally towards the opposite corner. Where it is gone, move the one with the next higher or the next
lower number, as you like. Whatever stands on the square is removed, of either player. Who comes to the corner square
of the other player wins, and so does who removes his last stone. Play begins with any order of the stones, all as
likely.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from dicebase.vocabulary import Board, Column, ConfigurationError, Objective, Outcome, Squares, parameter

EMPTY, MINE, THEIRS = ".", "123456", "abcdef"
SWAPPED = str.maketrans(MINE + THEIRS, THEIRS + MINE)
MOVES = {"right": (0, 1), "down": (1, 0), "diagonally": (1, 1)}
TRIANGLES = {1: 1, 3: 2, 6: 3}


@dataclass(frozen=True)
class Rules(Board):
    """The rules of I. Althöfer; the whole game has six stones each on a board of 5 by 5 squares."""

    size: int = parameter(3, "squares of a side of the board", low=2, high=9)
    stones: int = parameter(1, "stones of each player: 1, 3 or 6", low=1, high=6)

    title = "EinStein würfelt nicht!"
    citation = "I. Althöfer (2004); F. Bonnet and S. Viennot (2017), on the solution with one stone, and towards more"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (
        Column(
            "board", str, "the squares row by row from the mover's corner: 1 to 6 his stones, a to f the opponent's"
        ),
        Column("roll", int, "the number thrown"),
    )

    def __post_init__(self) -> None:
        if self.stones not in TRIANGLES or TRIANGLES[self.stones] >= self.size:
            raise ConfigurationError(f"stones: {self.stones} fill no corner of a board of {self.size} by {self.size}")

    @property
    def drawing(self) -> tuple[Squares]:
        places = tuple((column, row) for row in range(self.size) for column in range(self.size))
        pieces = {mine: f"my stone {mine}" for mine in MINE[: self.stones]}
        pieces |= {other: f"the opponent's stone {mine}" for mine, other in zip(pieces, THEIRS, strict=False)}
        return (Squares("board", places, pieces, (self.size**2 - 1,)),)

    def start(self) -> str:
        return ""

    def actions(self, state: tuple[str, int]) -> list[str]:
        board, roll = state
        mine = [stone for stone in map(int, MINE) if str(stone) in board]
        may = [roll] if roll in mine else _next_to(mine, roll)
        return [f"{stone} {way}" for stone in may for way in MOVES if self._to(board, str(stone), way) is not None]

    def _to(self, board: str, stone: str, way: str) -> int | None:
        """The square to which a stone comes, or None where the board ends."""
        row, column = divmod(board.index(stone), self.size)
        row, column = row + MOVES[way][0], column + MOVES[way][1]
        return row * self.size + column if max(row, column) < self.size else None

    def afterstate(self, state: tuple[str, int], action: str) -> str:
        """The board after a move, as the mover sees it."""
        stone, way = action.split()
        squares = list(state[0])
        squares[state[0].index(stone)] = EMPTY
        squares[self._to(state[0], stone, way)] = stone
        return "".join(squares)

    def outcomes(self, afterstate: str) -> Iterator[Outcome]:
        if not afterstate:
            for mine in permutations(MINE[: self.stones]):
                for theirs in permutations(THEIRS[: self.stones]):
                    board = self._corner(mine, self._corner(theirs, EMPTY * self.size**2)[::-1])
                    yield from (Outcome(1, (board, roll)) for roll in range(1, self.stones + 1))
        elif afterstate[-1] in MINE or not set(afterstate) & {*THEIRS}:
            yield Outcome(1, None, 1)
        else:
            board = afterstate[::-1].translate(SWAPPED)
            yield from (Outcome(1, (board, roll), 1, -1) for roll in range(1, self.stones + 1))

    def _corner(self, stones: tuple[str, ...], board: str) -> str:
        """The board with stones in the triangle of its first square."""
        squares, side = list(board), TRIANGLES[self.stones]
        triangle = [row * self.size + column for row in range(side) for column in range(side - row)]
        for square, stone in zip(triangle, stones, strict=True):
            squares[square] = stone
        return "".join(squares)


def _next_to(mine: list[int], roll: int) -> list[int]:
    """Of numbers in order the next lower one than what is thrown, and the next higher one."""
    return [stone for stone in mine if stone < roll][-1:] + [stone for stone in mine if stone > roll][:1]
