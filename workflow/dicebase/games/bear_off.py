"""Backgammon's bear-off: all checkers stand in the home board, and each roll moves them forward and off the board.

The points of the home board are numbered from 6 down to 1; off lies below 1. A roll is two dice. Each die moves one
checker by that many points, in either order, and a double gives four such moves. A checker leaves by the exact number,
or by a larger one if no checker stands on a higher point. All dice must be played while checkers remain. Play begins
with a uniformly random placement of the checkers in the home board. One player minimises the expected number of rolls.
In a duel the players alternate without meeting, and the first to bear off all checkers wins, without a doubling cube.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product

from dicebase.vocabulary import (
    Board,
    Column,
    Dice,
    Objective,
    Outcome,
    Piles,
    afterstate_by_action,
    multisets,
    need,
    parameter,
)

POINTS, DIGITS = 6, "0123456789ABCDEF"
EMPTY = "0" * POINTS
THROWS = {f"{a}{b}": weight for (a, b), weight in multisets(6, 2)}
MOST_IN_A_DUEL = 5


@dataclass(frozen=True)
class Rules(Board):
    """The bear-off for one player or two."""

    checkers: int = parameter(3, "checkers of each player", low=1, high=15)

    title = "Backgammon's bear-off"
    citation = "the rules of backgammon; H. Sconyers and others have computed its bear-off databases"
    objectives = {
        "rolls": Objective("expected number of rolls until all checkers are off", "turns", -1),
        "duel": Objective("chance of the mover to win", "probability", players=2),
    }

    def __post_init__(self) -> None:
        few = self.objective != "duel" or self.checkers <= MOST_IN_A_DUEL
        need(few, f"checkers: a duel has 1 to {MOST_IN_A_DUEL} of each player, not {self.checkers}")

    features = {
        "checkers": lambda boards: sum(int(n, 16) for n in boards[0]),
        "pips": lambda boards: sum(point * int(n, 16) for point, n in enumerate(boards[0], start=1)),
        "gaps": lambda boards: boards[0].count("0"),
    }

    @property
    def columns(self) -> tuple[Column, ...]:
        other = Column("opponent", str, "the opponent's checkers, in the same way")
        return (
            Column("board", str, "the mover's checkers on the points 1, 2, ... 6, one character each; A is 10, B 11"),
            *([other] if self.objective == "duel" else []),
            Column("roll", str, "the two dice, as sorted digits"),
        )

    @property
    def drawing(self) -> tuple[Piles | Dice, ...]:
        points = tuple("123456")
        return (*(Piles(column.name, points, off="off") for column in self.columns[:-1]), Dice("roll"))

    def start(self) -> tuple[()]:
        return ()

    def actions(self, state: tuple[str, ...]) -> list[str]:
        return list(_plays(state[0], state[-1]))

    def afterstate(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        """The boards; the board of the player who moved comes first."""
        return (_plays(state[0], state[-1])[action], *state[1:-1])

    def outcomes(self, afterstate: tuple[str, ...]) -> Iterator[Outcome]:
        if not afterstate:
            for boards in product(self._placements, repeat=len(self.columns) - 1):
                for roll, weight in THROWS.items():
                    yield weight, (*boards, roll), 0, 1
        elif afterstate[0] == EMPTY:
            yield 1, None, 1, 1
        else:
            mine, *other = afterstate
            for roll, weight in THROWS.items():
                yield weight, (*other, mine, roll), 1, -1 if other else 1

    @property
    def _placements(self) -> list[str]:
        all_points = combinations_with_replacement(range(POINTS), self.checkers)
        return ["".join(DIGITS[points.count(p)] for p in range(POINTS)) for points in all_points]

    def picture(self, state: tuple[str, ...]) -> str:
        rows = [("point", "654321"), *zip(("x", "o"), (board[::-1] for board in state[:-1]), strict=False)]
        return "\n".join(f"{name:5}" + "".join(f"{int(n, 16) or '.':>3}" for n in row) for name, row in rows)

    def why_missing(self, state: tuple[str, ...]) -> str:
        for board in state[:-1]:
            if len(board) != POINTS or set(board) - set(DIGITS):
                return "a board is six characters, the checkers on the points 1, 2, ... 6"
        if EMPTY in state:
            return "all checkers of a player are off: play is over"
        return super().why_missing(state)


@lru_cache(maxsize=20_000)
def _plays(board: str, roll: str) -> dict[str, str]:
    """Return {action: board after it} for all ways to play a roll; only the first of those that reach one board."""
    low, high = map(int, roll)
    if low == high:
        # The order of equal dice does not matter: checkers on higher points move first.
        lines = [("", board, POINTS)]
        for _ in range(3):
            lines = [(said + m, b, p) for said, a, top in lines for m, b, p in _moves(a, low) if p <= top]
        return afterstate_by_action(
            ((said + m)[1:], b) for said, a, top in lines for m, b, p in _moves(a, low) if p <= top
        )
    found: dict[str, str] = {}
    for first, second in ((high, low), (low, high)):
        for move, between, _ in _moves(board, first):
            for then, after, _ in _moves(between, second):
                if after not in found:
                    found[after] = move + then
    return afterstate_by_action((said[1:], after) for after, said in found.items())


@lru_cache(maxsize=400_000)
def _moves(board: str, die: int) -> list[tuple[str, str, int]]:
    """Return (text of the move with a leading blank, board after it, point moved from) for each move of one checker by
    a die; if no checker can move, the board is unchanged."""
    found = []
    standing = [p for p in range(POINTS, 0, -1) if board[p - 1] != "0"]
    for point in standing:
        if point >= die or point == standing[0]:
            squares = [int(n, 16) for n in board]
            squares[point - 1] -= 1
            if point > die:
                squares[point - die - 1] += 1
            move = f" {point}/{point - die if point > die else 'off'}"
            found.append((move, "".join(DIGITS[n] for n in squares), point))
    return found or [("", board, 0)]
