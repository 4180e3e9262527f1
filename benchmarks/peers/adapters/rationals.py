"""dicebase's reference solver: plain enumeration in rationals, for any turn-based game."""

import numpy as np
from problems import CHIP

from adapters.ours import SCORING
from dicebase.games import pig, ten_thousand, ten_times_eighteen
from dicebase.matches.duels import duel
from dicebase.matches.sheets import score
from dicebase.matches.turns import turn
from dicebase.solvers import reference
from dicebase.tabulate.turns import complete
from dicebase.vocabulary import Definition


def build(problem: str, size: int):
    if problem == "pig_duel":
        return duel.DuelOfTurns(pig.Rules(), size), size
    if problem == "ten_times_eighteen":
        return score.BestScore(ten_times_eighteen.Rules(slots=size)), size
    game = complete(turn.BestTurn(ten_thousand.Rules(Definition("crocce_mordecki", SCORING))))
    if size > game.last:
        raise ValueError(f"its totals end at {game.last}, from where on the value is known")
    return game, size


def solve(problem: str, built) -> np.ndarray:
    game, size = built
    found = reference.solve(game)
    if problem == "pig_duel":
        points = range(size)
        return np.array([[2 * float(found.expected(("begin", (a, b)))) - 1 for b in points] for a in points])
    if problem == "ten_times_eighteen":
        return np.array([float(found.expected((free, 0))) for free in range(1, 1 << size)])
    return np.array([[_worth(found, total, dice) for dice in game.rules.modes] for total in range(0, size, CHIP)])


def _worth(found: reference.Solution, total: int, dice: int) -> float:
    """Return the value in chips; NaN if play cannot reach the position."""
    try:
        return float(max(found.expected(("roll", total, dice)), total) / CHIP)
    except KeyError:
        return np.nan
