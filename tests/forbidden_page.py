"""The web page on the forbidden multiple of 10, cell by cell, beside the production table of dicebase."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from dicebase.games.forbidden_multiple import Rules
from dicebase.matches.turn import Match
from dicebase.tabulate.turn import tabulate
from printed import Cell, cell, read
from reference import forbidden_multiple as page
from turn_checks import read_rows

N, S_MAX = 10, 200


@cache
def production(multiple: int = N, sides: int = 6, dice: int = 1) -> tuple[Match, dict]:
    """A variant and its published table: {(total,): (actions, what is said of them, _)}."""
    game = Match(Rules(multiple, sides, dice))
    return game, read_rows(tabulate(game))


@cache
def iteration() -> page.Iteration:
    """The page's program, run as printed."""
    return page.value_iteration(N, S_MAX)


def far(total: int) -> tuple[Fraction, str]:
    """(value, action) beyond the stored totals, as the theorem on the cut-off has them."""
    game, _ = production()
    return game.worth(total, 0), "roll" if (total % N, 0) in game.continuation.safe else "stop"


def values() -> Iterator[Cell]:
    game, table = production()
    for row in read("forbidden_multiple_values"):
        total = int(row["total"])
        if total and total % N == 0:
            value, action = Fraction(0), "terminal" if (total,) not in table else "stored"
        elif (total,) in table:
            actions, ranked, _ = table[total,]
            value, action = Fraction(ranked.value), actions[ranked.best]
        else:
            assert total > game.last
            value, action = far(total)
        yield cell("output, values", f"V({total})", row["value"], value)
        yield cell("output, values", f"policy at {total}", row["policy"], action)


def thresholds() -> Iterator[Cell]:
    _, table = production()
    for row in read("forbidden_multiple_thresholds"):
        stops = [s for (s,), (actions, ranked, _) in table.items() if actions[ranked.best] == "stop"]
        first = next((s for s in stops if s % N == int(row["remainder"])), "None")
        yield cell("output, thresholds", f"r = {row['remainder']}", row["threshold"] or "None", first)


def numbers() -> Iterator[Cell]:
    """The numbers of the program's output; its settings are what it was run with."""
    run = iteration()
    computed = {
        "first_delta": f"{run.deltas[0]:.3e}",
        "last_iteration_index": run.iterations - 1,
        "last_delta": f"{run.deltas[-1]:.3e}",
        "iterations": run.iterations,
        "converged_delta": f"{run.deltas[-1]:.2e}",
    }
    for row in read("forbidden_multiple_numbers"):
        if row["name"] in computed:
            yield cell(row["place"], row["name"], row["printed"], computed.pop(row["name"]))
    assert not computed


def all_cells() -> list[Cell]:
    return [*values(), *thresholds(), *numbers()]
