"""One step of the rules in doubles, from published values: how wrong these can be, from the ends of play back, as
docs/why/certificates.md proves. Sums are compensated, so that their error does not grow with the number of their
terms."""

from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON
from dicebase.certify.positions import Positions
from dicebase.vocabulary import tie_of
from dicebase.vocabulary.kernels import inner, kernel


class Step(NamedTuple):
    """One step of the rules in doubles; see positions.Positions."""

    first: np.ndarray
    after: np.ndarray
    begin: np.ndarray
    to: np.ndarray
    weight: np.ndarray  # of all falls, one after another, as are rewards and signs
    reward: np.ndarray
    sign: np.ndarray
    fall: np.ndarray  # (afterstates,), where the weights of its outcomes begin
    total: np.ndarray  # (afterstates,), their sum

    @classmethod
    def of(cls, p: Positions) -> "Step":
        """Weights are exact up to a sum of 2**53, chances rounded once beyond."""
        sums = [sum(fall.weights) for fall in p.falls]
        large = [1 if total <= 2**53 else total for total in sums]
        weight = np.array([w / by for fall, by in zip(p.falls, large, strict=True) for w in fall.weights], float)
        reward = np.array([float(paid) for fall in p.falls for paid in fall.rewards])
        sign = np.array([sign for fall in p.falls for sign in fall.signs], float)
        totals = np.array([total / by for total, by in zip(sums, large, strict=True)], float)
        return cls(p.first, p.after, p.begin, p.to, weight, reward, sign, p.falls_at, totals[p.fall])


ALL = -1  # instead of a component
NEAR = 0.1  # positions: how exactly a stay is known
LEAST = 1e-280  # width of bounds: what is a part of it is no less exact


@kernel
def ahead(step, b, values, bounds, part, c, alone):
    """An afterstate b, seen from component c, of one state where it is `alone`: (its worth, by how much that may be
    wrong; the share that stays inside, or of a state alone that it is worth again; the largest bound outside).

    Alone, the worth is that of whatever leaves, and may be as wrong as what is outside. Otherwise it counts with all
    values, and nothing is said of how wrong these may be.
    """
    worth, low, size, errors, stays, again, largest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    total, fall, leaves = step.total[b], step.fall[b] - step.begin[b], False
    for o in range(step.begin[b], step.begin[b + 1]):
        weight, term, sign, t = step.weight[fall + o], step.reward[fall + o], step.sign[fall + o], step.to[o]
        size += weight * abs(term)
        inside = t >= 0 and part[t] == c
        leaves |= not inside
        if inside:
            stays += weight
            again += weight * sign
        elif t >= 0:
            errors += weight * bounds[t] * alone
            if not bounds[t] <= largest:
                largest = bounds[t]
        if t >= 0 and not (inside and alone):
            term += sign * values[t]
        term *= weight
        size += abs(term)
        # A compensated sum, whose error does not grow with its terms.
        whole = worth + term
        low += (worth - whole) + term if abs(worth) >= abs(term) else (term - whole) + worth
        worth = whole
    if alone and not leaves:
        return np.nan, np.nan, 1.0, largest
    worth += low
    # At most five roundings a term, and one at the end; the terms of `errors` are positive.
    error = errors * (1 + 1e-9) + 4 * EPSILON * size
    left = total - again if alone else total
    if again % 1 != 0:  # chances that were rounded
        error += abs(worth) * (step.begin[b + 1] - step.begin[b]) * EPSILON / left
    return worth / left, error / left, (again if alone else stays) / total, largest


UNBOUNDED = "no bounds are found that a step of the rules leads between: play may go on for ever"


class Checked(NamedTuple):
    """What is found, by action and by state."""

    again: np.ndarray  # (actions,), the worth of each from the values
    rounding: np.ndarray  # (actions,), by how much that may be wrong
    stays: np.ndarray  # (actions,) bool, whether it may leave the state as it is, which is worth that again
    residuals: np.ndarray  # (states,)
    errors: np.ndarray  # (states,), by how much the best worth may be wrong
    bounds: np.ndarray  # (states,)
    stay: np.ndarray  # (states,), how long play stays in the component under actions as good as the best


def check_values(
    step: Step, sense: np.ndarray, order: np.ndarray, ends: np.ndarray, values: np.ndarray
) -> tuple[Checked, int]:
    """What one step of the rules says of published values; and the first state without a bound, or -1.

    order, ends : as components.solving_order gives them.
    """
    actions, states = (np.zeros((n, count)) for n, count in ((2, len(step.after)), (4, len(order))))
    found = Checked(*actions, np.zeros(len(step.after), bool), *states)
    found.bounds[:] = np.nan
    values = values.view()
    values.flags.writeable = False  # as those of a file are: the kernel is compiled once
    return found, _check(step, sense, order, ends, values, tie_of(float(np.abs(values).max())), found)


