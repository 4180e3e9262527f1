"""Policy iteration with sparse linear systems, for components that play leaves too slowly for sweeps.

The resulting bounds and values are not trusted: one_step.py checks them by one step of the rules.
"""

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import breadth_first_order

from dicebase.certify.finding import EPSILON
from dicebase.certify.graph.step import Checked, Step
from dicebase.vocabulary import State
from dicebase.vocabulary.arithmetic.cycles import loop_from, loop_text, solve_linear
from dicebase.vocabulary.arithmetic.ranges import ranges

MOST = 1000  # largest number of policies to try
STRICT = 2.0**-40  # relative margin of bounds, so that they hold strictly
UNBOUNDED = "no bounds were found that hold over one step of the rules"


class Endless(NamedTuple):
    """A state for which no bound was found, and a loop of (state, action) pairs if play may go on for ever."""

    state: int
    loop: tuple[tuple[int, int], ...] = ()
    why: str = ""

    def said(self, named: Sequence[tuple[State, str]] = ()) -> str:
        """Return the error message; `named` holds the states and the action texts of the loop."""
        if self.why:
            return f"{UNBOUNDED}: {self.why}"
        if not self.loop:
            return f"{UNBOUNDED}: play is too long for doubles"
        return f"{UNBOUNDED}: play may go on for ever{f': {loop_text(named)}' if named else ''}"


class Component:
    """N states that lead to one another, with their K actions and the O outcomes of these actions.

    actions : (K,), state by state; of : (K,), the state of each; first : (N,), the first action of each state.
    row : (O,), the action of each outcome; fall : (O,), its index in step.weight; to : (O,), the next state, or -1;
    place : (O,), the next state's index in this component, or -1; chance : (O,), its probability.
    """

    def __init__(self, step: Step, states: np.ndarray) -> None:
        first, self.actions = ranges(step.first[states], step.first[states + 1])
        self.states, self.first = states, first
        self.of = np.repeat(np.arange(len(states), dtype=np.int32), np.diff(np.append(first, len(self.actions))))
        b = step.after[self.actions]
        begin, o = ranges(step.begin[b], step.begin[b + 1])
        self.terms = np.diff(np.append(begin, len(o)))
        self.row, self.to = np.repeat(np.arange(len(b), dtype=np.int32), self.terms), step.to[o]
        o += (step.fall[b] - step.begin[b])[self.row]
        self.fall, place = o, np.full(len(step.first), -1, np.int32)
        place[states] = np.arange(len(states))
        self.place = place[self.to]
        self.chance = step.weight[self.fall]
        self.chance /= step.total[b][self.row]

    def gains(self, sense: np.ndarray, values: np.ndarray, found: Checked) -> np.ndarray:
        """Return the gain of each action over the value of its state, (K,), to the mover."""
        signs = sense[self.states][self.of]
        return signs * found.again[self.actions] - signs * values[self.states][self.of]

    def quotient(self, part: np.ndarray, ends: np.ndarray) -> tuple["Component", np.ndarray]:
        """Return the component whose states are the parts of states, and the number here of each of its actions. part :
        (N,), from 0; `loop` names the first state of each part. ends : (K,), whether an action ends play there."""
        q, order = copy(self), np.argsort(part[self.of], kind="stable")
        begin = np.cumsum(self.terms) - self.terms
        q.actions, q.of, q.terms = self.actions[order], part[self.of[order]], self.terms[order]
        _, o = ranges(begin[order], begin[order] + q.terms)
        q.row, q.fall, q.chance = np.repeat(np.arange(len(order)), q.terms), self.fall[o], self.chance[o]
        goes_on = ~ends[self.row[o]]
        q.to = np.where(goes_on, self.to[o], -1)
        q.place = np.where(goes_on & (self.place[o] >= 0), part[self.place[o]], -1)
        q.states = self.states[np.unique(part, return_index=True)[1]]
        q.first = np.searchsorted(q.of, np.arange(len(q.states)))
        return q, order

    def mean(self, numbers: np.ndarray) -> np.ndarray:
        """Return the expected value of `numbers`, (O,), after each action, (K,)."""
        return np.bincount(self.row, self.chance * numbers, len(self.actions))

    def ahead(self, factors: np.ndarray) -> csr_array:
        """Return the transition matrix within the component, (K, N), with probabilities times `factors`, (O,)."""
        stays = self.place >= 0
        counts = np.add.reduceat(stays, np.cumsum(self.terms) - self.terms, dtype=int)
        entries = (self.chance * factors)[stays], self.place[stays], np.append(0, np.cumsum(counts))
        ahead = csr_array(entries, shape=(len(self.actions), len(self.states)))
        ahead.sum_duplicates()
        return ahead

    def every(self, outcomes: np.ndarray) -> np.ndarray:
        """Return whether all outcomes of an action are among `outcomes`, (O,) bool; (K,)."""
        return np.bincount(self.row, ~outcomes, len(self.actions)) == 0

    def to_some(self, states: np.ndarray) -> np.ndarray:
        """Return whether an outcome leads to one of the `states`, (N,) bool, of the component; (O,)."""
        return (self.place >= 0) & states[self.place]

    def held(self, choice: np.ndarray, leaves: np.ndarray | None = None) -> np.ndarray:
        """Return whether a policy never leaves the component from a state, (N,).

        choice : its actions, as numbers or as (K,) bool. leaves : (O,), the outcomes that count as leaving; by default
        those that lead outside.
        """
        states, chosen = len(self.states), np.zeros(len(self.actions), bool)
        chosen[choice] = True
        some, leaves = chosen[self.row], self.place < 0 if leaves is None else leaves
        # Search backwards from the outside, which has index N.
        edges = np.where(leaves, states, self.place)[some], self.of[self.row[some]]
        graph = csr_array((np.ones(len(edges[0]), np.int8), edges), shape=(states + 1,) * 2)
        held = np.ones(states + 1, bool)
        held[breadth_first_order(graph, states, return_predecessors=False)] = False
        return held[:-1]

    def loop(self, choice: np.ndarray, state: int) -> Endless:
        """Return a loop that a policy never leaves, reached from `state`."""
        begin = np.cumsum(self.terms) - self.terms
        loop = loop_from(state, lambda s: int(self.place[begin[choice[s]]]))
        pairs = [(int(self.states[s]), int(self.actions[choice[s]])) for s in loop]
        return Endless(pairs[0][0], tuple(pairs))

    def first_best(self, numbers: np.ndarray) -> np.ndarray:
        """Return the first action with the largest number in each state, (N,); numbers : (K,)."""
        best = np.flatnonzero(numbers == np.maximum.reduceat(numbers, self.first)[self.of])
        return best[np.searchsorted(self.of[best], np.arange(len(self.states)))]


