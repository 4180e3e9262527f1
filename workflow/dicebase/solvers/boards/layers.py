"""The values of one layer of a board (vocabulary/layers.py), from the values of later layers, in doubles.

The positions of a layer lead to one another, and there are too many of them for a linear system. Sweeps over all moves
use each new value at once (Gauss-Seidel value iteration). If all play eventually leaves the layer, a sweep is a
contraction in a weighted maximum norm, so sweeps converge. Between them, cheaper sweeps evaluate the greedy policies.
With two players such evaluations might cycle in theory, so only the first rounds use them. The solver refuses a layer
in which optimal play need not end, or whose values have not converged after the last round. For all other layers the
certificate bounds the error.
"""

import numpy as np

from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.cycles import loop_from
from dicebase.vocabulary.kernels import kernel
from dicebase.vocabulary.layers import Moves

EVALUATIONS, EVALUATED = 6, 1_000  # policy sweeps after each sweep over all moves; rounds that use them
MOST_SWEEPS = 10_000
NEAR = 2.0**-51


def solve_layer(moves: Moves, weights: tuple[int, ...], size: int, ahead: list[np.ndarray]) -> np.ndarray:
    """Return the mover's P(win) in each position of a layer, (size,).

    weights : weights of the dice rolls, the same in every position. ahead : values of the following layers, in order.
    Raises ConfigurationError if optimal play never ends from some position, or if values do not converge.
    """
    values = np.concatenate([np.full(size, 0.5), *ahead, np.zeros(1)])
    falls = len(weights)
    chances = np.array(weights) / sum(weights)
    policy = np.zeros(size * falls, np.uint8)
    least, waited = np.inf, 0
    for done in range(MOST_SWEEPS):
        change = _improve(moves.begin, moves.to, chances, size, values, policy)
        waited = 0 if change < least else waited + 1
        least = min(least, change)
        if converged := change <= NEAR or (waited > 3 and change <= 8 * NEAR):
            break
        for _ in range(EVALUATIONS if done < EVALUATED else 0):
            _evaluate(moves.begin, moves.to, chances, size, values, policy)
    held = np.ones(size, np.bool_)
    while _let_go(moves.begin, moves.to, falls, policy, held):
        pass
    if held.any():
        after = moves.to[moves.begin[:-1:falls] + policy[::falls]]
        loop = loop_from(int(held.argmax()), np.where(after >= 0, after, ~after).item)
        shown = " -> ".join(map(str, [*loop[:4], *["..."][: len(loop) > 4], loop[0]]))
        raise ConfigurationError(f"play need not end: best moves cycle through positions {shown}")
    if not converged:
        raise ConfigurationError(f"values have not converged: after {MOST_SWEEPS:,} sweeps they change by {change:.3g}")
    return values[:size].copy()


@kernel
def _let_go(begin, to, falls, policy, held):
    """Unmark positions in `held`, (size,), from which the policy may reach an unmarked position; return whether this
    changed any."""
    found = False
    for position in range(len(held) - 1, -1, -1):
        for fall in range(position * falls, (position + 1) * falls):
            if not held[position]:
                break
            there = to[begin[fall] + policy[fall]]
            there = there if there >= 0 else ~there
            if not (there < len(held) and held[there]):
                held[position], found = False, True
    return found


@kernel
def _improve(begin, to, chances, size, values, policy):
    """Sweep over all moves; update `values`, and `policy`, (size * falls,), the index of the best move. Return the
    largest change. begin, to : as in Moves. chances : P(roll)."""
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
    """Update `values` in one sweep over the moves of a policy."""
    falls = len(chances)
    for position in range(size - 1, -1, -1):
        worth = 0.0
        for fall in range(position * falls, (position + 1) * falls):
            there = to[begin[fall] + policy[fall]]
            worth += chances[fall - position * falls] * (values[there] if there >= 0 else 1 - values[~there])
        values[position] = worth
