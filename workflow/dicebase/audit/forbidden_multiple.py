"""The web article Rolling Dice Game and Value Functions, on the forbidden multiple of 10: the output of its program."""

from collections.abc import Iterator
from functools import cache

from dicebase.audit.catalogue import Catalogue, Place, Variant
from dicebase.audit.record import Cell, Ours, read
from dicebase.games.forbidden_multiple import Rules

SOURCE = "Rolling Dice Game and Value Functions"
GAME = Variant("forbidden_multiple_turn", {"multiple": 10, "sides": 6, "dice": 1})
N = 10


def values(catalogue: Catalogue) -> Iterator[Cell]:
    view = catalogue.view(GAME, "total")
    last = max(total for (total,) in view.rows)
    for row in read("forbidden_multiple_values"):
        total = int(row["total"])
        if lost(total):
            value, policy = (Ours(found, "dicebase.games.forbidden_multiple.Rules.rolls") for found in (0, "terminal"))
        else:
            # From the cut-off on, of which one period is stored, a total is worth itself and the same w more.
            stored = total if total <= last else last - (last - total) % N
            value, policy = view.value(stored), view.chosen("action", stored)
            if more := total - stored:
                value = value._replace(value=value.value + more, query=view.question(f"value + {more}", stored))
        yield Cell(f"V({total})", row["value"], value)
        yield Cell(f"policy at {total}", row["policy"], policy)


def lost(total: int) -> bool:
    """Whether a total ends the game with nothing: whether to throw a 1 just before it is a loss."""
    return total > 0 and next(Rules(N).rolls(total - 1, 0)).loss is not None


def thresholds(catalogue: Catalogue) -> Iterator[Cell]:
    where = catalogue.view(GAME, "total").where
    for row in read("forbidden_multiple_thresholds"):
        first = f"SELECT min(total) FROM {GAME.table} WHERE {where} AND action = 'stop' AND total % {N} = "
        ours = catalogue.ask(first + row["remainder"])
        ours = ours._replace(value="None" if ours.value is None else ours.value)
        yield Cell(f"r = {row['remainder']}", row["threshold"] or "None", ours)


def numbers(catalogue: Catalogue) -> Iterator[Cell]:
    """The numbers of the program's output; its settings are what it was run with."""
    setting = {row["name"]: row["printed"] for row in read("forbidden_multiple_numbers")}
    found = deltas(int(setting["s_max"]), float(setting["tol"]))
    computed = {
        "first_delta": found[0],
        "last_iteration_index": len(found) - 1,
        "last_delta": found[-1],
        "iterations": len(found),
        "converged_delta": found[-1],
    }
    for row in read("forbidden_multiple_numbers"):
        if row["name"] in computed:
            ours = Ours(computed[row["name"]], "dicebase.audit.forbidden_multiple.deltas")
            yield Cell(f"{row['place']}: {row['name']}", row["printed"], ours)


@cache
def deltas(s_max: int, tolerance: float) -> list[float]:
    """The largest change of each pass of the article's value iteration, which ends below the tolerance.

    It begins with stopping at once, and takes totals above s_max for worth themselves. In doubles and in the order of
    its program: the last changes are so small that their third digit is one of rounding.
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


PLACES = (
    Place(SOURCE, "output, values and policy", values, (GAME,)),
    Place(SOURCE, "output, thresholds", thresholds, (GAME,)),
    Place(SOURCE, "output, iterations and deltas", numbers, (GAME,)),
)