def play_bounds(
    step: Step, sense: np.ndarray, states: np.ndarray, values: np.ndarray, found: Checked
) -> Endless | None:
    """Fill found.bounds of a component with the largest sum of errors along any play; return an Endless if it fails."""
    if len(states) == 1:
        return _waits(step, sense, int(states[0]), values, found)
    p = Component(step, states)
    away = p.gains(sense, values, found)
    errors = found.rounding[p.actions], found.margin[states], found.bounds
    bounds = longest_play(p, away, p.first_best(away), *errors)
    if isinstance(bounds, Endless):
        return bounds
    found.bounds[states] = bounds
    return None


def longest_play(
    p: Component, away: np.ndarray, played: np.ndarray, errors: np.ndarray, margin: np.ndarray, bounds: np.ndarray
) -> np.ndarray | Endless:
    """Return the largest sum of errors and margins, (N,), along any play of a component.

    away : (K,), the gain of each action over the value of its state. played : actions whose loss is an error too.
    errors : (K,). margin : (N,). bounds : (S,), of the states outside. Policy iteration starts from the greedy policy,
    and each new policy has a larger sum. A policy that never ends has a loop whose steps lose no more than their
    errors, and that loop is returned.
    """
    rounded, choice = 1 + (p.terms + 8) * EPSILON + STRICT, p.first_best(away)
    outside = p.mean(np.where((p.place < 0) & (p.to >= 0), bounds[p.to], 0.0))
    left = away + (errors + outside) * rounded + margin[p.of]
    left[played] += np.abs(away[played]) - away[played]
    if not np.isfinite(left).all():
        return Endless(int(p.states[0]))
    ahead = p.ahead(rounded[p.row])
    bounds, direct, one = np.zeros(len(p.states)), False, eye_array(len(p.states), format="csr")
    for _ in range(MOST):
        if (held := p.held(choice)).any():
            return p.loop(choice, int(held.argmax()))
        before = bounds
        bounds, direct = solve_linear(one - ahead[choice], left[choice], before, direct)
        if not (bounds > before * (1 - 1e-6)).all():
            return Endless(int(p.states[0]))  # play is so long that the system has no solution in doubles
        more = left + ahead @ bounds - bounds[p.of]
        best = p.first_best(more)
        better = more[best] > margin / 2
        if not better.any():
            break
        choice = np.where(better, best, choice)
    return bounds


def _waits(step: Step, sense: np.ndarray, s: int, values: np.ndarray, found: Checked) -> Endless:
    """Return a self-loop that never leaves a single state and costs nothing, or only the state if there is none."""
    for k in range(step.first[s], step.first[s + 1]):
        if found.share[k] > 1 and not sense[s] * (found.again[k] - values[s]) + found.rounding[k] < 0:
            return Endless(s, ((s, k),))
    return Endless(s)


def improve(step: Step, states: np.ndarray, values: np.ndarray, policy: np.ndarray) -> None:
    """Set values[states] to the value of `policy` (S,); leave them unchanged if that policy never ends."""
    p = Component(step, states)
    choice = p.first + policy[states] - step.first[states]
    if not p.held(choice).any():
        sign, later = step.sign[p.fall], np.where((p.place < 0) & (p.to >= 0), values[p.to], 0.0)
        earned = p.mean(step.reward[p.fall] + sign * later)
        matrix = eye_array(len(states), format="csr") - p.ahead(sign)[choice]
        values[states] = solve_linear(matrix, earned[choice], values[states])[0]
