"""Play games by a published table, and compute a confidence interval for the expected payoff.

FEWEST games measure the moves per game; then games are played until about MOVES moves, at most MOST games. The table's
name, parameters and definitions seed the dice, so builds are reproducible. The intervals have significance LEVEL: the
bound of Hoeffding (1963, theorem 1) for payoffs with known limits, and the empirical Bernstein bound of Maurer & Pontil
(2009, theorem 4) for others; docs/why/certificates.md says what they prove.
"""

import hashlib
import json
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dicebase.certify.play.chance import streams
from dicebase.tables.names import Definitions, Variant

LEVEL = 5e-7
FEWEST, MOST = 2_000, 40_000
MOVES = 5_000_000
LONGEST = 40 * MOVES
"""Simulations with more moves are abandoned."""

LIMITS = {"probability": (0.0, 1.0), "P(win) - P(lose)": (-1.0, 1.0)}
"""The limits of a payoff, by the unit of its expectation."""


class Simulation(NamedTuple):
    """The first mover's mean payoff, in the unit of the value, and the confidence interval of its expectation."""

    mean: float
    low: float
    high: float
    games: int
    against_chance: float | None = None  # upper limit of the mean against a random opponent, in two-player games


Play = Callable[[np.ndarray], tuple[np.ndarray, int]]
"""Plays one game per stream, which it advances; returns the first mover's payoffs and the total number of moves, and
stops after LONGEST moves."""


def simulate(
    play: Play, seed: int, unit: str, spread: float = 0.0, against_chance: Play | None = None, most: int | None = None
) -> Simulation | None:
    """Play games and return their mean and interval; None if FEWEST of them take more than LONGEST moves.

    spread : known range of payoffs without limits; a larger observed range replaces it.
    against_chance : the same as `play` against a random opponent.
    most : maximum number of games, MOST by default.
    """
    if against_chance is not None:
        found, other = simulate(play, seed, unit, spread), simulate(against_chance, seed + 1, unit, spread)
        return found and other and found._replace(against_chance=other.high)
    dice = streams(seed, MOST)
    payoffs, moves = play(dice[:FEWEST])
    if moves > LONGEST:
        return None
    games = min(most or MOST, max(FEWEST, MOVES * FEWEST // max(1, moves)))
    if games > FEWEST:
        more, moves = play(dice[FEWEST:games])
        payoffs = payoffs if moves > LONGEST else np.concatenate([payoffs, more])
    # fsum rounds once, so sums do not depend on the machine.
    mean = math.fsum(payoffs) / len(payoffs)
    low, high = _limited(mean, len(payoffs), *LIMITS[unit]) if unit in LIMITS else _unlimited(payoffs, mean, spread)
    rounding = 1e-12 * max(1.0, abs(mean))
    return Simulation(mean, low - rounding, high + rounding, len(payoffs))


def seed_of(table: str, parameters: Variant, definitions: Definitions) -> int:
    """Return the seed of a variant's games, below 2**64."""
    text = json.dumps([table, parameters, definitions], sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _limited(mean: float, games: int, least: float, most: float) -> tuple[float, float]:
    """Return Hoeffding's interval, in the form with the Kullback-Leibler divergence, for payoffs in [least, most]."""
    x = min(1.0, max(0.0, (mean - least) / (most - least)))
    far = math.log(2 / LEVEL) / games
    low, high = _furthest(x, 0.0, far), _furthest(x, 1.0, far)
    return least + low * (most - least), least + high * (most - least)


def _furthest(x: float, end: float, far: float) -> float:
    """Return m between x and `end` with KL(x, m) = far, by bisection; `end` if there is no such m."""
    near = x
    for _ in range(60):
        middle = (near + end) / 2
        if _divergence(x, middle) <= far:
            near = middle
        else:
            end = middle
    return end


def _divergence(x: float, m: float) -> float:
    terms = ((x, m), (1 - x, 1 - m))
    return sum(p * (math.log(p / q) if q else math.inf) for p, q in terms if p)


def _unlimited(payoffs: np.ndarray, mean: float, spread: float) -> tuple[float, float]:
    """Return Maurer & Pontil's interval for payoffs with the observed range, or `spread` if that is larger."""
    games, far = len(payoffs), math.log(4 / LEVEL)
    variance = math.fsum((payoffs - mean) ** 2) / (games - 1)
    spread = max(spread, float(np.ptp(payoffs)))
    half = math.sqrt(2 * variance * far / games) + 7 * spread * far / (3 * (games - 1))
    return mean - half, mean + half
