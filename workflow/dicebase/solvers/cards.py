"""The best card of some grids of numbers, by branch and bound.

A box is a range for each number of a card. The bound of a box lets each position choose freely among the actions that
some card of the box takes there, so no card of the box costs less; see turns/boxes.py.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from heapq import heapify, heappop, heappush
from itertools import count, product
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.vocabulary import TIE
from dicebase.vocabulary.kernels import kernel

SAME = 1e-12  # a card that is better by less than this is not looked for
MOST_BOXES = 100_000

OPERATIONS = "+ - * // ** min max and or == >= > <= <"

Range = tuple[np.ndarray, np.ndarray]
"""(least, greatest) values of an expression, by position."""

Box = tuple[tuple[int, int], ...]
"""(first, last) index in the grid, of each number."""


class Found(NamedTuple):
    """The best card that a search met, its cost, and a lower bound on the cost of all cards."""

    card: Any
    cost: float
    least: float


def search(
    grids: Sequence[Mapping[str, tuple[int, int, int]]],
    bound: Callable[[int, Mapping[str, tuple[int, int]]], float],
    most: int = MOST_BOXES,
) -> Found:
    """Return the best card of all grids, {number: (least, greatest, step)}, as (grid, its numbers).

    bound : returns a lower bound on the cost of all cards of a grid with numbers in these ranges, the cost itself for
        one card.
    most : the boxes after which the search gives up its proof.
    """

    def cost(grid: int, box: Box) -> float:
        ranges = zip(grids[grid].items(), box, strict=True)
        return bound(grid, {name: (low + by * i, low + by * j) for (name, (low, _, by)), (i, j) in ranges})

    roots = [tuple((0, (high - low) // by) for low, high, by in grid.values()) for grid in grids]
    order, best, found = count(), (0, roots[0]), np.inf
    heap = [(cost(grid, root), grid - len(grids), grid, root) for grid, root in enumerate(roots)]
    heapify(heap)
    while heap and heap[0][0] < found - SAME and next(order) < most:
        least, _, grid, box = heappop(heap)
        middle = tuple(((i + j) // 2,) * 2 for i, j in box)
        if (here := cost(grid, middle)) < found:
            best, found = (grid, middle), here
        # Divide the range of the number whose parts have the greatest bounds, at the geometric mean, because one unit
        # matters less the larger a number is.
        ways = []
        for at, (i, j) in enumerate(box):
            if i < j:
                cut = min(isqrt((i + 1) * (j + 1)) - 1, j - 1)
                halves = [(*box[:at], half, *box[at + 1 :]) for half in ((i, cut), (cut + 1, j))]
                ways.append([(max(least, cost(grid, half)), half) for half in halves])
        for low, half in max(ways, key=lambda way: (way[0][0] - least + TIE) * (way[1][0] - least + TIE), default=()):
            if low < found - SAME:
                heappush(heap, (low, next(order), grid, half))
    grid, box = best
    numbers = {name: low + by * i for (name, (low, _, by)), (i, _) in zip(grids[grid].items(), box, strict=True)}
    return Found((grid, numbers), found, min(found, heap[0][0]) if heap else found)


def ranges(formula: str, known: Mapping[str, Range]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return (least, greatest, whether it is possible) for each branch of a chain of `a if b else c`, by position.

    known : the ranges of all names. Branches and parts of a formula are taken as independent, so ranges can be too
    wide, never too narrow. Formulas may use + - * // min max and or == >= > <= <. From the first condition on `dice`
    on, the branches are one range, because a card takes different ones with different dice.
    """
    node, found, open_ = _parsed(formula), [], np.True_
    while isinstance(node, ast.IfExp) and not any(getattr(of, "id", "") == "dice" for of in ast.walk(node.test)):
        surely, maybe = _range(node.test, known)
        found.append((*_range(node.body, known), open_ & maybe))
        open_, node = open_ & ~surely, node.orelse
    return [*found, (*_range(node, known), open_)]


@cache
def _parsed(formula: str) -> ast.AST:
    return ast.parse(formula, mode="eval").body


def range_of(formula: str, known: Mapping[str, Range]) -> Range:
    """Return the range of a formula without `if`, by position; a comparison is (surely true, possibly true). Raises
    ValueError for another operation, a division by zero and too large a number."""
    try:
        with np.errstate(divide="raise"):
            return _range(_parsed(formula), known)
    except ArithmeticError as error:
        raise ValueError(f"'{formula}': {error}") from error


def _range(node: ast.AST, known: Mapping[str, Range]) -> Range:
    match node:
        case ast.Constant():
            return np.int64(node.value), np.int64(node.value)
        case ast.Name():
            return known[node.id]
        case ast.BoolOp() | ast.Call(func=ast.Name(id="min" | "max")):
            least = isinstance(node.op, ast.And) if isinstance(node, ast.BoolOp) else node.func.id == "min"
            parts = [_range(part, known) for part in (node.values if isinstance(node, ast.BoolOp) else node.args)]
            return tuple(reduce(np.minimum if least else np.maximum, ends) for ends in zip(*parts, strict=True))
        case ast.Compare():
            sides = [_range(side, known) for side in (node.left, *node.comparators)]
            parts = [_compared(op, *pair) for op, *pair in zip(node.ops, sides, sides[1:], strict=False)]
            return tuple(reduce(np.logical_and, ends) for ends in zip(*parts, strict=True))
        case ast.IfExp():
            surely, maybe = _range(node.test, known)
            (a, b), (c, d) = _range(node.body, known), _range(node.orelse, known)
            low = np.where(surely, a, np.where(maybe, np.minimum(a, c), c))
            return low, np.where(surely, b, np.where(maybe, np.maximum(b, d), d))
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Pow()):
            of = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.FloorDiv: np.floor_divide}
            of |= {ast.Pow: _power}
            ends = product(_range(node.left, known), _range(node.right, known))
            ends = np.broadcast_arrays(*(of[type(node.op)](x, y) for x, y in ends))
            return np.minimum.reduce(ends), np.maximum.reduce(ends)
    raise ValueError(f"'{ast.unparse(node)}' has no range; give {OPERATIONS}")


def _power(base: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """Return a power, which increases in both; raises ValueError for other ranges."""
    if np.min(base) < 1 or np.min(exponent) < 0:
        raise ValueError("a power has a range if its base is at least 1 and its exponent at least 0")
    return np.power(base, exponent)


def _compared(op: ast.cmpop, left: Range, right: Range) -> Range:
    (a, b), (c, d) = left, right
    match op:
        case ast.GtE() | ast.Gt():
            return _compared(ast.LtE() if isinstance(op, ast.GtE) else ast.Lt(), right, left)
        case ast.LtE():
            return b <= c, a <= d
        case ast.Lt():
            return b < c, a < d
        case ast.Eq():
            return (a == b) & (c == d) & (a == c), (a <= d) & (c <= b)
    raise ValueError(f"'{type(op).__name__}' has no range; give {OPERATIONS}")


class AgainstFixed:
    """A duel in which the player chooses how each turn ends, against a fixed opponent.

    choices : the turns to choose from; the second axis of its arrays is the choice, not the opponent's total.
    opponent : the opponent's turns, without wipes, like the choices.
    """

    def __init__(self, choices: Play, opponent: Play) -> None:
        size = len(choices.ends)
        full = [np.ascontiguousarray(np.broadcast_to(x, (size, size, *x.shape[2:]))) for x in opponent[:3]]
        self.arrays = (*_sparse(choices), *_sparse(Play(*full)))
        self.values = np.empty((2, size, size))

    def cost(self, low: np.ndarray, high: np.ndarray) -> float:
        """Return 1 minus twice the mean probability of winning of the best choices, over who begins; low and high,
        (branches, T, T), are the first and last choice of each range, empty if high < low."""
        X, Y = self.values
        _best(*self.arrays, low, high, X, Y)
        return float(Y[0, 0] - X[0, 0])


def _sparse(play: Play) -> tuple[np.ndarray, ...]:
    """Return the totals after a turn as (start, total, probability), in lists that begin at `start`, (T * W + 1,), then
    the probabilities of winning at once and of a bust, (T, W)."""
    below = play.ends[:, :, :-1]
    me, choice, total = np.nonzero(below)
    start = np.searchsorted(me * below.shape[1] + choice, np.arange(below.shape[0] * below.shape[1] + 1))
    return start, total, below[me, choice, total], play.ends[:, :, -1].copy(), play.busts


@kernel
def _best(start, to, chance, won, bust, start2, to2, chance2, won2, bust2, low, high, X, Y):
    """Fill X, (T, T), with the best player's probability of winning on the move, and Y with the opponent's, by
    (mover's total, other's). The first five arrays are the player's `_sparse` turns, the next five the opponent's."""
    T, choices = len(X), bust.shape[1]
    for total in range(2 * T - 2, -1, -1):
        for a in range(max(0, total - T + 1), min(total, T - 1) + 1):
            b = total - a
            y, q, best = won2[b, a], bust2[b, a], 0.0
            for k in range(start2[b * T + a], start2[b * T + a + 1]):
                y += chance2[k] * (1.0 - X[a, to2[k]])
            for branch in range(len(low)):
                for n in range(low[branch, a, b], high[branch, a, b] + 1):
                    x, p = won[a, n], bust[a, n]
                    for k in range(start[a * choices + n], start[a * choices + n + 1]):
                        x += chance[k] * (1.0 - Y[b, to[k]])
                    best = max(best, (x + p * (1.0 - y - q)) / (1.0 - p * q))
            X[a, b] = best
            Y[b, a] = y + q * (1.0 - best)