@kernel(_nrt=True)
def _check(step, sense, order, ends, values, tie, found):
    part, begin = np.full(len(order), -1), 0
    for c in range(len(ends)):
        inside = order[begin : ends[c]]
        begin, alone, largest = ends[c], len(inside) == 1, 0.0
        part[inside] = c
        for s in inside:
            best = -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                worth, wrong, share, outside = ahead(step, step.after[k], values, found.bounds, part, c, alone)
                found.again[k], found.rounding[k], found.stays[k] = worth, wrong, share != 0
                largest = max(largest, outside)
                found.errors[s] = max(found.errors[s], wrong)
                best = max(best, sense[s] * worth)
                if not np.isfinite(wrong):
                    return s
            best *= sense[s]
            found.residuals[s] = abs(values[s] - best)
            if alone:
                # Taken once, an action that stays leads to the best one.
                for k in range(step.first[s], step.first[s + 1]):
                    if found.stays[k]:
                        share = ahead(step, step.after[k], values, found.bounds, part, c, alone)[2]
                        found.again[k] += share * (best - found.again[k])
                found.bounds[s] = found.residuals[s] + found.errors[s]
        if not alone and not _enclose(step, sense, inside, part, c, values, tie, largest, found):
            return inside[0]
    return -1


@inner
def _enclose(step, sense, inside, part, c, values, tie, largest, found):
    """Find bounds of a component; whether there are any."""
    most = 0.0
    for s in inside:
        most, found.stay[s] = max(most, found.residuals[s] + found.errors[s]), 1.0
    for made in range(10_000):
        change, moves, products, squares = 0.0, 0.0, 0.0, 0.0
        for s in inside:
            longest, best = 1.0, -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                best = max(best, sense[s] * found.again[k])
            for k in range(step.first[s], step.first[s + 1]):
                if best - sense[s] * found.again[k] <= tie:
                    longest = max(longest, 1 + _mean(step, step.after[k], found.stay, part, c))
            moved, last = longest - found.stay[s], found.bounds[s]
            moves, products, squares = moves + moved * moved, products + moved * last, squares + last * last
            change, found.stay[s], found.bounds[s] = max(change, abs(moved)), longest, moved
        if change < NEAR:
            break
        # Long stays grow by moves that are each the same part of the last one: add all those to come.
        same = products / squares
        if made > 100 and same < 1 and moves - same * products < 0.01 * (1 - same) ** 2 * moves:
            for s in inside:
                found.stay[s] += found.bounds[s] * same / (1 - same)
    # Where nothing is earned any more nothing is rounded.
    width = max(1.25 * most, 1e-9 * largest, LEAST)
    for _ in range(60):
        for s in inside:
            found.bounds[s] = largest + width * found.stay[s]
        holds = True
        for s in inside:
            if not _off(step, sense, s, part, values, found) < found.bounds[s]:
                holds = False
                break
        if holds:
            break
        width *= 1.5
    if not holds:
        return False
    # Whatever lies beyond the true values does so a step of the rules later.
    for _ in range(1000):
        change = 0.0
        for s in inside:
            nearer = max(_off(step, sense, s, part, values, found) * (1 + 1e-9), LEAST)
            if nearer < found.bounds[s]:
                change, found.bounds[s] = max(change, 1 - nearer / found.bounds[s]), nearer
        if change < 1e-2:
            break
    return True


@inner
def _off(step, sense, s, part, values, found):
    """By how much one step leads away from a value, to either side, from values that are off by their bounds."""
    up, down, value = -np.inf, np.inf, sense[s] * values[s]
    for k in range(step.first[s], step.first[s + 1]):
        away = sense[s] * found.again[k] - value
        off = _mean(step, step.after[k], found.bounds, part, ALL) * (1 + 1e-9) + found.rounding[k]
        up, down = max(up, away + off), min(down, off - away)
    return max(up, down)


@inner
def _mean(step, b, numbers, part, c):
    """The mean of numbers after an afterstate; those outside of component c count nothing, unless it is ALL."""
    summed, fall = 0.0, step.fall[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        t = step.to[o]
        if t >= 0 and (c == ALL or part[t] == c):
            summed += step.weight[fall + o] * numbers[t]
    return summed / step.total[b]


def at_the_start(step: Step, values: np.ndarray, bounds: np.ndarray) -> tuple[float, float]:
    """What play is worth as it begins, and by how much that may be wrong."""
    # Of the type that all numbers of afterstates have: one more is half a second of compiling.
    return ahead(step, np.int32(0), values, bounds, np.full(len(values), -1), -2, True)[:2]
