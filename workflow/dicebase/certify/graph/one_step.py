"""Error bounds of published values, from one step of the rules in doubles; docs/why/certificates.md has the proofs.

The bound of a state alone in its component is its residual plus its successors' bounds; the bounds of a larger
component are raised until one step leads strictly between v - bound and v + bound. Kernels fill in `found`; `part` (S,)
holds the component of each state, or -1 if it is still unchecked."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.graph.longest_play import STRICT, Endless, play_bounds
from dicebase.certify.graph.step import Checked, Step
from dicebase.certify.graph.waiting import Waiting, waiting_bounds
from dicebase.vocabulary.arithmetic.components import solving_order
from dicebase.vocabulary.kernels import inner, kernel

LEAST = 1e-280  # margin of bounds if all values are zero
SWEEPS, MANY = 200, 10_000  # larger components get a quarter of the sweeps: a linear system is faster
NEVER = 2.0  # share of an action that never leaves its state
NOTHING_STATED = *np.zeros((2, 0), bool), 0.0  # the arguments of kernels if the rules say nothing about endless play


@kernel
def ahead(step, b, values, bounds, part, c, alone):
    """Return (value, error, share) of afterstate b for a state of component c.

    If the state is `alone` in c, self-loops are excluded, the error includes the successors' `bounds` (S,), and the
    share is the signed probability of a self-loop. Otherwise, or if the state is never left (share NEVER), the value
    follows from all `values` (S,) by one step, the error is its rounding, and the share in a larger component is the
    probability of staying in it.
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
        # Compensated summation: the error does not grow with the number of terms.
        whole = worth + term
        low += (worth - whole) + term if abs(worth) >= abs(term) else (term - whole) + worth
        worth = whole
    worth += low
    # At most five roundings per term, one at the end; `errors` has positive terms.
    terms = step.begin[b + 1] - step.begin[b]
    error = errors * (1 + (terms + 8) * EPSILON) + 4 * EPSILON * size
    left = total - again if apart else total
    if again % 1 != 0:  # the probabilities were rounded
        error += abs(worth) * terms * EPSILON / left
    return worth / left, error / left, ((again if apart else stays) / total if leaves else NEVER)


def check_values(
    step: Step,
    sense: np.ndarray,
    order: np.ndarray,
    ends: np.ndarray,
    values: np.ndarray,
    waiting: Waiting | None = None,
) -> tuple[Checked, Endless | None]:
    """Return the results of one step from MAX's `values`, (S,), and the first states without a bound, if any.

    sense : (S,), 1 if MAX moves, -1 if MIN; order, ends : from components.solving_order. waiting : what the rules say
    about endless play, if anything; the components in which play may wait are added to it.
    """
    actions, states = (np.zeros((n, count)) for n, count in ((3, len(step.after)), (4, len(order))))
    found, part = Checked(*actions, *states), np.full(len(order), -1)
    found.bounds[:] = np.nan
    values = values.view()
    values.flags.writeable = False  # like the arrays of a file, so that the kernel is compiled once
    c, may_wait = 0, waiting.arrays if waiting else NOTHING_STATED
    while (c := _check(step, sense, order, ends, c, part, values, found, *may_wait)) < len(ends):
        inside = order[ends[c - 1] if c else 0 : ends[c]]
        if waiting and len(inside) == 1:
            take_step(step, sense, inside, part, c, values, found)
        proved = waiting_bounds(step, sense, inside, values, found, waiting) if waiting else False
        if not proved:
            proved = play_bounds(step, sense, inside, values, found) or _holds(step, sense, inside, values, found)
        if proved is not True:
            return found, proved or Endless(int(inside[0]))
        c += 1
    return found, waiting.finish(step, found.share == NEVER) if waiting else None


