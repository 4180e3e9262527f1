"""Exact arithmetic: means and systems of linear equations in rational numbers, and rationals as text."""

import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import lcm


class SingularError(ArithmeticError):
    """The equations have no unique solution."""


Equations = Mapping[Hashable, tuple[Mapping[Hashable, Fraction], Fraction]]


def solve_sparse(equations: Equations) -> dict[Hashable, Fraction]:
    """Solve x[k] = constant + sum of coefficient[j] * x[j], for every k, by elimination in rationals.

    `equations` maps each unknown to (coefficients, constant). The coefficients of a row are probabilities, so no
    pivot can vanish unless some unknowns only refer to each other: then SingularError is raised.
    """
    rows = {k: (dict(coefficients), constant) for k, (coefficients, constant) in equations.items()}
    order = _dependencies_first(equations)
    for done, k in enumerate(order):
        coefficients, constant = rows[k]
        own = 1 - coefficients.pop(k, Fraction(0))
        if own == 0:
            raise SingularError(f"play that reaches {k!r} never leaves")
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
    """The unknowns in an order in which, but for cycles, each comes after those it refers to: little fills in."""
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
    """The mean over one common denominator, which spares a greatest common divisor a term."""
    numerators, denominator = over_one_denominator(numbers)
    total = sum(w * n for w, n in zip(weights, numerators, strict=True))
    return Fraction(total, denominator * sum(weights))


def over_one_denominator(numbers: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """The numerators over the least common denominator, and that denominator."""
    denominator = lcm(*(x.denominator for x in numbers))
    return [x.numerator * (denominator // x.denominator) for x in numbers], denominator


@contextmanager
def _of_any_length() -> Iterator[None]:
    """Some of our denominators have more digits than Python's limit, which guards everyone else's numbers."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


@_of_any_length()
def rational_text(number: Fraction) -> str:
    """`numerator/denominator` in decimal digits."""
    return f"{number.numerator}/{number.denominator}"


@_of_any_length()
def read_rational(text: str) -> Fraction:
    """The number of such a text; raises ValueError where it is none."""
    numerator, slash, denominator = text.partition("/")
    if not slash or int(denominator) == 0:
        raise ValueError(f"'{text:.40}' is no numerator/denominator")
    return Fraction(int(numerator), int(denominator))
