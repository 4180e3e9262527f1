"""Solve a board from its rules alone by value iteration, and prove the values as certify/decisions.py proves a table.

Components are solved in order. Sweeps over all actions alternate with sweeps over the greedy policy until values stop
changing; if they do not, a linear system sets them to the values of the greedy policy, and sweeps resume.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.graph.longest_play import improve
from dicebase.certify.graph.one_step import NEVER, ahead, at_the_start, proved
from dicebase.certify.graph.positions import Positions, discovered
from dicebase.certify.graph.step import Step
from dicebase.vocabulary import Game, tie_of
from dicebase.vocabulary.arithmetic.components import solving_order
from dicebase.vocabulary.kernels import inner, kernel

ROUNDS, OF_POLICY, TRIED = 40, 12, 50  # sweeps over all actions; sweeps over the policy after each; linear systems


@dataclass(frozen=True)
class BestPlay:
    """A board with its optimal policy.

    order : (S,), states in solving order. played : (S,), the number of the action in each state. doubtful : (S,),
    whether rounding may hide another optimal action. value, bound : the value at the start and its error bound.
    """

    positions: Positions
    step: Step
    order: np.ndarray
    cyclic: bool
    played: np.ndarray
    doubtful: np.ndarray
    value: float
    bound: float


def best_play(game: Game, fail: Fail) -> BestPlay:
    """Return the optimal policy of a board, with its proved value."""
    p, *_ = discovered(game, fail)
    step, (order, ends) = Step.of(p), solving_order(p)
    return play_by(p, step, settled(step, p.sense, order, ends), fail)


def play_by(p: Positions, step: Step, values: np.ndarray, fail: Fail) -> BestPlay:
    """Prove the values (S,) of a board and return their greedy policy; fail if they have no bound."""
    found, order, ends = proved(step, p.sense, values, fail)
    cyclic = len(ends) < len(order) or bool((found.share == NEVER).any())
    slack = 4 * np.maximum(found.bounds, np.maximum.reduceat(found.rounding, p.first[:-1]))
    worths, tie = p.sense[p.of] * found.again, tie_of(float(np.abs(values).max()))
    played, doubtful = _policy(p.first, p.after, worths, tie, slack)
    return BestPlay(p, step, order, cyclic, played, doubtful, *at_the_start(step, values, found.bounds))


def settled(step: Step, sense: np.ndarray, order: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the value of each state, (S,), still to be proved; order, ends : as solving_order returns them."""
    values, part = np.full(len(order), np.nan), np.full(len(order), -1)
    none, policy, c, tried = np.zeros(len(order)), step.first[:-1].copy(), 0, 0
    while (stopped := _settle(step, sense, order, ends, c, values, part, none, policy)) < len(ends):
        tried = tried + 1 if stopped == c else 0
        c = stopped
        if tried == TRIED:
            c += 1  # the proof will reject it
        else:
            improve(step, order[ends[c - 1] if c else 0 : ends[c]], values, policy)
    return values


@kernel(_nrt=True)
def _policy(first, after, worths, tie, slack):
    """Return, by state, the first action within `tie` of the best, and whether errors up to `slack` could change it."""
    found, doubtful = first[:-1].copy(), np.zeros(len(first) - 1, np.bool_)
    for s in range(len(found)):
        best = worths[first[s] : first[s + 1]].max()
        while not best - worths[found[s]] <= tie:
            doubtful[s] |= best - worths[found[s]] <= tie + slack[s]
            found[s] += 1
        doubtful[s] |= best - worths[found[s]] >= tie - slack[s]
    return found, doubtful


@kernel
def _settle(step, sense, order, ends, first, values, part, none, policy):
    """Fill in the values from component `first` on; return the first component that ROUNDS sweeps leave unsettled, or
    len(ends)."""
    for c in range(first, len(ends)):
        inside = order[ends[c - 1] if c > 0 else 0 : ends[c]]
        alone, least, waited = len(inside) == 1, np.inf, 0
        part[inside] = c
        if alone:
            _sweep(step, sense, inside, values, part, none, policy, c, alone)
            continue
        if np.isnan(values[inside[0]]):
            for s in inside:
                values[s] = 0.0
        for _ in range(ROUNDS):
            change = _sweep(step, sense, inside, values, part, none, policy, c, alone)
            # Changes of a few units in the last place may go on for ever.
            waited = 0 if change < least else waited + 1
            least = min(least, change)
            if change <= 4 * EPSILON or (waited > 5 and least < 64 * EPSILON):
                break
            for _ in range(OF_POLICY):
                for s in inside:
                    values[s] = ahead(step, step.after[policy[s]], values, none, part, c, alone)[0]
        else:
            return c
    return len(ends)


@inner
def _sweep(step, sense, inside, values, part, none, policy, c, alone):
    """Set each value to that of the best action, and `policy` to the action; return the largest relative change."""
    change = 0.0
    for s in inside:
        best = -np.inf
        for k in range(step.first[s], step.first[s + 1]):
            worth, _, share = ahead(step, step.after[k], values, none, part, c, alone)
            worth *= sense[s]
            if worth > best and share != NEVER:
                best, policy[s] = worth, k
        change = max(change, abs(sense[s] * best - values[s]) / max(1.0, abs(best)))
        values[s] = sense[s] * best
    return change


def exact_play(p: Positions, order: np.ndarray) -> tuple[Fraction, np.ndarray]:
    """Solve a board without cycles in rationals; return its value at the start and the first best action by state."""
    known = [Fraction(0)] * len(order)
    worths: dict[int, Fraction] = {}

    def after(b: int, here: int) -> Fraction:
        """Return the value of afterstate b, excluding self-loops to state `here`."""
        if b in worths:
            return worths[b]
        there, (weights, rewards, signs) = p.to[p.begin[b] : p.begin[b + 1]].tolist(), p.falls[p.fall[b]]
        earned, left = Fraction(0), sum(weights)
        for weight, paid, sign, t in zip(weights, rewards, signs, there, strict=True):
            earned += weight * (paid + (sign * known[t] if t not in (-1, here) else 0))
            left -= weight * sign * (t == here)
        if here not in there:
            worths[b] = earned / left
        return earned / left

    played = p.first[:-1].copy()
    for s in order.tolist():
        found = [int(p.sense[s]) * after(b, s) for b in p.after[p.first[s] : p.first[s + 1]].tolist()]
        known[s] = int(p.sense[s]) * max(found)
        played[s] += found.index(max(found))
    return after(0, -2), played


def first_best_actions(game: Game, fail: Fail) -> list[int]:
    """Return the index of the first optimal action in each position, in sorted order, of a game without cycles."""
    p, states, _ = discovered(game, fail)
    numbers = exact_play(p, solving_order(p)[0])[1] - p.first[:-1]
    return [number for _, number in sorted(zip(states, numbers.tolist(), strict=True))]
