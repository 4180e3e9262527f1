"""The values of all positions of a board, in doubles, from the ends of play back, component by component: one backup,
or sweeps until bounds are proved, as docs/why/solvers.md has them (Games that state their own positions)."""

import numpy as np

from dicebase.solve.boards.positions import Positions
from dicebase.vocabulary import TIE, ConfigurationError
from dicebase.vocabulary.kernels import inner, kernel

EVALUATIONS = 12  # sweeps over the policy for each over all actions
MOST_SWEEPS = 200_000
NEAR = 0.1  # positions: how exactly a stay is known
EPSILON = 2.0**-52


def solve(p: Positions, sense: int) -> np.ndarray:
    """The value of each state, (S,), to its mover, who wants much where `sense` is 1 and little where it is -1.

    Raises ConfigurationError where play need not end, or lasts too long for doubles.
    """
    values = np.full(len(p.states), np.nan)
    failed = _solve(p.step, sense, *p.order, values)
    if failed >= 0:
        raise ConfigurationError(f"position {p.states[failed]!r:.80}: from here play need not end, or nearly not")
    return values


@kernel(_nrt=True)
def q_values(step, values):
    """What each action is worth, (A,)."""
    found = np.empty(len(step.after))
    for k in range(len(found)):
        found[k] = _ahead(step, step.after[k], values)
    return found


@inner
def _ahead(step, b, values):
    worth, fall = 0.0, step.fall[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        later = step.sign[fall + o] * values[step.to[o]] if step.to[o] >= 0 else 0.0
        worth += step.chance[fall + o] * (step.reward[fall + o] + later)
    return worth


@kernel(_nrt=True)
def _solve(step, sense, order, ends, values):
    """Fill in the values; the first state from which play need not end, or -1."""
    part, policy, stay = np.full(len(order), -1), np.empty(len(order), np.int64), np.ones(len(order))
    worths, swept, moves = np.empty(len(step.fall)), np.zeros(len(step.fall), np.int64), np.zeros((3, len(order)))
    begin = 0
    sweep = np.int64(0)
    for c in range(len(ends)):
        inside = order[begin : ends[c]]
        begin = ends[c]
        if len(inside) == 1:
            s = inside[0]
            values[s] = _alone(step, sense, s, values)
            if not np.isfinite(values[s]):
                return s
            continue
        part[inside] = c
        sweep = _cycle(step, sense, inside, part, c, values, policy, stay, worths, swept, moves, sweep)
        if sweep < 0:
            return inside[0]
    return -1


@inner
def _alone(step, sense, s, values):
    """The value of a state that no other leads back to; NaN where an action never leaves it."""
    best = -np.inf
    for k in range(step.first[s], step.first[s + 1]):
        b = step.after[k]
        worth, again, leaves, fall = 0.0, 0.0, False, step.fall[b] - step.begin[b]
        for o in range(step.begin[b], step.begin[b + 1]):
            chance, t = step.chance[fall + o], step.to[o]
            worth += chance * step.reward[fall + o]
            if t == s:
                again += chance * step.sign[fall + o]
            else:
                leaves = True
                if t >= 0:
                    worth += chance * step.sign[fall + o] * values[t]
        if not leaves:
            return np.nan
        best = max(best, sense * worth / (1 - again))
    return sense * best


@inner
def _cycle(step, sense, inside, part, c, values, policy, stay, worths, swept, moves, sweep):
    """The values of a component; the number of the last sweep, or -1 where no bounds of them are proved.

    worths, swept : (B,), what an afterstate is worth, which many states lead to, and the sweep that this is of.
    """
    for s in inside:
        values[s] = 0.0
    scale, least, waited = 1.0, np.inf, 0
    for _ in range(MOST_SWEEPS // (EVALUATIONS + 1)):
        change, sweep = 0.0, sweep + 1
        for s in inside:
            best = -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                worth = sense * _once(step, step.after[k], values, worths, swept, sweep)
                if worth > best:
                    best, policy[s] = worth, k
            change = max(change, abs(sense * best - values[s]))
            values[s] = sense * best
            scale = max(scale, abs(best))
        if not change < np.inf:
            return -1
        # A few units in the last place are as near as sweeps come.
        waited = 0 if change < least else waited + 1
        least = min(least, change)
        if change <= 4 * EPSILON * scale or (waited > 2 and change <= TIE * scale):
            sweep += 1
            width = _width(step, sense, inside, part, c, values, stay, moves, scale, worths, swept, sweep)
            if width <= TIE / 4 * scale or (waited > 20 and width < np.inf):
                return sweep
            if waited > 20:
                return -1
        for made in range(EVALUATIONS):
            sweep += 1
            for s in inside:
                moved = _once(step, step.after[policy[s]], values, worths, swept, sweep) - values[s]
                values[s], moves[2, s], moves[1, s], moves[0, s] = values[s] + moved, moves[1, s], moves[0, s], moved
            if made > 1 and _leap(inside, values, moves):
                break
    return -1


@inner
def _leap(inside, values, moves):
    """Where each sweep moves values by the same mean of the last two moves, add all moves to come; whether it does."""
    n0, n1, m01, m02, m12, m00 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in inside:
        now, last, other = moves[0, s], moves[1, s], moves[2, s]
        m00, n0, n1 = m00 + now * now, n0 + last * last, n1 + other * other
        m01, m02, m12 = m01 + now * last, m02 + now * other, m12 + last * other
    if n0 == 0:
        return True
    spread = n0 * n1 - m12 * m12
    # The moves of a single mode are multiples of one another.
    b = (m02 * n0 - m01 * m12) / spread if spread > 1e-6 * n0 * n1 else 0.0
    a = (m01 - b * m12) / n0
    off, left = m00 - a * m01 - b * m02, 1 - a - b
    if not (0 < left < 2 and off < 0.01 * left * left * m00):
        return False
    for s in inside:
        values[s] += ((a + b) * moves[0, s] + b * moves[1, s]) / left
    return True


@inner
def _once(step, b, values, worths, swept, sweep):
    """What an afterstate is worth, computed once in a sweep."""
    if swept[b] != sweep:
        worths[b], swept[b] = _ahead(step, b, values), sweep
    return worths[b]


@inner
def _width(step, sense, inside, part, c, values, stay, moves, scale, worths, swept, sweep):
    """How far the true values of a component can be, those outside being true; infinite where nothing is proved."""
    most = 0.0
    for s in inside:
        best = -np.inf
        for k in range(step.first[s], step.first[s + 1]):
            best = max(best, sense * _once(step, step.after[k], values, worths, swept, sweep))
        most = max(most, abs(sense * best - values[s]))
        stay[s] = 1.0
    for made in range(10_000):
        change = 0.0
        for s in inside:
            longest = 1.0
            for k in range(step.first[s], step.first[s + 1]):
                if sense * (values[s] - _once(step, step.after[k], values, worths, swept, sweep)) <= TIE * scale:
                    longest = max(longest, 1 + _inside(step, step.after[k], part, c, stay))
            moved = longest - stay[s]
            change, stay[s] = max(change, abs(moved)), longest
            moves[2, s], moves[1, s], moves[0, s] = moves[1, s], moves[0, s], moved
        if change < NEAR:
            break
        if made > 100 and made % 4 == 0:
            _leap(inside, stay, moves)
    width, longest = 1.25 * most + 16 * EPSILON * scale, 0.0
    for s in inside:
        longest = max(longest, stay[s])
    for _ in range(30):
        holds = True
        for s in inside:
            up, down = -np.inf, -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                worth = sense * _once(step, step.after[k], values, worths, swept, sweep)
                further = width * _inside(step, step.after[k], part, c, stay)
                up, down = max(up, worth + further), max(down, worth - further)
            value, far = sense * values[s], width * stay[s]
            if not (up < value + far and down > value - far):
                holds = False
                break
        if holds:
            return width * longest
        width *= 1.5
    return np.inf


@inner
def _inside(step, b, part, c, numbers):
    """The mean of numbers after an afterstate, inside of a component."""
    summed, fall = 0.0, step.fall[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        t = step.to[o]
        if t >= 0 and part[t] == c:
            summed += step.chance[fall + o] * numbers[t]
    return summed
