"""American Yahtzee for one player: the lattice of sets of dice compared with one matrix product per roll.

`lattice` is the compiled solver in solvers/sheets/values.py, which adds one die after another. The other methods take a
whole roll at once: the values of all keeps are a matrix of probabilities (462 keeps by 252 rolls, dense in NumPy or
sparse in SciPy) times the values of the rolls. Cards with the same open boxes are columns. The output has the CPU
seconds and the value of the game.
"""

from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np
import yaml
from _measure import cpu_seconds, heading, number, table
from scipy.sparse import csr_array

from dicebase.matches.sheets.score import SheetScore
from dicebase.solvers.sheets.values import solve_sheet
from dicebase.tables.names import find_table
from dicebase.vocabulary import lattice, multisets

CONFIG = Path(__file__).parents[1] / "config" / "config.yaml"


def chances(sides: int, dice: int) -> np.ndarray:
    """Return the probability of each roll after each keep, (keeps, rolls)."""
    of, orders = lattice(sides, dice), dict(chain(*(multisets(sides, n) for n in range(dice + 1))))
    found = np.zeros((len(of.sets), of.rolls))
    for roll, parts in enumerate(of.keeps):
        for kept in parts:
            thrown = Counter(of.sets[roll]) - Counter(of.sets[kept])
            faces = tuple(sorted(thrown.elements()))
            found[kept, roll] = orders[faces] / sides ** len(faces)
    return found


def by_matrices(listing: SheetScore, made: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return V by open boxes, bonus and upper total; `made` converts the matrix of probabilities."""
    rules, at = listing.rules, listing.rules.upper_at
    of = lattice(rules.sides, rules.dice)
    matrix, totals = made(chances(rules.sides, rules.dice)), np.arange(at + 1)
    keeps, begins = np.array([*chain(*of.keeps)]), np.cumsum([0, *map(len, of.keeps[:-1])])
    entries = [(roll, e) for roll, dice in enumerate(of.sets[: of.rolls]) for e in rules.entries(dice)]
    values = np.zeros((len(listing.reached), 2, at + 1))
    for card in range(1, len(values)):
        there = [(roll, e) for roll, e in entries if e.fits(card)]
        if not there:
            continue
        rolls = np.array([roll for roll, _ in there])
        first = np.searchsorted(rolls, np.arange(of.rolls))
        box, points, upper, further, earns = np.array([e[:5] for _, e in there]).T
        then = np.minimum(totals + upper[:, np.newaxis], at)
        crosses = rules.upper_bonus * ((totals < at) & (then == at))
        for bonus in (bonus for bonus in range(2) if listing.reached[card][bonus]):
            after = values[(card & ~(1 << box))[:, np.newaxis], (earns | bonus)[:, np.newaxis], then]
            worth = np.maximum.reduceat((points + bonus * further)[:, np.newaxis] + crosses + after, first)
            for _ in range(rules.rolls - 1):
                worth = np.maximum.reduceat((matrix @ worth)[keeps], begins)
            values[card, bonus] = (matrix @ worth)[-1]
    return values


def main() -> None:
    heading(__doc__.splitlines()[0])
    definitions = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["definitions"]["yahtzee"]
    listing = find_table("yahtzee_score").build({"rules": "forced"}, definitions)
    methods = {
        "lattice": lambda: solve_sheet(listing.rules, listing.reached),
        "matrix": lambda: by_matrices(listing, np.asarray),
        "sparse matrix": lambda: by_matrices(listing, csr_array),
    }
    methods["lattice"]()  # to compile it
    rows = []
    for name, solve in methods.items():
        found = []
        seconds = cpu_seconds(lambda solve=solve, found=found: found.append(solve()), repeats=1)
        rows.append([name, number(seconds), f"{found[-1][-1, 0, 0]:.10f}"])
    table(["method", "CPU seconds", "value"], rows)


if __name__ == "__main__":
    main()
