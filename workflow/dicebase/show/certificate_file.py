"""The certificate of a variant as a file that programs without floating point can check: the model, with a lower and an
upper bound of each value as integers over a power of two. docs/why/proof.md describes the format and the proof."""

import json
from itertools import pairwise
from operator import sub
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dicebase.catalog.ask.many_positions import lookup_states
from dicebase.certify.graph.one_step import check_values
from dicebase.certify.graph.step import Step
from dicebase.show.model import Model, model_of
from dicebase.tables.layout import replacing
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.arithmetic.components import solving_order

if TYPE_CHECKING:
    from dicebase.catalog.ask.solved_table import SolvedVariant
    from dicebase.catalog.lookup import Catalog

SCALE = 96
"""Bounds are integers over 2**SCALE; published values and their bounds are rounded outwards."""

LEAST = 2.0**-84
"""A half of the least distance between the bounds of a state in a cycle, also where the published value is exact."""

WIDER = (1, 1 + 2**-20, 1 + 2**-10, 1.1, 1.5, 2, 4, 8, 16)
"""Factors that the bounds of a component with a cycle are widened by until one step leads strictly inside."""


class Bounds(NamedTuple):
    """Bounds of all states and, last, of the start of play; integers over 2**SCALE."""

    layers: list[int]
    lower: list[int]
    upper: list[int]


def published_values(catalog: "Catalog", model: Model, solved: "SolvedVariant") -> np.ndarray:
    """Return the published value of each state, (states,)."""
    values, _ = lookup_states(catalog.solved_tables, solved, model.states)
    if np.isnan(values).any():
        unknown = model.names[int(np.isnan(values).argmax())]
        raise ConfigurationError(f"{model.place}: the table has no value at {unknown}, so there is no certificate")
    return values


def bounds_of(model: Model, values: np.ndarray) -> Bounds:
    """Widen the published values, (states,), to bounds that one step of the rules proves; return the bounds.

    Components of the positions are the layers. A state that play cannot return to gets the bounds of its successors,
    stepped back exactly and widened to hold the published value. In a component with a cycle, bounds are the published
    values and their error bounds by state, under which one step leads strictly inside (one_step.py). Raises
    ConfigurationError if that fails in exact arithmetic.
    """
    p = model.positions
    order, ends = solving_order(p)
    found, endless = check_values(Step.of(p), p.sense, order, ends, values)
    if endless:
        raise ConfigurationError(f"{model.place}: {endless.said()}, so one step cannot prove bounds of its values")
    layers = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))[np.argsort(order)].tolist()
    step = ExactStep(model, values)
    for begin, end in pairwise([0, *ends.tolist()]):
        states = order[begin:end].tolist()
        if len(states) == 1 and not step.returns(states[0]):
            step.step_back(states[0])
        elif not any(step.encloses(states, (found.bounds + LEAST) * wider) for wider in WIDER):
            what = f"play from {model.names[states[0]]} can last so long that one step proves no bounds of its value"
            raise ConfigurationError(f"{model.place}: {what}")
    low, high, total = step.expected(0)
    return Bounds([*layers, len(ends)], [*step.lower, low // total], [*step.upper, -(-high // total)])


def _scaled(value: float, up: bool) -> int:
    """Return a double times 2**SCALE, rounded up or down."""
    numerator, denominator = value.as_integer_ratio()
    return -((-numerator << SCALE) // denominator) if up else (numerator << SCALE) // denominator


class ExactStep:
    """One step of the rules, in whole numbers, from the bounds of the next states."""

    def __init__(self, model: Model, values: np.ndarray) -> None:
        self.model = model
        self.lower, self.upper = ([_scaled(value, up) for value in values.tolist()] for up in (False, True))
        self.values = [*zip(self.lower, self.upper, strict=True)]
        self.known: dict[int, tuple[int, int, int]] = {}

    def returns(self, s: int) -> bool:
        """Return whether play can return from state `s` to itself at once."""
        p = self.model.positions
        return any((p.to[p.begin[b] : p.begin[b + 1]] == s).any() for b in p.after[p.first[s] : p.first[s + 1]])

    def step_back(self, s: int) -> None:
        """Widen the bounds of a state, whose successors have theirs, so that they hold one step back."""
        low, high = self.best(s, inward=False)
        self.lower[s], self.upper[s] = min(self.lower[s], low), max(self.upper[s], high)

    def encloses(self, states: list[int], errors: np.ndarray) -> bool:
        """Set the bounds of a component to its values plus and minus `errors`; return whether one step from them leads
        strictly between them."""
        self.known.clear()
        for s in states:
            error, (down, up) = _scaled(errors[s], True), self.values[s]
            self.lower[s], self.upper[s] = down - error, up + error
        for s in states:
            low, high = self.best(s, inward=True)
            if not (self.lower[s] < low and high < self.upper[s]):
                return False
        return True

    def best(self, s: int, inward: bool) -> tuple[int, int]:
        """Return the best lower and upper bound over the actions of a state, rounded towards or away from each other:
        a whole number is strictly below a fraction exactly if it is below the fraction rounded up."""
        p = self.model.positions
        best = max if p.sense[s] > 0 else min
        found = [self.expected(b) for b in p.after[p.first[s] : p.first[s + 1]].tolist()]
        if inward:
            return best(-(-low // total) for low, _, total in found), best(high // total for _, high, total in found)
        return best(low // total for low, _, total in found), best(-(-high // total) for _, high, total in found)

    def expected(self, afterstate: int) -> tuple[int, int, int]:
        """Return (lower, upper, total): the expected bounds after an afterstate are lower/total and upper/total."""
        if afterstate not in self.known:
            total = low = high = 0
            unit = self.model.unit
            for weight, sign, reward, to in self.model.outcomes(afterstate):
                down = up = reward << SCALE
                if to >= 0:
                    ahead = (self.lower[to], self.upper[to]) if sign > 0 else (-self.upper[to], -self.lower[to])
                    down, up = down + unit * ahead[0], up + unit * ahead[1]
                total, low, high = total + weight * unit, low + weight * down, high + weight * up
            self.known[afterstate] = low, high, total
        return self.known[afterstate]


def write_certificate(catalog: "Catalog", solved: "SolvedVariant", path: Path) -> str:
    """Write the certificate of a variant, whose last state is the start of play; return its size in words."""
    model = model_of(solved)
    p, bounds = model.positions, bounds_of(model, published_values(catalog, model, solved))
    players = [*np.where(p.sense > 0, 0, 1).tolist(), 0]
    known: dict[int, str] = {}

    def outcomes(afterstate: int) -> str:
        if afterstate not in known:
            known[afterstate] = "".join(f"{w} {s} {r} {t}\n" for w, s, r, t in model.outcomes(afterstate))
        return known[afterstate]

    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.write(f"dicebase-certificate 1\ntable {model.place} {json.dumps(solved.parameters)}\n")
        file.write(f"scale {SCALE}\nunit {model.unit}\n")
        for s, state in enumerate(zip(players, *bounds, [*model.names, "start"], strict=True)):
            file.write(f"state {' '.join(map(str, state))}\n")
            for k in range(p.first[s], p.first[s + 1]) if s < len(model.states) else ():
                file.write(f"action {model.actions[k]}\n{outcomes(p.after[k])}")
        file.write(f"action begin\n{outcomes(0)}")
    apart = max(map(sub, bounds.upper, bounds.lower)) / 2**SCALE
    return f"{len(bounds.layers)} states, bounds at most {apart:.1e} apart"
