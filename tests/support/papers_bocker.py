"""Böcker's games, by the rules, solvers and published tables of dicebase.

The two games of the paper are the defaults of the rules file, and two loaded twelve-sided dice with five slots, which
the default configuration defines.
"""

from fractions import Fraction
from functools import cache

from dicebase.games.ten_times_eighteen import Rules
from dicebase.matches.sheets.score import BestScore
from dicebase.solvers.sheets.one_roll.policies import Card
from dicebase.solvers.sheets.one_roll.rank import exact_expected_rolls
from dicebase.solvers.sheets.one_roll.subsets import solve_subsets
from dicebase.tabulate.one_roll import score
from dicebase.vocabulary import Definition, Ranked
from support.contract_turns import read_rows
from support.grids import DEFAULT

DIE = DEFAULT["definitions"]["ten_times_eighteen"]["distribution"]["two_loaded_d12"]

FAIR = Rules()
LOADED = Rules(Definition("two_loaded_d12", DIE), 5)
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
    rows = exact_expected_rolls(rules.weights, rules.slots)
    return {(j, i): e for j, row in enumerate(rows, start=1) for i, e in enumerate(row, start=1)}


@cache
def scores(rules: Rules) -> dict[str, dict[int, Fraction]]:
    """The distribution of the final score by strategy."""
    card = Card(rules)
    games = {"clairvoyant": card.play_clairvoyant(), "optimal": card.play_optimal(), "random": card.play_at_random()}
    return {
        strategy: {rules.least + s: Fraction(n, card.rules.games) for s, n in enumerate(counted) if n}
        for strategy, counted in games.items()
    }


@cache
def production() -> dict[tuple[int, int], tuple[list[str], Ranked, list[float]]]:
    """The published score table of the paper's game: {(free, roll): (slots, ranking, _)}."""
    return read_rows(next(score(BestScore(FAIR))))


def placed(free: int, roll: int) -> tuple[int, int]:
    """The best and the second-best slot of a position, by the published table."""
    slots, ranked, _ = production()[free, roll]
    first, second, *_ = sorted(range(len(slots)), key=lambda i: (i != ranked.best, ranked.regrets[i]))
    return int(slots[first]), int(slots[second])


def closest(positions: set[tuple[int, int]]) -> tuple[float, list[tuple[int, int]]]:
    """The least margin among some positions, and all positions that have it."""
    least = min(production()[p][1].margin for p in positions if production()[p][1].margin)
    return least, sorted(p for p in positions if production()[p][1].margin == least)
