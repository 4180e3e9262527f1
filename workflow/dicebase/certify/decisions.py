"""Tables of decisions: every row by one step of the rules, from the last layer back.

The bound (games without cycles, but for states that may stay as they are). An action that leaves state s with the
probability 1 - p is worth, repeated until s is left, u = (what it earns + later values) / (1 - p), and the value is the
best u. Let r(s) be |v(s) - best u computed from v|, plus the rounding of that computation. Then |v(s) - v*(s)| <= e(s),
where e(s) = r(s) + max over actions of the expected e of the states after s is left, as the best of several numbers
moves by no more than the one that moves most. Layers are taken from the last one back.

A value of the game that is given as a rational must also be, modulo a large prime, what the published policy earns:
a wrong one passes with probability 2**-61. Small variants are solved again in rationals, from the last layer back.
Where every published double is the rational rounded once, the bound is half a unit in the last place of the largest
value.
"""

import math
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from dicebase.certify import referee
from dicebase.certify.action_rows import check_rows
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.vocabulary import Controller, Game, State, over_one_denominator

PRIME = 2**61 - 1
# Variants up to this much work are solved again in rationals: (afterstate, outcome) pairs times bits of the value.
EXACT_WORK = 200_000_000
BY_RESIDUALS = "residuals summed along play, from the last layer back"
IN_RATIONALS = "solved again in rationals: every value is the exact one, rounded once"

simulated = referee.play


def check(game: Game, published: Published, fail: Fail) -> Finding:
    """Certify the rows of a variant."""
    self, exact = Check(game, published, fail), published.exact
    value, value_bound = self.run()
    bound = max(value_bound, float(self.bounds.max()))
    proof = BY_RESIDUALS
    if exact is not None:
        if modulo_prime(exact) != self.start_modulo_prime():
            fail(None, f"the exact value, {float(exact)!r}, is not what the published policy earns")
        if self.pairs * exact.denominator.bit_length() <= EXACT_WORK:
            if self.exactly() != exact:
                fail(None, f"the exact value, {float(exact)!r}, is not the one the rules give in rationals")
            bound = math.ulp(max(abs(value), float(np.abs(published.values).max()))) / 2
            proof = IN_RATIONALS
    return Finding(value, value_bound, bound, self.residual, proof)


