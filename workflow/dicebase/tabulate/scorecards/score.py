"""The score table of a scorecard: every placement in rationals, or, for many slots, the values of all sets in doubles.

From the latter decisions follow; where slots multiply, the value of the game is a rational there too, by the expected
rolls of solve/scorecards/rank.py.
"""

import sys
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dicebase.matches.score import BestScore, ScoreBySets
from dicebase.solve.scorecards.rank import exact_expected_rolls
from dicebase.solve.scorecards.subset_values import subset_values
from dicebase.solve.scorecards.subsets import solve_subsets
from dicebase.tables.writer import Rows
from dicebase.tabulate.scorecards.arrays import gains_of, probabilities_of
from dicebase.vocabulary import ConfigurationError, rank

MAX_SLOTS = 20
MAX_PLACEMENTS = 2_000_000_000
BYTES_A_SET = 140  # in the certifier, which takes more than the solver and the catalogue
PROGRESS = 1 << 17  # sets from which on each block is reported


def tabulate(game: BestScore) -> Iterator[Rows]:
    """All placements of every roll, or the values of all sets; raises ConfigurationError where there are more than
    MAX_SLOTS slots or MAX_PLACEMENTS placements."""
    stored = game.stored
    yield _followed(stored) if isinstance(stored, ScoreBySets) else _decisions(stored)


def _decisions(game: BestScore) -> Rows:
    rules = game.rules
    total = sum(rules.weights.values())
    values = solve_subsets(rules.weights, rules.slots, rules.gain)
    rows = Rows(game, exact=Fraction(values[-1], total**rules.slots))
    for free in range(1, 1 << rules.slots):
        scale = total ** (free.bit_count() - 1)
        for roll in rules.weights:
            state = (free, roll)
            actions = game.actions(state)
            afterstates = (game.afterstate(state, action) for action in actions)
            rows.add(state, actions, rank([g * scale + values[rest] for rest, g in afterstates], scale))
    return rows


def _followed(listing: ScoreBySets) -> Rows:
    rules = listing.rules
    sets, placements = 1 << rules.slots, len(rules.weights) * rules.slots << rules.slots - 1
    if rules.slots > MAX_SLOTS or placements > MAX_PLACEMENTS:
        raise ConfigurationError(
            f"slots: {rules.slots} slots have {_size(sets)} sets of free slots and {_size(placements)} placements; "
            f"solving by sets would take some {_size(sets * BYTES_A_SET, 10**9)} GB of memory; at most {MAX_SLOTS} "
            f"slots and {_size(MAX_PLACEMENTS)} placements are solved so: for more, the table ten_times_eighteen_rank "
            "says where each roll goes"
        )
    values = np.empty(sets)
    for done in subset_values(probabilities_of(rules), gains_of(rules).astype(float), values):
        if done >= PROGRESS:
            print(f"{done} of {sets} sets of free slots", file=sys.stderr)
    exact = None
    if rules.multiplies:
        exact = sum(
            f * e for f, e in zip(rules.factors, exact_expected_rolls(rules.weights, rules.slots)[-1], strict=True)
        )
    rows = Rows(listing, exact)
    rows.set_rows(np.arange(1, sets), values[1:])
    return rows


def _size(number: int, unit: int = 1) -> str:
    return f"{number / unit:.3g}" if number // unit < 10**300 else "more than 1e300"
