"""The values of all positions of a board, in doubles, from the ends of play back, component by component.

A component of one state takes one backup. Sweeps (value iteration) solve most larger components; strategy improvement
(cycles.py) solves the others. docs/why/solvers.md says what is guaranteed (Games that state their own positions). In
kernels, `sense` is 1 if movers maximise, otherwise -1; `long` is the largest number of outcomes of an afterstate.
"""

from fractions import Fraction

import numpy as np

from dicebase.solvers.boards.cycles import endless, solve_cycle
from dicebase.solvers.boards.positions import Positions
from dicebase.solvers.boards.waiting import idle, solve_waiting
from dicebase.vocabulary.arithmetic.cycles import loop_from
from dicebase.vocabulary.kernels import inner, kernel

EVALUATIONS = 12  # policy sweeps after each sweep over all actions
ROUNDS = 40  # sweeps over all actions before strategy improvement takes over
EPSILON = 2.0**-52
DONE, SLOW, ENDLESS = range(3)


def solve(p: Positions, sense: int, unending: int | Fraction | None = None) -> np.ndarray:
    """Return the value of each state to its mover, (S,); a mover maximises if `sense` is 1 and minimises if it is -1.

    unending : what endless play pays, as the rules state it. Raises ConfigurationError if play need not end and the
    rules do not state that, or if play lasts too long for doubles.
    """
    step, states, (order, ends) = p.step, len(p.states), p.order
    values, part, policy = np.full(states, np.nan), np.full(states, -1), np.zeros(states, np.int64)
    room = np.zeros(len(step.fall)), np.zeros(len(step.fall) + 1, np.int64), np.zeros(states)
    free, pays = np.zeros(len(step.fall), bool) if unending is None else idle(step, unending), float(unending or 0)
    c, settled, long = 0, -1, int(np.diff(step.begin).max())
    while True:
        c, found = _solve(step, sense, order, ends, c, settled, long, values, part, policy, *room, free, pays)
        if found == DONE:
            return values
        inside = order[ends[c - 1] if c else 0 : ends[c]]
        if unending is not None:
            values[inside], c = solve_waiting(p, sense, inside, values, pays, free), c + 1
            continue
        if found == ENDLESS:
            stays = int(inside[policy[inside] >= 0][0])
            loop = loop_from(stays, lambda s: int(step.to[step.begin[step.after[policy[s]]]]))
            raise endless(p, [(s, int(policy[s])) for s in loop])
        settled, values[inside] = c, solve_cycle(p, sense, inside, values, policy)


@kernel(_nrt=True)
def q_values(step, values):
    """Return the value of each action, (A,); values : (S,)."""
    found = np.empty(len(step.after))
    for k in range(len(found)):
        found[k] = _ahead(step, step.after[k], values)
    return found


