"""Tables of decisions: every row by one step of the rules, from the last layer back.

The bound (games without cycles). Let r(s) be |v(s) - best q computed from v|, plus the rounding of that computation.
Then |v(s) - v*(s)| <= e(s), where e(s) = r(s) + max over actions of the expected e of the next states, as the best of
several numbers moves by no more than the one that moves most. Layers are taken from the last one back.

A value of the game that is given as a rational must also be, modulo a large prime, what the published policy earns:
a wrong one passes with probability 2**-61. Small variants are solved again in rationals by solve/reference.py. Where
every published double is the rational rounded once, the bound is half a unit in the last place of the largest value.
"""

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dicebase.checks import EPSILON, Finding
from dicebase.game import Controller, Game, State
from dicebase.published import Published
from dicebase.solve import reference

PRIME = 2**61 - 1
# Variants up to this much work are solved again in rationals: (afterstate, outcome) pairs times bits of the value.
EXACT_WORK = 200_000_000


def check(
    game: Game, published: Published, exact: Fraction | None, fail: Callable[[State | None, str], None]
) -> Finding:
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
    fail: Callable[[State | None, str], None]
    rounded: bool  # whether every published number is a rational rounded once
    # What an afterstate leads to, enumerated once: outcomes, sum of weights, first layer reached.
    outcomes: dict[Hashable, tuple[list, int, float]] = field(default_factory=dict)
    afterstates: dict[State, dict[str, Hashable]] = field(default_factory=dict)
    ahead: dict[Hashable, tuple[float, float]] = field(default_factory=dict)
    bounds: dict[State, float] = field(default_factory=dict)
    residual: float = 0.0
    pairs: int = 0

    def run(self) -> None:
        """Coverage, then every row from the last layer back."""
        self._enumerate()
        states = self.afterstates.keys()
        if missing := states - self.published.values.keys():
            self.fail(min(missing), "play reaches this state, but the table does not have it")
        if extra := self.published.values.keys() - states:
            self.fail(min(extra), "the table has this state, but no play reaches it")
        for state in sorted(states, key=self.game.layer, reverse=True):
            self._state(state)

    def start(self) -> tuple[float, float]:
        """The value of the game and its error bound."""
        return self._ahead(self.game.start())

    def _enumerate(self) -> None:
        """Every state that play reaches, with its actions."""
        game, todo = self.game, [o.state for o in self._outcomes(self.game.start()) if o.state is not None]
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
            layers = (self.game.layer(o.state) for o in found if o.state is not None)
            self.outcomes[afterstate] = found, sum(o.weight for o in found), min(layers, default=math.inf)
            self.pairs += len(found)
        return self.outcomes[afterstate][0]

    def _ahead(self, afterstate: Hashable) -> tuple[float, float]:
        """What an afterstate is worth by the published values, and by how much that can be wrong."""
        if afterstate not in self.ahead:
            values, bounds = self.published.values, self.bounds
            outcomes, total, _ = self.outcomes[afterstate]
            terms, errors, size = [], [], 0.0
            for weight, state, reward in outcomes:
                worth = float(reward) if state is None else reward + values[state]
                terms.append(weight * worth)
                size += weight * (abs(worth) + abs(reward))
                if state is not None:
                    errors.append(weight * bounds[state])
            # At most three roundings a term and one at the end.
            error = math.fsum(errors) * (1 + 4 * EPSILON) + 4 * EPSILON * float(size)
            self.ahead[afterstate] = math.fsum(terms) / total, error / total
        return self.ahead[afterstate]

    def _state(self, state: State) -> None:
        rows = self.published.actions.get(state, {})
        afterstates = self.afterstates[state]
        if rows.keys() != afterstates.keys():
            self.fail(state, f"the actions are {sorted(rows)}, the rules allow {sorted(afterstates)}")
        layer = self.game.layer(state)
        if any(self.outcomes[afterstate][2] <= layer for afterstate in afterstates.values()):
            self.fail(state, "play can return to this layer; this certificate is for games without cycles")
        sign = -1 if self.game.controller(state) is Controller.MIN else 1
        ahead = {action: self._ahead(afterstate) for action, afterstate in afterstates.items()}
        q = {action: worth for action, (worth, _) in ahead.items()}
        residual = abs(self.published.values[state] - sign * max(sign * x for x in q.values()))
        error = max(error for _, error in ahead.values())
        # One step of the rules takes every value at its word: rounding explains no more than this.
        value = abs(self.published.values[state])
        if not residual <= (2 * error + math.ulp(value) if self.rounded else error + 1e-9 * (1 + value)):
            self.fail(state, f"the value is {self.published.values[state]!r}, the best action is {residual:.3g} away")
        self.residual = max(self.residual, residual)
        self.bounds[state] = residual + error
        self._claims(state, rows, q, sign, 2 * self.bounds[state])

    def _claims(self, state: State, rows: Mapping, q: Mapping[str, float], sign: int, tolerance: float) -> None:
        """That what the rows say follows from the q-values, up to twice what the values may be wrong by."""
        value = self.published.values[state]
        if not all(math.isfinite(x) for row in rows.values() for x in (row["q_value"], row["regret"])):
            self.fail(state, "a q-value or regret is not a finite number")
        if abs(value) == math.inf or value != value:
            self.fail(state, f"the value is {value}")
        for action, row in rows.items():
            if abs(row["q_value"] - q[action]) > tolerance:
                self.fail(state, f"q_value of '{action}' is {row['q_value']!r}, the rules give {q[action]!r}")
            if row["regret"] < 0 or abs(row["regret"] - sign * (value - row["q_value"])) > tolerance:
                self.fail(state, f"regret of '{action}' is {row['regret']!r}, its q-value says otherwise")
            if row["optimal"] != (row["regret"] == 0) and not row["undecided"]:
                self.fail(state, f"'{action}' has regret {row['regret']!r} and optimal = {row['optimal']}")
            if row["undecided"] and row["regret"] > tolerance:
                self.fail(state, f"'{action}' is called undecided with regret {row['regret']!r}")
            if row["probability"] and not row["optimal"]:
                self.fail(state, f"'{action}' is played but not optimal")
        if abs(value - sign * max(sign * row["q_value"] for row in rows.values())) > tolerance:
            self.fail(state, f"the value is {value!r}, no action is worth that")
        best = self.published.best[state]
        if best not in rows or rows[best]["probability"] != 1 or sum(r["probability"] for r in rows.values()) != 1:
            self.fail(state, f"action is '{best}', but the probabilities say otherwise")
        margin = sorted(row["regret"] for row in rows.values())[1] if len(rows) > 1 else None
        if self.published.margins[state] != margin:
            self.fail(state, f"margin is {self.published.margins[state]!r}, the regrets say {margin!r}")

    def start_modulo_prime(self) -> int:
        """What the published policy earns, modulo PRIME."""
        found: dict[State, int] = {}

        def expected(afterstate: Hashable) -> int:
            outcomes, total, _ = self.outcomes[afterstate]
            earned = sum(w * (_modulo_prime(reward) + found.get(state, 0)) for w, state, reward in outcomes)
            return earned * pow(total, -1, PRIME) % PRIME

        for state in sorted(self.afterstates, key=self.game.layer, reverse=True):
            found[state] = expected(self.afterstates[state][self.published.best[state]])
        return expected(self.game.start())

    def exactly(self) -> Fraction:
        """Solve the variant again in rationals and compare every published number; the value of the game."""
        solution = reference.solve(self.game)
        for state, rows in self.published.actions.items():
            value = solution.value[state]
            if self.published.values[state] != float(value):
                self.fail(state, f"the value is {self.published.values[state]!r}, in rationals it is {float(value)!r}")
            for action, row in rows.items():
                q = solution.q(state, action)
                if row["q_value"] != float(q):
                    self.fail(state, f"q_value of '{action}' is {row['q_value']!r}, in rationals it is {float(q)!r}")
                regret = abs(value - q)
                if row["optimal"] != (regret == 0) or row["undecided"] or row["regret"] != float(regret):
                    self.fail(state, f"regret of '{action}' is {row['regret']!r}, in rationals {float(regret)!r}")
        return solution.start


def _modulo_prime(number: Fraction | int) -> int:
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME
