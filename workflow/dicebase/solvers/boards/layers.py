"""The values of a layer of a board (vocabulary/layers.py), from those of the layers ahead, in doubles.

Positions of a layer lead to one another. Sweeps over all moves, and over those of the best policy so far, put each new
value at once in the place of the old one (Gauss-Seidel), until it hardly changes: in doubles they end where a value is
a few units in the last place from what its moves are worth. How wrong values can be then the certificate says.
"""

import numpy as np

from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.layers import Moves

EVALUATIONS = 6  # sweeps over the policy for each over all moves
MOST_SWEEPS = 10_000
NEAR = 2.0**-51


def solve_layer(moves: Moves, weights: tuple[int, ...], size: int, ahead: list[np.ndarray]) -> np.ndarray:
    """The mover's chance to win in each position of a layer, (size,).

    ahead : the values of the layers that follow those of the layer, in order.

    Raises ConfigurationError where sweeps do not settle, as play need not end.
    """
    values = np.concatenate([np.full(size, 0.5), *ahead, np.zeros(1)])
    falls = len(weights)
    chances = np.array(weights) / sum(weights)
    policy = np.zeros(size * falls, np.uint8)
    least, waited = np.inf, 0
    for _ in range(MOST_SWEEPS):
        change = _improve(moves.begin, moves.to, chances, size, values, policy)
        waited = 0 if change < least else waited + 1
        least = min(least, change)
        if change <= NEAR or (waited > 3 and change <= 8 * NEAR):
            return values[:size].copy()
        for _ in range(EVALUATIONS):
            _evaluate(moves.begin, moves.to, chances, size, values, policy)
    raise ConfigurationError("values do not settle: from some positions play need not end")


@kernel
def _improve(begin, to, chances, size, values, policy):
    """One sweep over all moves; the largest change."""
    largest, falls = 0.0, len(chances)
    for position in range(size - 1, -1, -1):
        worth = 0.0
        for fall in range(position * falls, (position + 1) * falls):
            best = -1.0
            for move in range(begin[fall], begin[fall + 1]):
                there = to[move]
                found = values[there] if there >= 0 else 1 - values[~there]
                if found > best:
                    best, policy[fall] = found, move - begin[fall]
            worth += chances[fall - position * falls] * best
        largest = max(largest, abs(worth - values[position]))
        values[position] = worth
    return largest


@kernel
def _evaluate(begin, to, chances, size, values, policy):
    """One sweep over the moves of a policy."""
    falls = len(chances)
    for position in range(size - 1, -1, -1):
        worth = 0.0
        for fall in range(position * falls, (position + 1) * falls):
            there = to[begin[fall] + policy[fall]]
            worth += chances[fall - position * falls] * (values[there] if there >= 0 else 1 - values[~there])
        values[position] = worth