@inner
def _ahead(step, b, values):
    """Return the value of afterstate b."""
    worth, fall = 0.0, step.fall[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        later = step.sign[fall + o] * values[step.to[o]] if step.to[o] >= 0 else 0.0
        worth += step.chance[fall + o] * (step.reward[fall + o] + later)
    return worth


@kernel
def _solve(step, sense, order, ends, first, settled, long, values, part, policy, worths, swept, most, idle, pays):
    """Fill in values from component `first` on. Return (c, SLOW or ENDLESS) for the first component c that cannot be
    solved here, or (the number of components, DONE).

    settled : a component that has its values, or -1. policy : in an ENDLESS component, actions by which play stays
    there, and -1 in its other states. worths : (B,), the value of an afterstate. swept : (B + 1,), the sweep that
    computed it; the last entry counts sweeps. most : (S,), the value of a state's best action. idle : (B,), whether the
    rules state that an afterstate to which play returns for ever pays `pays`.
    """
    for c in range(first, len(ends)):
        inside = order[ends[c - 1] if c > 0 else 0 : ends[c]]
        if len(inside) == 1:
            if not _alone(step, sense, inside[0], long, values, policy, idle, pays):
                return c, ENDLESS
            continue
        part[inside] = c
        if c != settled and not _cycle(step, sense, inside, long, values, policy, worths, swept):
            return c, SLOW
        if _stays(step, sense, inside, part, c, long, values, policy, worths, swept, most):
            return c, ENDLESS
    return len(ends), DONE


@inner
def _alone(step, sense, s, long, values, policy, idle, pays):
    """Compute the value of a one-state component; return False if an action that never leaves it is as good."""
    best, waits = -np.inf, False
    for k in range(step.first[s], step.first[s + 1]):
        worth, away, leaves = _apart(step, step.after[k], s, values)
        if leaves:
            best = max(best, sense * worth / away)
        elif idle[step.after[k]]:
            best = max(best, sense * pays)
        else:
            waits = True
    values[s] = sense * best
    for k in range(step.first[s], step.first[s + 1] if waits else 0):
        worth, away, leaves = _apart(step, step.after[k], s, values)
        near = (8 + long) * EPSILON * (abs(worth) + abs(best))
        if not (leaves or idle[step.after[k]] or sense * (worth + (1 - away) * values[s]) < best - near):
            policy[s] = k
            return False
    return True


@inner
def _apart(step, b, s, values):
    """Return the value of afterstate b without the term of state s, 1 minus the factor of that term, and whether play
    can leave s.

    The second number is summed separately, because the difference loses most digits if play rarely leaves s.
    """
    worth, away, leaves, fall = 0.0, 0.0, False, step.fall[b] - step.begin[b]
    for o in range(step.begin[b], step.begin[b + 1]):
        chance, t = step.chance[fall + o], step.to[o]
        worth += chance * step.reward[fall + o]
        if t == s:
            away += chance * (1 - step.sign[fall + o])
        else:
            away, leaves = away + chance, True
            if t >= 0:
                worth += chance * step.sign[fall + o] * values[t]
    return worth, away, leaves


@inner
def _cycle(step, sense, inside, long, values, policy, worths, swept):
    """Sweep a component until no value changes by more than its rounding; return False if ROUNDS sweeps are too few."""
    if np.isnan(values[inside[0]]):
        for s in inside:
            values[s] = 0.0
    least, waited = np.inf, 0
    for _ in range(ROUNDS):
        change, scale = 0.0, 0.0
        swept[-1] += 1
        for s in inside:
            best = -np.inf
            for k in range(step.first[s], step.first[s + 1]):
                worth = sense * _once(step, step.after[k], values, worths, swept)
                if worth > best:
                    best, policy[s] = worth, k
            change, scale = max(change, abs(sense * best - values[s])), max(scale, abs(best))
            values[s] = sense * best
        # Because of rounding, values can cycle for ever.
        waited = 0 if change < least else waited + 1
        least = min(least, change)
        if change <= 4 * EPSILON * scale or (
            waited > 2 and change <= (4 + long) * EPSILON * _size(step, inside, values)
        ):
            return True
        for _ in range(EVALUATIONS):
            swept[-1] += 1
            for s in inside:
                values[s] = _once(step, step.after[policy[s]], values, worths, swept)
    return False


@inner
def _size(step, inside, values):
    """Return the largest |reward| + |value of the next state| over the outcomes of a component."""
    size = 0.0
    for s in inside:
        for b in step.after[step.first[s] : step.first[s + 1]]:
            fall = step.fall[b] - step.begin[b]
            for o in range(step.begin[b], step.begin[b + 1]):
                size = max(size, abs(step.reward[fall + o]) + (abs(values[step.to[o]]) if step.to[o] >= 0 else 0.0))
    return size


@inner
def _once(step, b, values, worths, swept):
    """Return the value of an afterstate, computed once per sweep."""
    if swept[b] != swept[-1]:
        worths[b], swept[b] = _ahead(step, b, values), swept[-1]
    return worths[b]


@inner
def _stays(step, sense, inside, part, c, long, values, policy, worths, swept, most):
    """Return whether play can stay in a component by actions optimal up to rounding, and set `policy` to these."""
    swept[-1] += 1
    near = 0.0
    for s in inside:
        policy[s], most[s], near = 0, -np.inf, max(near, abs(values[s]))
        for k in range(step.first[s], step.first[s + 1]):
            most[s] = max(most[s], sense * _once(step, step.after[k], values, worths, swept))
    near *= (8 + long) * EPSILON
    changed, forth = True, True
    while changed:
        changed, forth, left = False, not forth, 0
        for i in range(len(inside)):
            s = inside[i] if forth else inside[len(inside) - 1 - i]
            if policy[s] >= 0:
                policy[s] = _staying(step, s, most[s] - near, sense, part, c, policy, worths)
                changed |= policy[s] < 0
                left += policy[s] >= 0
    return left > 0


@inner
def _staying(step, s, least, sense, part, c, policy, worths):
    """Return the first action with at least the value `least` that stays in states with a policy, or -1."""
    for k in range(step.first[s], step.first[s + 1]):
        b = step.after[k]
        if sense * worths[b] >= least:
            stays = True
            for o in range(step.begin[b], step.begin[b + 1]):
                t = step.to[o]
                if t < 0 or part[t] != c or policy[t] < 0:
                    stays = False
                    break
            if stays:
                return k
    return -1
