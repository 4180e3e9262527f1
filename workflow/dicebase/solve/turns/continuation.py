"""What a turn is worth beyond its last total, when banking x points is worth x.

A turn has no largest total, but past some total nothing new happens. Call (total mod period, mode) a class. A class
is safe when its roll can never be lost, and then rolling is right, because every roll gains. Let w be the most
points still to be expected from a class by rolling until a class is met that is not safe, and banking there:

    w(c) = 0                                                    where the roll of c can be lost
    w(c) = sum of p(roll) * max over options of (gain + w(c'))  where c is safe

With p the probability of losing the roll of c and G(c) = sum over the other rolls of p * max(gain + w(c')), let the
cut-off T be the first total with T >= G(c) / p(c) for every class that is not safe.

Theorem. From T on the value of a turn is V(total, c) = total + w(c); it is infinite where there is a set of safe
classes that play need never leave. The proof, and why the games have no such set, is in docs/why/solvers.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd

from dicebase.vocabulary import Class, Continuation, InfiniteValueError, Option, Roll, Turn, solve_sparse


@dataclass(frozen=True)
class FarTotals:
    """The cut-off of a turn and its worth from there on; raises InfiniteValueError where there is none."""

    rules: Turn

    @property
    def continuation(self) -> Continuation:
        """Both, as a claim."""
        return Continuation(self.cutoff, self.worth)

    @cached_property
    def classes(self) -> dict[Class, tuple[Roll, ...]]:
        """The classes a turn can reach, each with its rolls."""
        found: dict[Class, tuple[Roll, ...]] = {}
        todo = [(0, self.rules.modes[0])]
        while todo:
            c = todo.pop()
            if c not in found:
                found[c] = tuple(self.rules.rolls(*c))
                todo.extend(n for roll in found[c] for o in roll.options if (n := self.next(c, o)))
        return found

    def next(self, c: Class, option: Option) -> Class | None:
        """The class after an option; None at a forced end."""
        return None if option.mode is None else ((c[0] + option.gain) % self.rules.period, option.mode)

    @cached_property
    def unit(self) -> int:
        """The greatest common divisor of all gains: every turn total is a multiple of it."""
        return gcd(*(o.gain for rolls in self.classes.values() for roll in rolls for o in roll.options))

    @cached_property
    def safe(self) -> set[Class]:
        """The classes whose roll can never be lost."""
        return {c for c, rolls in self.classes.items() if not any(roll.loss for roll in rolls)}

    @cached_property
    def worth(self) -> dict[Class, Fraction]:
        """w(c): points still to be expected beyond the cut-off, by policy iteration in rationals."""
        self._refuse_endless_turns()
        w = dict.fromkeys(self.classes, Fraction(0))
        policy = None  # a list of options, one a roll; none can stay in safe classes for ever
        while True:
            better = {
                c: [max(roll.options, key=lambda o, c=c: self._gain(c, o, w)) for roll in self.classes[c]]
                for c in self.safe
            }
            if better == policy:
                return w
            policy = better
            w |= solve_sparse({c: self._equation(c, options) for c, options in policy.items()})

    @cached_property
    def cutoff(self) -> int:
        """T: from this total on V(total, c) = total + w(c); a multiple of `unit`, at least one unit."""
        ratios = (self.ratio(c) for c in self.classes if c not in self.safe)
        return self.unit * max([1, *(ceil(ratio / self.unit) for ratio in ratios)])

    def ratio(self, c: Class) -> Fraction:
        """G(c) / p(c): the total from which on the roll of an unsafe class is not worth its risk (equation (6))."""
        lost = sum(roll.weight for roll in self.classes[c] if roll.loss)
        ahead = ((roll.weight, (self._gain(c, o, self.worth) for o in roll.options)) for roll in self.classes[c])
        return Fraction(sum(weight * max(gains, default=0) for weight, gains in ahead)) / lost

    def _gain(self, c: Class, option: Option, w: dict[Class, Fraction]) -> Fraction:
        c_next = self.next(c, option)
        return option.gain + (w[c_next] if c_next else Fraction(0))

    def _equation(self, c: Class, options: list[Option]) -> tuple[dict[Class, Fraction], Fraction]:
        rolls = self.classes[c]
        total = sum(roll.weight for roll in rolls)
        coefficients: dict[Class, Fraction] = {}
        constant = Fraction(0)
        for roll, option in zip(rolls, options, strict=True):
            constant += Fraction(roll.weight * option.gain, total)
            c_next = self.next(c, option)
            if c_next in self.safe:
                coefficients[c_next] = coefficients.get(c_next, Fraction(0)) + Fraction(roll.weight, total)
        return coefficients, constant

    def _refuse_endless_turns(self) -> None:
        closed = set(self.safe)
        while leaves := {
            c
            for c in closed
            if not all(any(self.next(c, o) in closed for o in roll.options) for roll in self.classes[c])
        }:
            closed -= leaves
        if closed:
            phase, mode = min(closed)
            raise InfiniteValueError(
                f"the value is infinite: in mode {mode}"
                + (f" at totals {phase} modulo {self.rules.period}" if self.rules.period > 1 else "")
                + " a turn can go on for ever without ever being lost"
            )
