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
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from dicebase.certify import referee
from dicebase.certify.action_rows import check_rows
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.vocabulary import Controller, Game, State, weighted_mean

PRIME = 2**61 - 1
# Variants up to this much work are solved again in rationals: (afterstate, outcome) pairs times bits of the value.
EXACT_WORK = 200_000_000

simulated = referee.play


def check(game: Game, published: Published, exact: Fraction | None, fail: Fail) -> Finding:
    """Certify the rows of a variant; `exact` is the value of the game as the table gives it, if it does."""
    self = Check(game, published, fail, rounded=exact is not None)
    self.run()
    value, value_bound = self.start()
    bound = max(value_bound, *self.bounds.values())
    proof = "residuals summed along play, from the last layer back"
    if exact is not None:
        if _modulo_prime(exact) != self.start_modulo_prime():
            fail(None, f"the exact value, {float(exact)!r}, is not what the published policy earns")
        if self.pairs * exact.denominator.bit_length() <= EXACT_WORK:
            if self.exactly() != exact:
                fail(None, f"the exact value, {float(exact)!r}, is not the one the rules give in rationals")
            bound = max(map(math.ulp, (*published.values.values(), value))) / 2
            proof = "solved again in rationals: every value is the exact one, rounded once"
    return Finding(value, value_bound, bound, self.residual, proof)


