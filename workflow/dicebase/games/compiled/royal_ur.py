"""Numbered positions and moves of the Royal Game of Ur, compiled.

The layer a-b has all positions in which a and b pieces are not yet home, in either order of the players. Its block
(mine, theirs) has the positions in which `mine` of these pieces belong to the mover. A position of a block consists of
the content of the shared squares (a base-3 digit each), the mover's own squares (a bit each) and the opponent's own
squares (a bit each); the remaining pieces wait to enter. Positions are numbered in this order, with sets of own squares
ordered by size first, because the number of placements behind a shared content depends only on its two piece counts.
"""

from functools import cached_property
from math import comb

import numpy as np

from dicebase.games.compiled.royal_ur_kernels import Squares, fill_columns, fill_moves, mirrored, offsets_of
from dicebase.games.royal_ur import EMPTY, MINE, THEIRS, Rules
from dicebase.vocabulary.layers import Layers, Moves

Block = tuple[int, int]


class Compiled(Layers):
    """The layers `a-b`, a >= b, by the numbers of pieces not yet home."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.dice = ([comb(rules.dice, roll) for roll in range(rules.dice + 1)],)
        seen, way = rules._seen, rules._way
        # Squares by their index in the text of a board.
        self._alone = [s for s in range(way) if seen[s] >= way or s not in seen[:way]]
        self._theirs = [seen.index(s) for s in self._alone]
        self._shared = [s for s in range(way) if s not in self._alone]

    @cached_property
    def squares(self) -> Squares:
        way, of = self.rules._way, self.rules
        shared, alone = np.full(way, -1), np.full(way, -1)
        shared[self._shared], alone[self._alone] = range(len(self._shared)), range(len(self._alone))
        marked = np.array([square + 1 in of._marked for square in range(way)])
        mirror = np.array([self._shared.index(of._seen[s]) for s in self._shared])
        seen, x, o = mirrored(mirror)
        sets = np.arange(1 << len(self._alone))
        count = np.array([s.bit_count() for s in sets.tolist()])
        order = np.lexsort([sets, count])
        up_to = np.array([(count <= pieces).sum() for pieces in range(8)])
        safe = marked & (of.rosettes == "safe")
        # Bit i stands for the same own square of both players, each counting along their own path.
        return Squares(shared, alone, marked, safe, seen, x, o, order, np.argsort(order), up_to)

    def _blocks(self, layer: str) -> list[Block]:
        a, b = map(int, layer.split("-"))
        return [(a, b), (b, a)] if a != b else [(a, b)]

    @cached_property
    def _offsets(self) -> dict[Block, np.ndarray]:
        left = range(1, self.rules.pieces + 1)
        return {(mine, theirs): offsets_of(self.squares, mine, theirs) for mine in left for theirs in left}

    def _size(self, block: Block) -> int:
        return int(self._offsets[block][-1])

    def _begins(self, layer: str) -> tuple[dict[Block, int], int]:
        """Return ({block: first index among the positions of a layer and the layers ahead}, their number)."""
        found, end = {}, 0
        for name in (layer, *self.rules.layers[layer]):
            for block in self._blocks(name):
                found[block], end = end, end + self._size(block)
        return found, end

    def moves(self, layer: str, first: int, end: int) -> Moves:
        at, last = self._begins(layer)
        falls = self.rules.dice + 1
        begin = np.zeros((end - first) * falls + 1, np.int32)
        to = np.empty((end - first) * falls * self.rules.pieces, np.int32)
        count, done = 0, 0
        for mine, theirs in self._blocks(layer):
            low, high = max(first - at[mine, theirs], 0), min(end - at[mine, theirs], self._size((mine, theirs)))
            if low >= high:
                continue
            home = (theirs, mine - 1)  # as the opponent sees it
            begins = np.array([at[mine, theirs], at[theirs, mine], at.get(home, last)])
            offsets = (
                self._offsets[mine, theirs],
                self._offsets[theirs, mine],
                self._offsets.get(home, np.empty(0, int)),
            )
            again = self.rules.captures == "again"
            block = (self.squares, falls, mine, theirs, again, begins, *offsets)
            count = fill_moves(*block, low, high, count, begin[done * falls + 1 :], to)
            done += high - low
        return Moves(begin, to[:count])

    def columns(self, layer: str, first: int, end: int) -> tuple[np.ndarray, ...]:
        places = np.array([*self._shared, *self._alone, *self._theirs])
        board = np.full((end - first, len(places)), ord(EMPTY), np.uint8)
        waiting = np.empty((2, end - first), np.int32)
        begin = 0
        for block in self._blocks(layer):
            size = self._size(block)
            low, high = max(first, begin), min(end, begin + size)
            if low < high:
                some = slice(low - first, high - first)
                fill_columns(
                    self.squares, *block, self._offsets[block], low - begin, places, board[some], *waiting[:, some]
                )
            begin += size
        return board.view(f"S{len(places)}")[:, 0], *waiting

    def afterstate(self, layer: str, number: int) -> tuple[tuple[str, int, int], bool]:
        board, to_enter, theirs = (column[0] for column in self.columns(layer, number, number + 1))
        return (board.decode(), int(to_enter), int(theirs)), True

    def number(self, afterstate: tuple[tuple[str, int, int], bool]) -> tuple[str, int, bool]:
        (board, to_enter, theirs), again = afterstate
        if not again:
            board, to_enter, theirs = self.rules._of_the_other(board), theirs, to_enter
        digits, ones = (board.translate(str.maketrans(EMPTY + MINE + THEIRS, text)) for text in ("012", "011"))
        shared, own, other = (
            int("0" + "".join([marks[s] for s in reversed(squares)]), base)
            for marks, squares, base in ((digits, self._shared, 3), (ones, self._alone, 2), (ones, self._theirs, 2))
        )
        block = board.count(MINE) + to_enter, board.count(THEIRS) + theirs
        layer, of = f"{max(block)}-{min(block)}", self.squares
        wide = of.up_to[block[1] - of.o[shared]]
        begin = self._begins(layer)[0][block]
        place = self._offsets[block][shared] + of.place[own] * wide + of.place[other]
        return layer, int(begin + place), not again

    def has(self, state: tuple[str, int, int, int]) -> bool:
        board, *waiting, roll = state
        if len(board) != len(self.rules._places) or set(board) - {EMPTY, MINE, THEIRS}:
            return False
        left = [board.count(piece) + pieces for piece, pieces in zip(MINE + THEIRS, waiting, strict=True)]
        alone = all(board[s] != THEIRS for s in self._alone) and all(board[s] != MINE for s in self._theirs)
        within = min(waiting) >= 0 and all(0 < pieces <= self.rules.pieces for pieces in left)
        return alone and within and 0 <= roll <= self.rules.dice
