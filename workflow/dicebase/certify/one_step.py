"""One step of the rules in doubles, from published values: how wrong these can be, from the ends of play back, as
docs/why/certificates.md proves.

Sums of values are compensated, so that their error does not grow with the number of their terms; sums of bounds are
not, and count their terms."""

import numpy as np

from dicebase.certify.finding import EPSILON
from dicebase.certify.longest_play import Endless, play_bounds
from dicebase.certify.step import Checked, Step
from dicebase.vocabulary.kernels import inner, kernel

LEAST = 1e-280  # margin of bounds, where nothing is earned any more
SWEEPS, MANY = 200, 10_000  # a quarter of the sweeps where states are many: a linear system takes no longer
NEVER = 2.0  # share of an action that never leaves a state


@kernel
def ahead(step, b, values, bounds, part, c, alone):
    """An afterstate b, seen from component c, of one state if it is `alone`: (its value, by how much that may be wrong;
    the share that stays inside, or by which a state alone has its own value again, NEVER if it is never left).

    Alone, the value is that of leaving, which is as wrong as the values outside. Otherwise, and if a state is never
    left, it is one step from all values, and nothing is said of how wrong these may be.
    """
    worth, low, size, errors, stays, again = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    total, fall, leaves = step.total[b], step.fall[b] - step.begin[b], not alone
    for o in range(step.begin[b], step.begin[b + 1]):
        leaves |= step.to[o] < 0 or part[step.to[o]] != c
    apart = alone and leaves
    for o in range(step.begin[b], step.begin[b + 1]):
        weight, term, sign, t = step.weight[fall + o], step.reward[fall + o], step.sign[fall + o], step.to[o]
        size += weight * abs(term)
        inside = t >= 0 and part[t] == c
        if inside:
            stays += weight
            again += weight * sign
        elif t >= 0:
            errors += weight * bounds[t] * alone
        if t >= 0 and not (inside and apart):
            term += sign * values[t]
        term *= weight
        size += abs(term)
        # A compensated sum, whose error does not grow with its terms.
        whole = worth + term
        low += (worth - whole) + term if abs(worth) >= abs(term) else (term - whole) + worth
        worth = whole
    worth += low
    # At most five roundings a term, and one at the end; the terms of `errors` are positive.
    terms = step.begin[b + 1] - step.begin[b]
    error = errors * (1 + (terms + 8) * EPSILON) + 4 * EPSILON * size
    left = total - again if apart else total
    if again % 1 != 0:  # chances that were rounded
        error += abs(worth) * terms * EPSILON / left
    return worth / left, error / left, ((again if apart else stays) / total if leaves else NEVER)


def check_values(
    step: Step, sense: np.ndarray, order: np.ndarray, ends: np.ndarray, values: np.ndarray
) -> tuple[Checked, Endless | None]:
    """What one step of the rules says of published values; and the first states that have no bound, if there are any.

    order, ends : as components.solving_order gives them.
    """
    actions, states = (np.zeros((n, count)) for n, count in ((3, len(step.after)), (4, len(order))))
    found, part = Checked(*actions, *states), np.full(len(order), -1)
    found.bounds[:] = np.nan
    values = values.view()
    values.flags.writeable = False  # as those of a file are: the kernel is compiled once
    c = 0
    while (c := _check(step, sense, order, ends, c, part, values, found)) < len(ends):
        inside = order[ends[c - 1] if c else 0 : ends[c]]
        endless = play_bounds(step, sense, inside, values, found)
        if endless or not _holds(step, sense, inside, values, found):
            return found, endless or Endless(int(inside[0]), ())
        c += 1
    return found, None