@dataclass
class Check:
    """The certification of one variant; `fail` is called, and raises, at the first claim that does not hold."""

    game: Game
    published: Published
    fail: Fail
    rounded: bool  # whether every published number is a rational rounded once
    # What an afterstate leads to, enumerated once: outcomes and the sum of their weights.
    outcomes: dict[Hashable, tuple[list, int]] = field(default_factory=dict)
    afterstates: dict[State, dict[str, Hashable]] = field(default_factory=dict)
    ahead: dict[Hashable, tuple[float, float, float]] = field(default_factory=dict)
    bounds: dict[State, float] = field(default_factory=dict)
    residual: float = 0.0
    pairs: int = 0

    def run(self) -> None:
        """Coverage, then every row from the last layer back."""
        self._enumerate()
        states = self.afterstates.keys()
        missing = "play reaches this state, but the table does not have it"
        check_keys(self.published, states, self.fail, missing, "the table has this state, but no play reaches it")
        for state in sorted(states, key=self.game.layer, reverse=True):
            self._state(state)

    def start(self) -> tuple[float, float]:
        """The value of the game and its error bound."""
        return self._ahead(self.game.start())[:2]

    def _enumerate(self) -> None:
        """Every state that play reaches, with its actions."""
        game = self.game
        todo = [o.state for start in game.starts() for o in self._outcomes(start) if o.state is not None]
        while todo:
            state = todo.pop()
            if state in self.afterstates:
                continue
            self.afterstates[state] = {action: game.afterstate(state, action) for action in game.actions(state)}
            for afterstate in self.afterstates[state].values():
                if afterstate not in self.outcomes:
                    todo.extend(o.state for o in self._outcomes(afterstate) if o.state is not None)

    def _outcomes(self, afterstate: Hashable) -> list:
        if afterstate not in self.outcomes:
            found = list(self.game.outcomes(afterstate))
            self.outcomes[afterstate] = found, sum(o.weight for o in found)
            self.pairs += len(found)
        return self.outcomes[afterstate][0]

    def _ahead(self, afterstate: Hashable, here: State | None = None) -> tuple[float, float, float]:
        """What an afterstate is worth by the published values once `here` is left, by how much that can be wrong, and
        the probability of staying."""
        if afterstate not in self.ahead:
            values, bounds = self.published.values, self.bounds
            outcomes, total = self.outcomes[afterstate]
            layer = -math.inf if here is None else self.game.layer(here)
            terms, errors, size, stays = [], [], 0.0, 0
            for weight, state, reward, sign in outcomes:
                worth = float(reward)
                if state is not None and state == here:
                    stays += weight
                elif state is not None:
                    if self.game.layer(state) <= layer:
                        self.fail(here, "play can return to this layer; this certificate is for games without cycles")
                    worth += sign * values[state]
                    errors.append(weight * bounds[state])
                terms.append(weight * worth)
                size += weight * (abs(worth) + abs(reward))
            # At most three roundings a term and one at the end.
            error = math.fsum(errors) * (1 + 4 * EPSILON) + 4 * EPSILON * float(size)
            left = total - stays
            self.ahead[afterstate] = math.fsum(terms) / left, error / left, stays / total
        return self.ahead[afterstate]

    def _state(self, state: State) -> None:
        rows = self.published.actions.get(state, {})
        afterstates = self.afterstates[state]
        if rows.keys() != afterstates.keys():
            self.fail(state, f"the actions are {sorted(rows)}, the rules allow {sorted(afterstates)}")
        sign = -1 if self.game.controller(state) is Controller.MIN else 1
        ahead = {action: self._ahead(afterstate, state) for action, afterstate in afterstates.items()}
        best = sign * max(sign * worth for worth, _, _ in ahead.values())
        # Taken once, an action that stays leads to the best one.
        q = {action: worth + stays * (best - worth) for action, (worth, _, stays) in ahead.items()}
        residual = abs(self.published.values[state] - best)
        error = max(error for _, error, _ in ahead.values())
        # One step of the rules takes every value at its word: rounding explains no more than this.
        value = abs(self.published.values[state])
        if not residual <= (2 * error + math.ulp(value) if self.rounded else error + 1e-9 * (1 + value)):
            self.fail(state, f"the value is {self.published.values[state]!r}, the best action is {residual:.3g} away")
        self.residual = max(self.residual, residual)
        self.bounds[state] = residual + error
        tolerance = 2 * self.bounds[state]
        for action, row in rows.items():
            if not abs(row["q_value"] - q[action]) <= tolerance:
                self.fail(state, f"q_value of '{action}' is {row['q_value']!r}, the rules give {q[action]!r}")
        check_rows(self.published, state, sign, tolerance, self.rounded, self.fail)

    def start_modulo_prime(self) -> int:
        """What the published policy earns, modulo PRIME."""
        found: dict[State, int] = {}

        def expected(afterstate: Hashable, here: State | None = None) -> int:
            outcomes, total = self.outcomes[afterstate]
            earned, stays = 0, 0
            for weight, state, reward, sign in outcomes:
                stays += weight if state is not None and state == here else 0
                earned += weight * (_modulo_prime(reward) + sign * found.get(state, 0))
            return earned * pow(total - stays, -1, PRIME) % PRIME

        for state in sorted(self.afterstates, key=self.game.layer, reverse=True):
            found[state] = expected(self.afterstates[state][self.published.best[state]], state)
        return expected(self.game.start())

    def exactly(self) -> Fraction:
        """Solve the variant again in rationals and compare every published number; the value of the game."""
        values: dict[State, Fraction] = {}
        known: dict[Hashable, tuple[Fraction, Fraction]] = {}

        def ahead(afterstate: Hashable, here: State | None = None) -> tuple[Fraction, Fraction]:
            """What an afterstate is worth once `here` is left, and the probability of staying."""
            if afterstate not in known:
                outcomes, total = self.outcomes[afterstate]
                stays = Fraction(sum(o.weight for o in outcomes if o.state is not None and o.state == here), total)
                later = [o.reward if o.state in (None, here) else o.reward + o.sign * values[o.state] for o in outcomes]
                mean = weighted_mean([o.weight for o in outcomes], later)
                known[afterstate] = mean / (1 - stays) if stays else mean, stays
            return known[afterstate]

        for state in sorted(self.afterstates, key=self.game.layer, reverse=True):
            better = min if self.game.controller(state) is Controller.MIN else max
            found = {action: ahead(afterstate, state) for action, afterstate in self.afterstates[state].items()}
            value = values[state] = better(worth for worth, _ in found.values())
            rows = self.published.actions[state]
            if self.published.values[state] != float(value):
                self.fail(state, f"the value is {self.published.values[state]!r}, in rationals it is {float(value)!r}")
            for action, row in rows.items():
                once, stays = found[action]
                q = once + stays * (value - once) if stays else once
                if row["q_value"] != float(q):
                    self.fail(state, f"q_value of '{action}' is {row['q_value']!r}, in rationals it is {float(q)!r}")
                regret = abs(value - q)
                if row["optimal"] != (regret == 0) or row["undecided"] or row["regret"] != float(regret):
                    self.fail(state, f"regret of '{action}' is {row['regret']!r}, in rationals {float(regret)!r}")
        return ahead(self.game.start())[0]


def _modulo_prime(number: Fraction | int) -> int:
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME
