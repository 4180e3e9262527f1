"""The program output in the web article Rolling Dice Game and Value Functions, on the forbidden multiple of 10."""

from functools import cache

from dicebase.audit.catalogue import Catalogue
from dicebase.audit.record import Ours, Row, read
from dicebase.games.forbidden_multiple import Rules

N = 10


def lost(total: int) -> bool:
    """Whether a total loses the game, which is so if throwing a 1 from the total before it is a loss."""
    return total > 0 and Rules(N).rolls(total - 1, 0)[0].loss is not None


def number(catalogue: Catalogue, row: Row) -> Ours | None:
    """A number in the program's output, computed with the program's settings."""
    setting = {row["name"]: row["printed"] for row in read("forbidden_multiple_numbers")}
    found = deltas(int(setting["s_max"]), float(setting["tol"]))
    ours = {
        "first_delta": found[0],
        "last_iteration_index": len(found) - 1,
        "last_delta": found[-1],
        "iterations": len(found),
        "converged_delta": found[-1],
    }.get(row["name"])
    return None if ours is None else Ours(ours, "dicebase.audit.forbidden_multiple.deltas")


@cache
def deltas(s_max: int, tolerance: float) -> list[float]:
    """The largest change in each pass of the article's value iteration, until it is below the tolerance.

    Iteration starts from the values of stopping everywhere; a total above s_max always has the value of stopping.
    Doubles are summed in the program's order, because rounding affects the third digit of the last, tiny changes.
    """
    V = [0.0 if lost(total) else float(total) for total in range(s_max + 7)]
    found: list[float] = []
    while not found or found[-1] >= tolerance:
        after = V.copy()
        for total in range(s_max + 1):
            if not lost(total):
                worth = 0.0
                for roll in Rules(N).rolls(total, 0):
                    worth += V[total + roll.options[0].gain] / 6 if roll.options else 0.0
                after[total] = max(float(total), worth)
        found.append(max(abs(new - old) for new, old in zip(after, V, strict=True)))
        V = after
    return found
