"""The score table of a scorecard: every placement in rationals, or, for many slots, the values of all sets in doubles.

From the latter decisions follow; where slots multiply, the value of the game is a rational there too, by the expected
rolls of solve/sheets/one_roll/rank.py.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dicebase.matches.score import BestScore, ScoreBySets
from dicebase.solve.sheets.one_roll.policies import Card
from dicebase.solve.sheets.one_roll.rank import exact_expected_rolls
from dicebase.solve.sheets.one_roll.subset_values import subset_values
from dicebase.solve.sheets.one_roll.subsets import solve_subsets
from dicebase.tables.writer import Rows
from dicebase.vocabulary import rank


def tabulate(game: BestScore) -> Iterator[Rows]:
    """All placements of every roll, or the values of all sets."""
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
    values = subset_values(Card(rules).chances, np.array(rules.gains, float))
    exact = None
    if rules.multiplies:
        exact = sum(
            f * e for f, e in zip(rules.factors, exact_expected_rolls(rules.weights, rules.slots)[-1], strict=True)
        )
    rows = Rows(listing, exact)
    rows.set_rows(np.arange(1, len(values)), values[1:])
    return rows
