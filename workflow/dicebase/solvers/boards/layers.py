"""The values of one layer of a board (vocabulary/layers.py), from the values of later layers, in doubles.

The positions of a layer lead to one another, and there are too many of them for a linear system. Sweeps over all moves
use each new value at once (Gauss-Seidel value iteration). If all play eventually leaves the layer, a sweep is a
contraction in a weighted maximum norm, so sweeps converge. Between them, cheaper sweeps evaluate the greedy policies.
With two players such evaluations might cycle in theory, so only the first rounds use them. The solver refuses a layer
in which optimal play need not end, or whose values have not converged after the last round. For all other layers the
certificate bounds the error.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.arithmetic.cycles import loop_from
from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.layers import Moves

EVALUATIONS, EVALUATED = 40, 1_000  # most policy sweeps after each sweep over all moves; rounds that use them
MOST_SWEEPS = 10_000
NEAR = 2.0**-51


def solve_layer(
    parts: Iterable[tuple[int, Moves]],
    dice: Sequence[Sequence[int]],
    size: int,
    ahead: Sequence[Sequence[float]],
    total: float,
) -> np.ndarray:
    """Return the value of each position of a layer to its owner, who wants the most, (size,).

    parts : the moves, as in Parts. dice : weights, as in Layers. ahead : values of the following layers, in order, and
    of the ends of play. total : what the values of both players sum to.
    Raises ConfigurationError if optimal play never ends from some position, or if values do not converge.
    """
    values = np.concatenate([np.full(size, total / 2), *ahead])
    chances = np.array(dice) / np.abs(dice).sum(axis=1, keepdims=True)
    falls = chances.shape[1]
    chosen = np.full(size * falls, len(values) - 1, np.int32)
    kinds, earned = np.zeros(size, np.uint8), np.zeros(size)
    least, waited = np.inf, 0
    for done in range(MOST_SWEEPS):
        change = 0.0
        for first, moves in parts:
            change = max(change, _improve(*moves, first, chances, total, values, chosen, earned))
            kinds[first : first + len(moves.dice)] = moves.dice
        waited = 0 if change < least else waited + 1
        least, near = min(least, change), NEAR * max(1.0, np.abs(values).max())
        if converged := change <= near or (waited > 3 and change <= 8 * near):
            break
        for _ in range(EVALUATIONS if done < EVALUATED else 0):
            if _evaluate(kinds, chances, total, values, chosen, earned) < change / 64:
                break
    held = np.ones(size, np.bool_)
    while _let_go(kinds, chances, chosen, held):
        pass
    if held.any():
        loop = loop_from(int(held.argmax()), lambda p: _place(chosen[p * falls + np.flatnonzero(chances[kinds[p]])[0]]))
        shown = " -> ".join(map(str, [*loop[:4], *["..."][: len(loop) > 4], loop[0]]))
        raise ConfigurationError(f"play need not end: best moves cycle through positions {shown}")
    if not converged:
        raise ConfigurationError(f"values have not converged: after {MOST_SWEEPS:,} sweeps they change by {change:.3g}")
    return values[:size].copy()


def _place(there: int) -> int:
    return int(max(there, ~there))


@kernel
def _let_go(kinds, chances, chosen, held):
    """Unmark positions in `held`, (size,), from which the policy may reach an unmarked position; return whether this
    changed any."""
    found, falls = False, chances.shape[1]
    for position in range(len(held) - 1, -1, -1):
        for fall in range(falls):
            if not held[position]:
                break
            there = chosen[position * falls + fall]
            there = max(there, ~there)
            if chances[kinds[position], fall] != 0 and not (there < len(held) and held[there]):
                held[position], found = False, True
    return found


@inner
def _after(there, values, total):
    return values[there] if there >= 0 else total - values[~there]


@kernel
def _improve(begin, to, paid, dice, first, chances, total, values, chosen, earned):
    """Sweep over all moves of a part that begins with position `first`. Return the largest change.

    begin, to, paid, dice : Moves. chances : (rows of dice, outcomes), probabilities with the signs of the weights.
    values : updated. chosen : (size * outcomes,), filled with the position that the best move leads to. earned :
    (size,), filled with the expected reward of these moves to the position's owner.
    """
    largest, falls = 0.0, chances.shape[1]
    for i in range(len(dice) - 1, -1, -1):
        worth, position = 0.0, first + i
        earned[position] = 0.0
        for fall in range(falls):
            chance, best, at = chances[dice[i], fall], -np.inf, i * falls + fall
            if chance == 0:
                continue
            best_move = begin[at]
            for move in range(begin[at], begin[at + 1]):
                found = _after(to[move], values, total)
                if len(paid) > 0:
                    found += paid[move]
                if found > best:
                    best, best_move = found, move
            chosen[position * falls + fall] = to[best_move]
            if len(paid) > 0:
                earned[position] += chance * paid[best_move]
            worth += chance * best if chance > 0 else -chance * (total - best)
        largest = max(largest, abs(worth - values[position]))
        values[position] = worth
    return largest


@kernel
def _evaluate(kinds, chances, total, values, chosen, earned):
    """Update `values` in one sweep over the moves of a policy; return the largest change."""
    largest, falls = 0.0, chances.shape[1]
    for position in range(len(kinds) - 1, -1, -1):
        worth = earned[position]
        for fall in range(falls):
            chance, there = chances[kinds[position], fall], chosen[position * falls + fall]
            later = _after(there, values, total)
            worth += chance * later if chance >= 0 else -chance * (total - later)
        largest = max(largest, abs(worth - values[position]))
        values[position] = worth
    return largest
