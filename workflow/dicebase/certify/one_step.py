"""One step of the rules in doubles, from published values: how wrong these can be, from the ends of play back.

certify/decisions.py says why. Sums are compensated, so that their error does not grow with the number of their terms.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from dicebase.certify.chance import kernel
from dicebase.certify.finding import EPSILON
from dicebase.certify.positions import Positions


def solving_order(p: Positions) -> tuple[np.ndarray, np.ndarray]:
    """(states, each after those it leads to; where the components end among them).

    A component is a state, or several that lead to one another.
    """
    states, afterstates = len(p.first) - 1, len(p.begin) - 1
    # States, afterstates, and the end as one node each.
    to = np.concatenate([states + p.after, np.where(p.to < 0, states + afterstates, p.to)])
    first = np.concatenate([p.first, p.first[-1] + p.begin[1:], [len(to)]])
    nodes = states + afterstates + 1
    graph = csr_array((np.ones(len(to), np.int8), to, first), shape=(nodes, nodes))
    component = connected_components(graph, connection="strong")[1][:states]
    order = np.argsort(component, kind="stable")
    return order, np.append(np.flatnonzero(np.diff(component[order])) + 1, states)


class Step(NamedTuple):
    """One step of the rules in doubles; see positions.Positions."""

    first: np.ndarray
    after: np.ndarray
    begin: np.ndarray
    to: np.ndarray
    sign: np.ndarray
    reward: np.ndarray  # (outcomes,)
    weight: np.ndarray  # of all dice, one after another
    die: np.ndarray  # (afterstates,), where the weights of its outcomes begin
    total: np.ndarray  # (afterstates,), their sum

    @classmethod
    def of(cls, p: Positions) -> "Step":
        """Weights are exact up to a sum of 2**53, chances rounded once beyond."""
        sums = [sum(die) for die in p.dice]
        large = [1 if total <= 2**53 else total for total in sums]
        weight = np.array([w / by for die, by in zip(p.dice, large, strict=True) for w in die], float)
        at = np.cumsum([0, *map(len, p.dice)])
        totals = np.array([total / by for total, by in zip(sums, large, strict=True)], float)
        rewards = np.array([float(reward) for reward in p.rewards])
        return cls(p.first, p.after, p.begin, p.to, p.sign, rewards[p.reward], weight, at[p.die], totals[p.die])


@kernel
def _ahead(step, b, values, bounds, part, c, alone):
    """An afterstate b, seen from component c, of one state where it is `alone`: (its worth, by how much that may be
    wrong; the share that stays inside, or of a state alone that it is worth again; the largest bound outside).

    Alone, the worth is that of whatever leaves. Otherwise it counts with the values inside, and nothing is said of how
    wrong these may be.
    """
    worth, low, size, errors, stays, again, largest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    total, at, leaves = step.total[b], step.die[b] - step.begin[b], False
    for o in range(step.begin[b], step.begin[b + 1]):
        weight, term, t = step.weight[at + o], step.reward[o], step.to[o]
        size += weight * abs(term)
        inside = t >= 0 and part[t] == c
        leaves |= not inside
        if inside:
            stays += weight
            again += weight * step.sign[o]
        elif t >= 0:
            errors += weight * bounds[t]
            if not bounds[t] <= largest:
                largest = bounds[t]
        if t >= 0 and not (inside and alone):
            term += step.sign[o] * values[t]
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


@njit(cache=True, nogil=True)
def check_values(step, sense, order, ends, values):
    """By action its worth from the values and the share of it that stays; by state the residual, by how much the best
    worth may be wrong, and the bound; the first state without a bound, or -1."""
    states = len(order)
    part, again, shares = np.full(states, -1), np.empty(len(step.after)), np.empty(len(step.after))
    rounding, stay, wide = np.empty(len(step.after)), np.ones(states), np.empty(states)
    residuals, errors, bounds = np.zeros(states), np.zeros(states), np.full(states, np.nan)
    policy = np.empty(states, np.int64)
    begin = 0
    for c in range(len(ends)):
        inside = order[begin : ends[c]]
        begin, alone, largest = ends[c], len(inside) == 1, 0.0
        part[inside] = c
        for s in inside:
            best = -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                again[k], rounding[k], shares[k], outside = _ahead(step, step.after[k], values, bounds, part, c, alone)
                largest = max(largest, outside)
                errors[s] = max(errors[s], rounding[k])
                if sense[s] * again[k] > best:
                    best, policy[s] = sense[s] * again[k], k
                if not np.isfinite(rounding[k]):
                    return again, shares, residuals, errors, bounds, s
            best *= sense[s]
            residuals[s] = abs(values[s] - best)
            if alone:
                # Taken once, an action that stays leads to the best one.
                for k in range(step.first[s], step.first[s + 1]):
                    again[k] += shares[k] * (best - again[k])
                bounds[s] = residuals[s] + errors[s]
        if not alone and not _enclose(
            step,
            sense,
            inside,
            part,
            c,
            values,
            policy,
            again,
            rounding,
            residuals,
            errors,
            largest,
            stay,
            wide,
            bounds,
        ):
            return again, shares, residuals, errors, bounds, inside[0]
    return again, shares, residuals, errors, bounds, -1


@kernel
def _enclose(
    step, sense, inside, part, c, values, policy, again, rounding, residuals, errors, largest, stay, wide, bounds
):
    """Find bounds of a component; whether there are any."""
    most = 0.0
    for _ in range(10_000):
        change = 0.0
        for s in inside:
            longer = 1 + _inside(step, step.after[policy[s]], part, c, stay, bounds, 0.0)
            change, stay[s] = max(change, (longer - stay[s]) / longer), longer
        if change < 1e-3:
            break
    for s in inside:
        most = max(most, residuals[s] + errors[s])
    width = 1.25 * most
    for _ in range(60):
        for s in inside:
            wide[s] = largest + width * stay[s]
        if _between(step, sense, inside, part, c, values, again, rounding, wide, bounds):
            for s in inside:
                bounds[s] = wide[s] * (1 + 1e-9)
            return True
        width *= 1.5
    return False


@kernel
def _between(step, sense, inside, part, c, values, again, rounding, wide, bounds):
    """Whether one step leads from values +- wide to strictly between them."""
    for s in inside:
        up, down = -np.inf, -np.inf
        for k in range(step.first[s], step.first[s + 1]):
            worth = sense[s] * again[k]
            off = _inside(step, step.after[k], part, c, wide, bounds, 1.0) * (1 + 1e-9) + rounding[k]
            up, down = max(up, worth + off), max(down, worth - off)
        value = sense[s] * values[s]
        if not (up < value + wide[s] and down > value - wide[s]):
            return False
    return True


@kernel
def _inside(step, b, part, c, numbers, bounds, outside):
    """The mean of numbers after an afterstate, inside of a component, and of bounds outside, times `outside`."""
    summed, at = 0.0, step.die[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        t = step.to[o]
        if t >= 0:
            summed += step.weight[at + o] * (numbers[t] if part[t] == c else outside * bounds[t])
    return summed / step.total[b]


def at_the_start(step: Step, values: np.ndarray, bounds: np.ndarray) -> tuple[float, float]:
    """What play is worth as it begins, and by how much that may be wrong."""
    return _ahead(step, 0, values, bounds, np.full(len(values), -1), -2, False)[:2]
