"""Rows of the tables of games of hidden information."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.boards.information_sets import InformationSets
from dicebase.solvers.hidden.program import solve_program
from dicebase.solvers.hidden.regrets import match_regrets
from dicebase.solvers.hidden.sequences import Side, sequence_form
from dicebase.tables.writer import Rows
from dicebase.vocabulary import Ranked, rank_mix
from dicebase.vocabulary.progress import reporter

MOST_SEQUENCES = 1_000_000  # of both players together, for linear programs
TIED = 1e-14  # a smaller loss, times the probability that chance and the opponent lead to the set, is rounding


def information_sets(game: InformationSets) -> Iterator[Rows]:
    """Yield every information set of both players, with an equilibrium or, for large games, nearly one."""
    sides, mixes = strategies(game)
    rows, found = Rows(game), []
    for player, (side, other) in enumerate(zip(sides, sides[::-1], strict=True)):
        theirs = other.plan(mixes[1 - player])
        reach, (q, v) = side.chance @ theirs, side.values(theirs)
        for k, state in enumerate(side.states):
            here = slice(side.first[k], side.first[k + 1])
            value = float(v[k] / reach[k]) if reach[k] > 0 else 0.0
            q_values = [value if v[k] - x <= TIED else float(x / reach[k]) for x in q[here]]
            ranked = _with_ties(rank_mix(value, q_values, mixes[player][here].tolist(), equal=False))
            found.append(((player + 1, *state), side.actions[k], ranked, bool(reach[k] > 0)))
    for entry in sorted(found, key=lambda entry: entry[0]):
        rows.add(*entry)
    yield rows


def strategies(game: InformationSets) -> tuple[tuple[Side, Side], list[np.ndarray]]:
    """Return the sides of both players and their mixes, (S,), as the table publishes them."""
    sides = sequence_form(game.rules)
    small = sum(side.first[-1] for side in sides) <= MOST_SEQUENCES
    mixes = solve_program(sides) if small else match_regrets(sides, reporter("iteration"))
    plans = [side.plan(mix) for side, mix in zip(sides, mixes, strict=True)]
    return sides, [
        _completed(side, mix, plan, theirs)
        for side, mix, plan, theirs in zip(sides, mixes, plans, plans[::-1], strict=True)
    ]


def _with_ties(ranked: Ranked) -> Ranked:
    """Return the ranking in which actions without regret are optimal beside a pure choice, and undecided."""
    if ranked.best is None:
        return ranked
    optimal = [used or regret == 0 for used, regret in zip(ranked.optimal, ranked.regrets, strict=True)]
    undecided = [may and not used for may, used in zip(optimal, ranked.optimal, strict=True)]
    return ranked._replace(optimal=optimal, undecided=undecided)


def _completed(side: Side, mix: np.ndarray, plan: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return the mix, (S,), with the sets that the plan avoids filled in: by the first best action, or uniformly if the
    opponent's plan avoids them too."""
    mix, reach, (q, v) = mix.copy(), side.chance @ theirs, side.values(theirs)
    for k in np.flatnonzero(plan[side.parent] == 0):
        here = slice(side.first[k], side.first[k + 1])
        best = np.arange(here.stop - here.start) == (q[here] >= v[k] - TIED).argmax()
        mix[here] = best if reach[k] > 0 else side.uniform[here]
    return mix
