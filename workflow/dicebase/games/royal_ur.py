"""The Royal Game of Ur: a race along two paths that share the squares in the middle.

Throw the dice, each of which shows one or nothing, and move one piece by their sum: enter a piece or move one on the
board. A square holds one piece. Landing on an opponent's piece sends it back to enter again. Rosettes are the last
square before the middle, one half-way along the middle, and the last square of all: if your piece lands there you throw
again, and on a safe rosette it cannot be sent back. A piece leaves the board by an exact throw. You must move if you
can. The first player whose pieces are all home wins. On the Masters' path a piece goes round the end of the board, over
the opponent's last squares before its own, and so passes four rosettes instead of three.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

from dicebase.vocabulary import Column, LayeredBoard, Objective, Outcome, Squares, need, parameter

EMPTY, MINE, THEIRS = ".", "x", "o"
SWAPPED = str.maketrans(MINE + THEIRS, THEIRS + MINE)
Side = tuple[str, int, int]  # the board, my pieces yet to enter, the opponent's
PATHS = {"bell": "along the middle to its end, and off by my own squares", "masters": "round the end of the board"}
ROSETTES = {"safe": "a piece there cannot be sent back", "open": "a piece there can be sent back as elsewhere"}
CAPTURES = {"pass": "the other player", "again": "the same player, once more"}


@dataclass(frozen=True)
class Rules(LayeredBoard):
    """The rules of I. Finkel; the full game has seven pieces, four dice and a path of 4 + 8 + 2 squares."""

    pieces: int = parameter(2, "pieces of each player", low=1, high=7)
    before: int = parameter(4, "each player's own squares before the middle, the last a rosette", low=1, high=4)
    middle: int = parameter(8, "squares shared by both players, one of them a rosette", low=2, high=8)
    after: int = parameter(2, "each player's own squares after the middle, the last a rosette", low=1, high=4)
    dice: int = parameter(4, "dice, each of which shows one or nothing", low=1, high=4)
    path: str = parameter("bell", "the path over the board", choices=PATHS)
    rosettes: str = parameter("safe", "whether a piece on a rosette is safe", choices=ROSETTES)
    captures: str = parameter("pass", "the player who throws after a piece is sent back", choices=CAPTURES)

    title = "The Royal Game of Ur"
    citation = "I. Finkel (2007), On the rules for the Royal Game of Ur, in: Ancient Board Games in Perspective, 16-32"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    numbered = (
        Column("board", str, "my path, then the opponent's own squares: x my piece, o the opponent's, . empty"),
        Column("to_enter", int, "my pieces not yet on the board"),
        Column("opponent_to_enter", int, "the opponent's pieces not yet on the board"),
    )
    columns = (*numbered, Column("roll", int, "squares to move, as thrown"))

    def __post_init__(self) -> None:
        beside = f"the {self.before} before and {self.after} after lie beside them"
        need(self.before + self.after <= self.middle, f"middle: {self.middle} squares; {beside}")
        round_two = self.path != "masters" or self.after == 2
        need(round_two, f"after: {self.after} squares; Masters' path goes round 2")

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """The (column, row) of each square of my path, then of the opponent's own squares. My row is 2."""
        end = self.middle - 1
        enter, leave = [(x, 2) for x in range(self.before)][::-1], [(end - x, 2) for x in range(self.after)]
        round_the_end = [(end - 1, 0), (end, 0)] * (self.path == "masters")
        way = [*enter, *((x, 1) for x in range(end)), *round_the_end, (end, 1), *leave]
        return way + [(x, 0) for x, row in enter + leave if (x, 0) not in way]

    @cached_property
    def _way(self) -> int:
        """The number of squares on a piece's path."""
        return self.before + self.middle + self.after + (2 if self.path == "masters" else 0)

    @cached_property
    def _marked(self) -> frozenset[int]:
        """The numbers of the rosettes, counting squares from 1."""
        at = {(x, row) for x in (0, self.middle - self.after) for row in (0, 2)} | {(self.middle // 2 - 1, 1)}
        return frozenset(number for number, place in enumerate(self._places, 1) if place in at)

    @cached_property
    def _seen(self) -> list[int]:
        """Entry i is my number of the square that has number i for the opponent, both from 0."""
        return [self._places.index((x, 2 - row)) for x, row in self._places]

    @property
    def layers(self) -> dict[str, tuple[str, ...]]:
        """Layers by the numbers of pieces not yet home, the larger one first."""
        left = [(a, b) for a in range(1, self.pieces + 1) for b in range(1, a + 1)]
        ahead = {(a, b): {(a, b - 1), (max(a - 1, b), min(a - 1, b))} for a, b in sorted(left, key=sum)}
        return {f"{a}-{b}": tuple(f"{c}-{d}" for c, d in sorted(to) if d) for (a, b), to in ahead.items()}

    def size(self, layer: str) -> int:
        a, b = map(int, layer.split("-"))
        shared = sum(s < self._way for s in self._seen[: self._way])
        up_to = [sum(comb(self._way - shared, pieces) for pieces in range(most + 1)) for most in range(a + 1)]
        on = [(i, j) for i in range(a + 1) for j in range(b + 1)]  # both players' pieces on shared squares
        each = sum(comb(shared, i) * comb(shared - i, j) * up_to[a - i] * up_to[b - j] for i, j in on if i <= shared)
        return each * (1 + (a != b))

    @property
    def drawing(self) -> tuple[Squares]:
        pieces, waiting = {MINE: "my piece", THEIRS: "the opponent's piece"}, ("to_enter", "opponent_to_enter")
        way, rosettes = tuple(range(self._way)), tuple(sorted(square - 1 for square in self._marked))
        return (Squares("board", tuple(self._places), pieces, rosettes, "a rosette", way, "roll", waiting),)

    def described(self, afterstate: tuple[Side, bool]) -> Side:
        return afterstate[0]

    def start(self) -> tuple[Side, bool]:
        return (EMPTY * len(self._places), self.pieces, self.pieces), True

    def actions(self, state: tuple[str, int, int, int]) -> list[str]:
        board, to_enter, _, roll = state
        moves = ["enter"] if roll and to_enter and self._is_free(board, roll) else []
        mine = [square for square, piece in enumerate(board[: self._way], 1) if piece == MINE]
        return moves + [f"move {square}" for square in mine if self._is_free(board, square + roll)] or ["pass"]

    def _is_free(self, board: str, square: int) -> bool:
        """Whether my piece may move to a square of my path; the square after the last is home."""
        if square > self._way:
            return square == self._way + 1
        safe = self.rosettes == "safe" and square in self._marked
        return board[square - 1] == EMPTY or (board[square - 1] == THEIRS and not safe)

    def afterstate(self, state: tuple[str, int, int, int], action: str) -> tuple[Side, bool]:
        """The position of the player who moved, and whether this player throws again."""
        board, to_enter, theirs, roll = state
        if action == "pass":
            return (board, to_enter, theirs), False
        squares, at = list(board), 0 if action == "enter" else int(action.removeprefix("move "))
        if at:
            squares[at - 1] = EMPTY
        square, to_enter = at + roll, to_enter - (at == 0)
        if square > self._way:
            return ("".join(squares), to_enter, theirs), False
        captured = squares[square - 1] == THEIRS
        squares[square - 1] = MINE
        again = square in self._marked or (captured and self.captures == "again")
        return ("".join(squares), to_enter, theirs + captured), again

    def outcomes(self, afterstate: tuple[Side, bool]) -> Iterator[Outcome]:
        (board, to_enter, theirs), again = afterstate
        if not to_enter and MINE not in board:
            yield Outcome(1, None, 1)
            return
        if not again:
            board, to_enter, theirs = self._of_the_other(board), theirs, to_enter
        for roll in range(self.dice + 1):
            yield Outcome(comb(self.dice, roll), (board, to_enter, theirs, roll), *((0, 1) if again else (1, -1)))

    def _of_the_other(self, board: str) -> str:
        """The board as the opponent sees it."""
        return "".join([board[square] for square in self._seen]).translate(SWAPPED)
