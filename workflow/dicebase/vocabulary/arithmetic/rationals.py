"""Exact arithmetic in rationals: weighted means, systems of linear equations, and text."""

import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import lcm


class SingularError(ArithmeticError):
    """The equations have no unique solution."""


Equations = Mapping[Hashable, tuple[Mapping[Hashable, Fraction], Fraction]]


def solve_sparse(equations: Equations) -> dict[Hashable, Fraction]:
    """Solve x[k] = constant + sum of coefficient[j] * x[j] over all unknowns k, by elimination in rationals.

    equations : {unknown: (coefficients, constant)}. Coefficients are probabilities, so no pivot vanishes unless some
        unknowns refer only to one another; then SingularError is raised.
    """
    rows = {k: (dict(coefficients), constant) for k, (coefficients, constant) in equations.items()}
    order = _dependencies_first(equations)
    for done, k in enumerate(order):
        coefficients, constant = rows[k]
        own = 1 - coefficients.pop(k, Fraction(0))
        if own == 0:
            raise SingularError(f"play that reaches {k!r} never ends")
        coefficients = {j: c / own for j, c in coefficients.items()}
        rows[k] = coefficients, constant / own
        for other in order[:done] + order[done + 1 :]:
            if factor := rows[other][0].pop(k, None):
                theirs, their_constant = rows[other]
                for j, c in coefficients.items():
                    theirs[j] = theirs.get(j, Fraction(0)) + factor * c
                rows[other] = theirs, their_constant + factor * rows[k][1]
    return {k: constant for k, (_, constant) in rows.items()}


def _dependencies_first(equations: Equations) -> list[Hashable]:
    """The unknowns, each after those it refers to (except in cycles), so that elimination causes little fill-in."""
    order: dict[Hashable, None] = {}
    seen: set[Hashable] = set()
    for root in equations:
        todo = [(root, False)]
        while todo:
            k, left = todo.pop()
            if left:
                order[k] = None
            elif k not in seen:
                seen.add(k)
                todo.append((k, True))
                todo.extend((j, False) for j in equations[k][0] if j not in seen)
    return list(order)


def weighted_mean(weights: Sequence[int], numbers: Sequence[Fraction | int]) -> Fraction:
    """The weighted mean over one common denominator, which saves a greatest common divisor per term."""
    numerators, denominator = over_one_denominator(numbers)
    total = sum(w * n for w, n in zip(weights, numerators, strict=True))
    return Fraction(total, denominator * sum(weights))


def over_one_denominator(numbers: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """Return (numerators, least common denominator)."""
    denominator = lcm(*(x.denominator for x in numbers))
    return [x.numerator * (denominator // x.denominator) for x in numbers], denominator


@contextmanager
def _of_any_length() -> Iterator[None]:
    """Lift Python's limit on digits for a moment: some of our denominators exceed it."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


@_of_any_length()
def rational_text(number: Fraction) -> str:
    """The text `numerator/denominator` in decimal digits."""
    return f"{number.numerator}/{number.denominator}"


@_of_any_length()
def read_rational(text: str) -> Fraction:
    """The number of a text `numerator/denominator`; raises ValueError for any other text."""
    numerator, slash, denominator = text.partition("/")
    if not slash or int(denominator) == 0:
        raise ValueError(f"'{text:.40}' is not of the form numerator/denominator")
    return Fraction(int(numerator), int(denominator))
