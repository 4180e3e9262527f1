"""EinStein würfelt nicht!: the first stone in the opponent's corner wins, and a die says which stone may move.

Each player's numbered stones fill the smallest possible triangle in a corner of a square board, in any order. Throw a
die with as many sides as a player has stones at the start, and move the stone of that number by one square, straight or
diagonally, towards the opposite corner. If that stone is gone, move the one with the next higher or the next lower
number. A stone of either player on the target square is removed. You win by reaching the opponent's corner square or by
capturing the opponent's last stone; a player who captures their own last stone wins too. A player with one stone left
does not throw; that stone is written as 1, because its number no longer matters. Play begins with any order of the
stones, all equally likely. An endgame begins with at most the given number of stones anywhere on the board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

from dicebase.vocabulary import Board, Column, ConfigurationError, Dice, Objective, Outcome, Squares, parameter

EMPTY, MINE, THEIRS = ".", "123456", "abcdef"
SWAPPED = str.maketrans(MINE + THEIRS, THEIRS + MINE)
MOVES = {"right": (0, 1), "down": (1, 0), "diagonally": (1, 1)}
TRIANGLES = {1: 1, 3: 2, 6: 3}


@dataclass(frozen=True)
class Rules(Board):
    """The rules of I. Althöfer; the full game has six stones each on a board of 5 by 5 squares."""

    size: int = parameter(3, "squares of a side of the board", low=2, high=9)
    stones: int = parameter(1, "stones of each player: 1, 3 or 6; the die has as many sides", low=1, high=6)
    endgame: int = parameter(0, "stones of both players at the start of an endgame; 0: all, in corners", low=0, high=6)

    title = "EinStein würfelt nicht!"
    citation = "I. Althöfer (2004); F. Bonnet and S. Viennot (2017), on the solution with one stone, and towards more"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (
        Column(
            "board", str, "the squares row by row from the mover's corner: 1 to 6 own stones, a to f the opponent's"
        ),
        Column("roll", int, "the number thrown"),
    )

    def __post_init__(self) -> None:
        if self.stones not in TRIANGLES or TRIANGLES[self.stones] >= self.size:
            corner = f"a corner of a board of {self.size} by {self.size}"
            raise ConfigurationError(f"stones: {self.stones} do not fit into {corner}")
        if self.endgame and not 2 <= self.endgame <= 2 * self.stones:
            raise ConfigurationError(f"endgame: {self.endgame} is not 0 or a number from 2 to {2 * self.stones}")

    @property
    def drawing(self) -> tuple[Squares, Dice]:
        places = tuple((column, row) for row in range(self.size) for column in range(self.size))
        pieces = {mine: f"my stone {mine}" for mine in MINE[: self.stones]}
        pieces |= {other: f"the opponent's stone {mine}" for mine, other in zip(pieces, THEIRS, strict=False)}
        ways = {way: (right, down) for way, (down, right) in MOVES.items()}
        return Squares("board", places, pieces, (self.size**2 - 1,), "the corner to reach", ways=ways), Dice("roll")

    def start(self) -> str:
        return ""

    def actions(self, state: tuple[str, int]) -> list[str]:
        board, roll = state
        if str(roll) in board:
            may = [str(roll)]
        else:
            mine = [stone for stone in MINE if stone in board]
            may = [s for s in mine if int(s) < roll][-1:] + [s for s in mine if int(s) > roll][:1]
        return [f"{stone} {way}" for stone in may for way in self._ways[board.index(stone)]]

    @cached_property
    def _ways(self) -> list[dict[str, int]]:
        """For each square, {direction: square that the move reaches}."""
        squares, last = range(self.size**2), self.size - 1
        return [
            {way: s + self.size * down + right for way, (down, right) in MOVES.items()
             if s // self.size + down <= last and s % self.size + right <= last}
            for s in squares
        ]  # fmt: skip

    def afterstate(self, state: tuple[str, int], action: str) -> str:
        """The board after a move, seen by the player who moved."""
        stone, way = action.split()
        square, squares = state[0].index(stone), list(state[0])
        squares[square], squares[self._ways[square][way]] = EMPTY, stone
        return "".join(squares)

    def outcomes(self, afterstate: str) -> Iterator[Outcome]:
        if not afterstate:
            for board in self._endgames() if self.endgame else self._openings():
                yield from ((weight, (board, roll), 0, 1) for roll, weight in self._throws(board))
        elif afterstate[-1] in MINE or not set(afterstate) & {*THEIRS}:
            yield 1, None, 1, 1
        else:
            board = _alone(_alone(afterstate[::-1].translate(SWAPPED), MINE), THEIRS)
            yield from ((weight, (board, roll), 1, -1) for roll, weight in self._throws(board))

    def _throws(self, board: str) -> list[tuple[int, int]]:
        """Return [(number, weight)] of a throw; with one stone left the number is always 1."""
        alone = len({*board} & {*MINE}) == 1
        return [(1, self.stones)] if alone else [(roll, 1) for roll in range(1, self.stones + 1)]

    def _openings(self) -> Iterator[str]:
        for mine in permutations(MINE[: self.stones]):
            for theirs in permutations(THEIRS[: self.stones]):
                yield self._corner(mine, self._corner(theirs, EMPTY * self.size**2)[::-1])

    def _endgames(self) -> Iterator[str]:
        """All boards without a winner, with at most `endgame` stones."""
        for count in range(2, self.endgame + 1):
            for mine, places in product(range(1, count), permutations(range(self.size**2), count)):
                if self.size**2 - 1 in places[:mine] or 0 in places[mine:]:
                    continue
                for a, b in product(self._numbers(MINE, mine), self._numbers(THEIRS, count - mine)):
                    squares = dict(zip(places, a + b, strict=True))
                    yield "".join(squares.get(square, EMPTY) for square in range(self.size**2))

    def _numbers(self, letters: str, count: int) -> Iterator[tuple[str, ...]]:
        """The sets of `count` stones that a player may have left; a single stone is always the first."""
        return combinations(letters[: self.stones if count > 1 else 1], count)

    def _corner(self, stones: tuple[str, ...], board: str) -> str:
        """The board with stones added in the triangle around its first square."""
        squares, side = list(board), TRIANGLES[self.stones]
        triangle = [row * self.size + column for row in range(side) for column in range(side - row)]
        for square, stone in zip(triangle, stones, strict=True):
            squares[square] = stone
        return "".join(squares)

    def why_missing(self, state: tuple[str, int]) -> str:
        board, roll = state
        if _alone(_alone(board, MINE), THEIRS) != board or (len(self._throws(board)) == 1 and roll != 1):
            return "a player's last stone is written 1 or a, and moves with roll=1"
        return super().why_missing(state)


def _alone(board: str, letters: str) -> str:
    """The board; if only one of the stones `letters` is left, it is renamed to the first."""
    there = [stone for stone in letters if stone in board]
    return board.replace(there[0], letters[0]) if len(there) == 1 else board
