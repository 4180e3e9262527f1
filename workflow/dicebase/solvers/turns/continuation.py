"""The value of a turn beyond its cut-off, if banking x points has the value x.

Turn totals are unbounded, but from some cut-off T on the value is total + w(c) for the class c = (total mod period,
mode), or another line in the total if a mode forbids stopping at any total. docs/why/solvers.md (Where the totals end)
has the theorem and its proof, and shows why no game has an endless turn.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd

from dicebase.vocabulary import Class, Continuation, InfiniteValueError, Line, Option, Roll, Turn, solve_sparse

STOP: Line = (Fraction(1), Fraction(0))


def _overtaken(line: Line, other: Line) -> Fraction:
    """Return the total from which `line` is at least `other`; its slope must be at least the slope of `other`."""
    return (other[1] - line[1]) / (line[0] - other[0]) if line[0] > other[0] else Fraction(0)


@dataclass(frozen=True)
class FarTotals:
    """The cut-off of a turn and the values beyond it; raises InfiniteValueError if a turn can go on for ever."""

    rules: Turn

    @property
    def continuation(self) -> Continuation:
        """The cut-off and the lines beyond it, as a claim to certify."""
        slopes = {c: slope for c, (slope, _) in self.lines.items() if slope != 1}
        return Continuation(self.cutoff, self.worth, slopes)

    @cached_property
    def classes(self) -> dict[Class, tuple[Roll, ...]]:
        """The classes that a turn can reach, each with its rolls."""
        found: dict[Class, tuple[Roll, ...]] = {}
        todo = [(0, self.rules.modes[0])]
        while todo:
            c = todo.pop()
            if c not in found:
                found[c] = tuple(self.rules.rolls(*c))
                todo.extend(n for roll in found[c] for o in roll.options if (n := self.next(c, o)))
        return found

    def next(self, c: Class, option: Option) -> Class | None:
        """Return the class after an option; None at a forced end."""
        return None if option.mode is None else ((c[0] + option.gain) % self.rules.period, option.mode)

    @cached_property
    def unit(self) -> int:
        """The greatest common divisor of all gains: every turn total is a multiple of it."""
        return gcd(*(o.gain for rolls in self.classes.values() for roll in rolls for o in roll.options))

    @cached_property
    def safe(self) -> set[Class]:
        """The classes whose roll can never be lost."""
        return {c for c, rolls in self.classes.items() if not any(roll.loss for roll in rolls)}

    @property
    def worth(self) -> dict[Class, Fraction]:
        """w(c): expected further points beyond the cut-off."""
        return {c: worth for c, (_, worth) in self.lines.items()}

    @cached_property
    def lines(self) -> dict[Class, Line]:
        """(s(c), w(c)) by policy iteration in rationals; lines are compared as tuples."""
        self._refuse_endless_turns()
        lines = dict.fromkeys(self.classes, STOP)
        policy = None  # for each class that rolls, an option per roll; no policy stays in safe classes for ever
        while True:
            better = {}
            for c in (c for c in self.classes if c in self.safe or c[1] in self.rules.must_roll):
                options = [max(roll.options, key=lambda o, c=c: self.after(c, o, lines)) for roll in self._kept(c)]
                if c[1] in self.rules.must_roll or self._rolled(c, options, lines) > STOP:
                    better[c] = options
            if better == policy:
                return lines
            policy = better
            lines = self._earned(policy)

    @cached_property
    def cutoff(self) -> int:
        """T: V(total, c) = s(c) total + w(c) from this total on; a multiple of `unit`, at least one unit."""
        ratios = [Fraction(self.rules.least_stop), *(self.ratio(c) for c in self.classes)]
        return self.unit * max(1, *(ceil(ratio / self.unit) for ratio in ratios))

    def ratio(self, c: Class) -> Fraction:
        """Return the total beyond which the best of the class's lines stays best. In an unsafe class this is the line
        of stopping, from G(c) / p(c) on (equation (6))."""
        ways = [[self.after(c, o, self.lines) for o in roll.options] for roll in self._kept(c)]
        if c[1] not in self.rules.must_roll:
            best = [max(range(len(lines)), key=lines.__getitem__) for lines in ways]
            options = [roll.options[i] for roll, i in zip(self._kept(c), best, strict=True)]
            ways.append([STOP, self._rolled(c, options, self.lines)])
        return max((_overtaken(max(lines), line) for lines in ways for line in lines), default=Fraction(0))

    def after(self, c: Class, option: Option, lines: dict[Class, Line]) -> Line:
        """Return the value after an option at a total of class c, as a line in that total."""
        slope, worth = lines[c_next] if (c_next := self.next(c, option)) else STOP
        return slope, slope * option.gain + worth

    def _kept(self, c: Class) -> list[Roll]:
        return [roll for roll in self.classes[c] if roll.options]

    def _rolled(self, c: Class, options: list[Option], lines: dict[Class, Line]) -> Line:
        """Return the line of rolling in a class, with one option for each roll that is not lost."""
        total = sum(roll.weight for roll in self.classes[c])
        ahead = [(roll.weight, self.after(c, o, lines)) for roll, o in zip(self._kept(c), options, strict=True)]
        return tuple(sum((weight * line[i] for weight, line in ahead), Fraction(0)) / total for i in range(2))

    def _earned(self, policy: dict[Class, list[Option]]) -> dict[Class, Line]:
        """Return the lines of a policy; solve first for the slopes (1 after a stop), then for the values at total 0."""
        shares, slope, worth = {}, {}, {}
        for c, options in policy.items():
            total = sum(roll.weight for roll in self.classes[c])
            used = zip(self._kept(c), options, strict=True)
            shares[c] = [(Fraction(roll.weight, total), o.gain, self.next(c, o)) for roll, o in used]
        for found, constant in ((slope, lambda _, c: c not in policy), (worth, lambda gain, c: slope.get(c, 1) * gain)):
            equations: dict[Class, tuple[dict[Class, Fraction], Fraction]] = {}
            for c, ahead in shares.items():
                coefficients: dict[Class, Fraction] = {}
                for share, _, c_next in ahead:
                    if c_next in policy:
                        coefficients[c_next] = coefficients.get(c_next, Fraction(0)) + share
                equations[c] = coefficients, sum((share * constant(*after) for share, *after in ahead), Fraction(0))
            found |= solve_sparse(equations)
        return {c: (slope[c], worth[c]) if c in policy else STOP for c in self.classes}

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