@kernel
def _check(step, sense, order, ends, first, part, values, found):
    """Check components from number `first` on; the first one that sweeps find no bounds of, or how many there are."""
    for c in range(first, len(ends)):
        inside = order[ends[c - 1] if c > 0 else 0 : ends[c]]
        part[inside] = c
        if len(inside) == 1:
            if not _alone(step, sense, inside[0], part, c, values, found):
                return c
            continue
        floor = LEAST
        for s in inside:
            best = -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                worth, wrong, found.share[k] = ahead(step, step.after[k], values, found.bounds, part, c, False)
                found.again[k], found.rounding[k] = worth, wrong
                found.errors[s] = max(found.errors[s], wrong)
                if sense[s] * worth > best:
                    best, found.margin[s] = sense[s] * worth, wrong
            found.residuals[s] = abs(values[s] - sense[s] * best)
            found.margin[s] = (found.margin[s] + found.residuals[s]) / 16
            floor = max(floor, found.margin[s] / 64)
        for s in inside:
            found.margin[s] += floor
        if not _sweep(step, sense, inside, values, found):
            return c
    return len(ends)


@inner
def _alone(step, sense, s, part, c, values, found):
    """Check a state that no other leads back to; False if it has no bound."""
    best = -np.inf
    for k in range(step.first[s], step.first[s + 1]):
        worth, wrong, found.share[k] = ahead(step, step.after[k], values, found.bounds, part, c, True)
        found.again[k], found.rounding[k] = worth, wrong
        if found.share[k] != NEVER:
            found.errors[s] = max(found.errors[s], wrong)
            best = max(best, sense[s] * worth)
    best *= sense[s]
    found.residuals[s] = abs(values[s] - best)
    found.bounds[s] = found.residuals[s] + found.errors[s]
    for k in range(step.first[s], step.first[s + 1]):
        if found.share[k] == NEVER:
            if not sense[s] * (found.again[k] - values[s]) + found.rounding[k] < 0:
                return False
        elif found.share[k] != 0:
            # Taken once, an action that stays leads to the best one.
            found.again[k] += found.share[k] * (best - found.again[k])
    return np.isfinite(found.bounds[s])


@inner
def _sweep(step, sense, inside, values, found):
    """Find bounds of a component from below: each is what a step leaves, and a margin; False if they rise for long."""
    for s in inside:
        found.bounds[s] = found.margin[s]
    for _ in range(SWEEPS if len(inside) < MANY else SWEEPS // 4):
        rises = False
        for s in inside:
            off = _off(step, sense, s, values, found) + found.margin[s]
            rises |= off > found.bounds[s] + found.margin[s] / 4
            found.bounds[s] = max(off, found.bounds[s])
        if not rises and _holds(step, sense, inside, values, found):
            return True
    return False


@kernel
def _holds(step, sense, inside, values, found):
    """Whether one step of the rules leads strictly between the bounds of a component."""
    holds = True
    for s in inside:
        holds &= _off(step, sense, s, values, found) < found.bounds[s] < np.inf
    return holds


@inner
def _off(step, sense, s, values, found):
    """By how much one step leads away from a value, to either side, from values that are off by their bounds."""
    up, down, value = -np.inf, np.inf, sense[s] * values[s]
    for k in range(step.first[s], step.first[s + 1]):
        b, summed = step.after[k], 0.0
        fall = step.fall[b] - step.begin[b]
        for o in range(step.begin[b], step.begin[b + 1]):
            if step.to[o] >= 0:
                summed += step.weight[fall + o] * found.bounds[step.to[o]]
        terms = step.begin[b + 1] - step.begin[b]
        off = summed / step.total[b] * (1 + (terms + 8) * EPSILON) + found.rounding[k]
        away = sense[s] * found.again[k] - value
        up, down = max(up, away + off), min(down, off - away)
    return max(up, down)


def at_the_start(step: Step, values: np.ndarray, bounds: np.ndarray) -> tuple[float, float]:
    """What play is worth as it begins, and by how much that may be wrong."""
    # Of the type that all numbers of afterstates have: one more is half a second of compiling.
    return ahead(step, np.int32(0), values, bounds, np.full(len(values), -1), -2, True)[:2]
