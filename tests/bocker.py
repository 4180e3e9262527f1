"""Böcker's tables, cell by cell, beside the rules, solvers and published tables of dicebase.

The two games of the paper are the defaults of the rules file, and two loaded twelve-sided dice with five slots, which
the default configuration defines.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import yaml

from dicebase.game import Named
from dicebase.games.ten_times_eighteen import Rules
from dicebase.matches.distribution import Match as DistributionMatch
from dicebase.matches.score import Match
from dicebase.ranking import Ranked
from dicebase.solve.ranks import exact_ranks
from dicebase.solve.scores import Scores
from dicebase.solve.subsets import solve_subsets
from dicebase.tabulate.score import tabulate
from printed import Cell, cell, read
from reference.ten_times_eighteen_scores import mean, medians
from tiny import ROOT
from turn_checks import read_rows

CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
DIE = CONFIG["definitions"]["ten_times_eighteen"]["distribution"]["two_loaded_d12"]

FAIR = Rules()
LOADED = Rules(Named("two_loaded_d12", DIE), 5)
ALL = (1 << FAIR.slots) - 1


@cache
def sets(rules: Rules) -> list[Fraction]:
    """M by bit mask of the free slots."""
    total = sum(rules.weights.values())
    values = solve_subsets(rules.weights, rules.slots, rules.gain)
    return [Fraction(value, total ** free.bit_count()) for free, value in enumerate(values)]


@cache
def ranks(rules: Rules) -> dict[tuple[int, int], Fraction]:
    """E_j[i] by (j, i)."""
    rows = exact_ranks(rules.weights, rules.slots)
    return {(j, i): e for j, row in enumerate(rows, start=1) for i, e in enumerate(row, start=1)}


@cache
def scores(rules: Rules) -> dict[str, dict[int, Fraction]]:
    """The distribution of the final score by strategy."""
    solver = Scores(rules.weights, rules.factors)
    return {
        strategy: {score: Fraction(weight, solver.total) for score, weight in getattr(solver, strategy)().items()}
        for strategy in DistributionMatch.strategies
    }


@cache
def production() -> dict[tuple[int, int], tuple[list[str], Ranked, list[float]]]:
    """The published score table of the paper's game: {(free, roll): (slots, what is said of them, _)}."""
    return read_rows(tabulate(Match(FAIR)))


def placed(free: int, roll: int) -> tuple[int, int]:
    """The best and the second-best slot of a position, by the published table."""
    slots, ranked, _ = production()[free, roll]
    first, second, *_ = sorted(range(len(slots)), key=lambda i: (i != ranked.best, ranked.regrets[i]))
    return int(slots[first]), int(slots[second])


def closest(positions: set[tuple[int, int]]) -> tuple[float, list[tuple[int, int]]]:
    """The least margin among some positions, and all positions that have it."""
    least = min(production()[p][1].margin for p in positions if production()[p][1].margin)
    return least, sorted(p for p in positions if production()[p][1].margin == least)


# --- the printed cells -------------------------------------------------------------------------------------------


def distribution(name: str, file: str, rules: Rules) -> Iterator[Cell]:
    for row in read(file):
        yield cell(name, row["roll"], row["count"], rules.weights[int(row["roll"])])


def table_2() -> Iterator[Cell]:
    for row in read("bocker_table2"):
        yield cell("Table 2", row["slot"], row["value"], sets(FAIR)[ALL & ~(1 << int(row["slot"]) - 1)])


def table_3() -> Iterator[Cell]:
    for row in read("bocker_table3"):
        roll = int(row["roll"])
        yield cell("Table 3", f"{roll} slot", row["slot"], placed(ALL, roll)[0])
        yield cell("Table 3", f"{roll} value", row["expected_score"], Fraction(production()[ALL, roll][1].value))


def expected_ranks(name: str, file: str, rules: Rules) -> Iterator[Cell]:
    for row in read(file):
        j, i = int(row["j"]), int(row["i"])
        yield cell(name, f"E_{j}[{i}]", row["value"], ranks(rules)[j, i])


def table_5() -> Iterator[Cell]:
    found = scores(FAIR)
    computed = {"minimum": min(min(chances) for chances in found.values()), "maximum": max(map(max, found.values()))}
    for strategy, chances in found.items():
        computed[f"expected_{strategy}"] = mean(chances)
        # Of two medians the paper prints the lower one.
        computed[f"median_{strategy}"] = medians(chances)[0]
    for row in read("bocker_table5"):
        if row["name"] in computed:
            yield cell("Table 5", row["name"], row["printed"], computed[row["name"]])


def tables() -> list[Cell]:
    return [
        *distribution("Table 1", "bocker_table1", FAIR),
        *table_2(),
        *table_3(),
        *expected_ranks("Table 4", "bocker_table4", FAIR),
        *table_5(),
        *distribution("Table 6", "bocker_table6", LOADED),
        *expected_ranks("Table 7", "bocker_table7", LOADED),
    ]
