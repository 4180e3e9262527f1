"""The table of simultaneous throws: both players' optimal mixes in every state."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.simultaneous import SimultaneousRace
from dicebase.solve.throws.race_and_reach import matrix
from dicebase.solve.throws.simultaneous import solve_simultaneous
from dicebase.tables.writer import Rows
from dicebase.vocabulary import rank_mix
from dicebase.vocabulary.progress import reporter

STRICT = 1e-10
"""By how much a mix must be strictly complementary to be called unique."""


def tabulate(game: SimultaneousRace) -> Iterator[Rows]:
    """Every pair of totals with every throw, in doubles."""
    q = matrix(game.gains, game.unit_of_points)
    stage = solve_simultaneous(q, game.totals, game.rules.wipes, reporter("total"))
    # Whether each action is either clearly used or clearly worse.
    strict = np.where(stage.mix > 0, stage.mix, stage.value[..., np.newaxis] - stage.q).min(axis=2) > STRICT
    rows = Rows(game)
    for state in game.records():
        a, b = (points // game.unit_of_points for points in state)
        mix = stage.mix[a, b] / stage.mix[a, b].sum()
        # The simplex method ends at a vertex: if it is strictly complementary it is the only solution.
        unique = bool(strict[a, b] and strict[b, a] and (mix > 0).sum() == (stage.mix[b, a] > 0).sum())
        # Adding zero makes a zero of a negative one.
        ranked = rank_mix(float(stage.value[a, b] + 0.0), (stage.q[a, b] + 0.0).tolist(), mix.tolist())
        rows.add(state, game.actions(state), ranked, unique)
    yield rows