class Check:
    """The certification of one variant; `fail` is called, and raises, at the first claim that does not hold."""

    def __init__(self, game: Game, published: Published, fail: Fail) -> None:
        self.game, self.published, self.fail = game, published, fail
        self.rounded = published.exact is not None  # every published number is a rational rounded once
        # What an afterstate leads to, enumerated once: outcomes, the sum of their weights, and the first layer.
        self.outcomes: dict[Hashable, tuple[list, int, float]] = {}
        self.afterstates: dict[State, list[Hashable]] = {}  # of the actions, in the rules' order
        self.pairs = 0
        self._enumerate()
        missing = "play reaches this state, but the table does not have it"
        check_keys(published, self.afterstates, fail, missing, "the table has this state, but no play reaches it")
        self.of = published.check_actions(map(game.actions, published.states), fail)
        self.first = np.searchsorted(self.of, np.arange(published.count + 1)).tolist()  # of the actions of a state
        self.sign = np.array([-1 if game.controller(s) is Controller.MIN else 1 for s in published.states])
        self.layers = {state: game.layer(state) for state in published.states}
        # The numbers and states, from the last layer back.
        self.backwards = sorted(enumerate(published.states), key=lambda row: self.layers[row[1]], reverse=True)
        self.bounds, self.residual = np.zeros(published.count), 0.0

    def run(self) -> tuple[float, float]:
        """Every row from the last layer back; the value of the game and its error bound."""
        known: dict[State, tuple[float, float]] = {}
        ahead = self._ahead(partial(_mean, known))
        again = np.empty(len(self.of))
        for i, state in self.backwards:
            value, sign = float(self.published.values[i]), int(self.sign[i])
            found = [ahead(afterstate, state) for afterstate in self.afterstates[state]]
            best = sign * max(sign * worth for (worth, _), _ in found)
            # Taken once, an action that stays leads to the best one.
            again[self.first[i] : self.first[i + 1]] = [worth + stays * (best - worth) for (worth, _), stays in found]
            residual, error = abs(value - best), max(error for (_, error), _ in found)
            # One step of the rules takes every value at its word: rounding explains no more than this.
            if not residual <= (2 * error + math.ulp(abs(value)) if self.rounded else error + 1e-9 * (1 + abs(value))):
                self.fail(state, f"the value is {value!r}, the best action is {residual:.3g} away")
            self.residual, self.bounds[i] = max(self.residual, residual), residual + error
            known[state] = value, residual + error
        actions, tolerance = self.published.actions, 2 * self.bounds
        wrong = ~(np.abs(actions["q_value"] - again) <= tolerance[self.of])
        self._refuse(wrong, "q_value of '{}' is {!r}, the rules give {!r}", actions["q_value"], again)
        check_rows(self.published, self.of, self.sign, tolerance, self.rounded, self.fail)
        return ahead(self.game.start())[0]

    def _refuse(self, wrong: np.ndarray, what: str, *columns: np.ndarray) -> None:
        action = self.published.actions["action"]
        refuse(self.published.keys_of_actions, self.fail, wrong, what, action, *columns)

    def _enumerate(self) -> None:
        """Every state that play reaches."""
        game = self.game
        todo = [state for start in game.starts() for state in self._states_after(start)]
        while todo:
            state = todo.pop()
            if state in self.afterstates:
                continue
            self.afterstates[state] = [game.afterstate(state, action) for action in game.actions(state)]
            for afterstate in self.afterstates[state]:
                if afterstate not in self.outcomes:
                    todo.extend(self._states_after(afterstate))

    def _states_after(self, afterstate: Hashable) -> list[State]:
        outcomes = list(self.game.outcomes(afterstate))
        states = [o.state for o in outcomes if o.state is not None]
        first_layer = min(map(self.game.layer, states), default=math.inf)
        self.outcomes[afterstate] = outcomes, sum(o.weight for o in outcomes), first_layer
        self.pairs += len(outcomes)
        return states

    def _ahead(self, mean: Callable[[list, int], Any]) -> Callable[..., tuple[Any, Fraction | int]]:
        """A function of an afterstate and the state left, all later states being known: (what `mean` makes of the
        outcomes and the weight of those that leave, the probability of staying)."""
        found: dict[Hashable, tuple[Any, int]] = {}

        def ahead(afterstate: Hashable, here: State | None = None) -> tuple[Any, Fraction | int]:
            outcomes, total, first_layer = self.outcomes[afterstate]
            layer = -math.inf if here is None else self.layers[here]
            if first_layer > layer:  # the same for all that do not lead back
                if afterstate not in found:
                    found[afterstate] = mean(outcomes, total), 0
                return found[afterstate]
            if any(o.state not in (None, here) and self.layers[o.state] <= layer for o in outcomes):
                self.fail(here, "play can return to this layer; this certificate is for games without cycles")
            stays = sum(o.weight for o in outcomes if o.state == here)
            return mean(outcomes, total - stays), Fraction(stays, total)

        return ahead

    def start_modulo_prime(self) -> int:
        """What the published policy earns, modulo PRIME."""
        known: dict[State, int] = {}

        def mean(outcomes: list, left: int) -> int:
            earned = modulo_prime(sum(o.weight * o.reward for o in outcomes))
            later = sum(o.weight * o.sign * known.get(o.state, 0) for o in outcomes)
            return (earned + later) * pow(left, -1, PRIME) % PRIME

        ahead = self._ahead(mean)
        played = self.published.actions["probability"] == 1  # once in a state
        place = (np.flatnonzero(played) - self.first[:-1]).tolist()
        for i, state in self.backwards:
            known[state] = ahead(self.afterstates[state][place[i]], state)[0]
        return ahead(self.game.start())[0]

    def exactly(self) -> Fraction:
        """Solve the variant again in rationals and compare every published number; the value of the game."""
        known: dict[State, Fraction] = {}

        def mean(outcomes: list, left: int) -> Fraction:
            earned = sum(o.weight * o.reward for o in outcomes)
            later = [o for o in outcomes if o.state in known]
            numerators, denominator = over_one_denominator([known[o.state] for o in later])
            total = sum(o.weight * o.sign * n for o, n in zip(later, numerators, strict=True))
            return (earned + Fraction(total, denominator)) / left

        ahead = self._ahead(mean)
        values, again, regrets, best = np.empty(self.published.count), *np.empty((3, len(self.of)))
        for i, state in self.backwards:
            found = [ahead(afterstate, state) for afterstate in self.afterstates[state]]
            value = known[state] = (max if self.sign[i] > 0 else min)(worth for worth, _ in found)
            values[i] = value
            for row, (worth, stays) in enumerate(found, start=self.first[i]):
                q = worth + stays * (value - worth) if stays else worth
                again[row], regrets[row], best[row] = q, abs(value - q), q == value
        check_rationals(self.published, values, again, regrets, best, self.fail)
        return ahead(self.game.start())[0]


def check_rationals(
    published: Published, values: np.ndarray, again: np.ndarray, regrets: np.ndarray, best: np.ndarray, fail: Fail
) -> None:
    """Fail where a published number is not this one, a rational rounded once; `best` says which regrets are none."""
    what = "the value is {!r}, in rationals it is {!r}"
    refuse(published.keys, fail, published.values != values, what, published.values, values)
    names = ("action", "q_value", "regret", "optimal", "undecided")
    action, q_value, regret, optimal, undecided = (published.actions[name] for name in names)
    refuse_row = partial(refuse, published.keys_of_actions, fail)
    refuse_row(q_value != again, "q_value of '{}' is {!r}, in rationals it is {!r}", action, q_value, again)
    wrong = (optimal != best) | undecided | (regret != regrets)
    refuse_row(wrong, "regret of '{}' is {!r}, in rationals {!r}", action, regret, regrets)


def _mean(known: Mapping[State, tuple[float, float]], outcomes: list, left: int) -> tuple[float, float]:
    """What outcomes are worth by known values, whatever stays being taken again, and by how much that can be wrong."""
    terms, errors, size = [], [], 0.0
    for weight, state, reward, sign in outcomes:
        later, bound = known.get(state, (0.0, 0.0))
        worth = float(reward) + sign * later
        terms.append(weight * worth)
        errors.append(weight * bound)
        size += weight * (abs(worth) + abs(reward))
    # At most three roundings a term and one at the end.
    error = math.fsum(errors) * (1 + 4 * EPSILON) + 4 * EPSILON * float(size)
    return math.fsum(terms) / left, error / left


def modulo_prime(number: Fraction | int) -> int:
    """What a rational is modulo PRIME."""
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME
