"""Local search: change one or two numbers at a time while that lowers a cost."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product

Point = tuple[int, ...]


def improved(first: Point, cost: Callable[[Point], float], rounds: Iterable[Sequence[Point]]) -> Point:
    """Return a point that no move of the last round improves. Each round adds its moves until none of them lowers the
    cost, and asks for the same points again, so `cost` should remember them."""
    best = first
    for moves in rounds:
        before: Point = ()
        while best != before:
            before = best
            for move in moves:
                while cost(other := tuple(x + by for x, by in zip(best, move, strict=True))) < cost(best):
                    best = other
    return best


def moves(steps: Sequence[int], together: int = 1) -> list[Point]:
    """Return the moves that change up to `together` numbers by their step, up or down; single numbers first."""
    found = []
    for several in range(1, together + 1):
        for which in combinations(range(len(steps)), several):
            for signs in product((1, -1), repeat=several):
                by = dict(zip(which, signs, strict=True))
                found.append(tuple(by.get(i, 0) * step for i, step in enumerate(steps)))
    return found