@kernel
def _check(step, sense, order, ends, first, part, values, found, free, played, pays):
    """Check the components from number `first` on; return the first for which sweeps find no bounds, or len(ends). The
    last three arguments are those of Waiting; `free` is empty if the rules do not say what endless play pays."""
    for c in range(first, len(ends)):
        inside = order[ends[c - 1] if c > 0 else 0 : ends[c]]
        part[inside] = c
        if len(inside) == 1:
            if not _alone(step, sense, inside[0], part, c, values, found, free, played, pays):
                return c
            continue
        take_step(step, sense, inside, part, c, values, found)
        if not _sweep(step, sense, inside, values, found):
            return c
    return len(ends)


@kernel
def take_step(step, sense, inside, part, c, values, found):
    """Record the results of one step from the states of component c: q-values, residuals and margins."""
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


@inner
def _alone(step, sense, s, part, c, values, found, free, played, pays):
    """Check state s, a component of its own; return False if it has no bound."""
    best, waits = -np.inf, False
    for k in range(step.first[s], step.first[s + 1]):
        worth, wrong, found.share[k] = ahead(step, step.after[k], values, found.bounds, part, c, True)
        found.again[k], found.rounding[k] = worth, wrong
        if found.share[k] != NEVER:
            found.errors[s] = max(found.errors[s], wrong)
            best = max(best, sense[s] * worth)
        elif len(free) > 0 and free[step.after[k]]:
            found.errors[s] = max(found.errors[s], EPSILON * abs(pays))
            best, waits = max(best, sense[s] * pays), waits or played[k]
    best *= sense[s]
    found.residuals[s] = abs(values[s] - best)
    found.bounds[s] = found.residuals[s] + found.errors[s]
    for k in range(step.first[s], step.first[s + 1]):
        if found.share[k] == NEVER and not (len(free) > 0 and free[step.after[k]]):
            if not sense[s] * (found.again[k] - values[s]) + found.rounding[k] < 0:
                return False
        elif found.share[k] != 0 and found.share[k] != NEVER:
            # The q-value is that of taking the action once: after a self-loop the best action follows.
            found.again[k] += found.share[k] * (best - found.again[k])
    # The published action may wait only if leaving is not worth more.
    return np.isfinite(found.bounds[s]) and not (waits and sense[s] * (values[s] - pays) > found.bounds[s])


@inner
def _sweep(step, sense, inside, values, found):
    """Raise the bounds of a component until one step stays within them; return whether that succeeded."""
    for s in inside:
        found.bounds[s] = found.margin[s]
    for _ in range(SWEEPS if len(inside) < MANY else SWEEPS // 4):
        rises = False
        for s in inside:
            off = _off(step, sense, s, values, found)
            off += abs(off) * STRICT + found.margin[s]
            rises |= off > found.bounds[s] + found.margin[s] / 4
            found.bounds[s] = max(off, found.bounds[s])
        if not rises and _holds(step, sense, inside, values, found):
            return True
    return False


@kernel
def _holds(step, sense, inside, values, found):
    """Return whether one step of the rules leads strictly between v - bound and v + bound in the whole component."""
    holds = True
    for s in inside:
        holds &= _off(step, sense, s, values, found) < found.bounds[s] < np.inf
    return holds


@inner
def _off(step, sense, s, values, found):
    """Return how far from v in state s one step from v - bounds or v + bounds leads, whichever is farther."""
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


def proved(step: Step, sense: np.ndarray, values: np.ndarray, fail: Fail) -> tuple[Checked, np.ndarray, np.ndarray]:
    """Return the results of one step from the values, (S,), of any board, and its states as solving_order returns them;
    fail if a value has no bound."""
    order, ends = solving_order(step)
    found, endless = check_values(step, sense, order, ends, values)
    if endless:
        fail(None, endless.said())
    return found, order, ends


def at_the_start(step: Step, values: np.ndarray, bounds: np.ndarray, start: int = 0) -> tuple[float, float]:
    """Return the value of afterstate `start`, where play begins, and its error bound."""
    # int32 like all numbers of afterstates: another type would cost half a second of compilation.
    return ahead(step, np.int32(start), values, bounds, np.full(len(values), -1), -2, True)[:2]
