"""Arithmetic modulo a random prime, by which exact values are checked."""

import random
from fractions import Fraction

import numpy as np

from dicebase.certify import rationals
from dicebase.vocabulary.kernels import kernel


def test_a_drawn_prime_is_a_prime_of_50_bits_and_another_one_each_time():
    drawn = {rationals._draw_prime() for _ in range(20)}
    assert len(drawn) == 20
    assert all(p.bit_length() == 50 and all(pow(a, p - 1, p) == 1 for a in range(2, 50)) for p in drawn)


def test_primes_are_recognised():
    sieve = [n for n in range(3000) if n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(3000) if rationals._is_prime(n)] == sieve
    # The least composite numbers that pass the test for the prime bases up to 2, 3, 7 and 23 (OEIS A014233).
    assert not any(map(rationals._is_prime, (2047, 1373653, 3215031751, 3825123056546413051)))
    assert rationals._is_prime(2**50 - 27) and rationals._is_prime(2**50 - 35)


@kernel
def products(a, b, prime, found):
    for i in range(len(a)):
        found[i] = rationals._times(a[i], b[i], prime)


def test_products_are_those_of_integers():
    prime, draw = 2**50 - 27, random.Random(1)
    ends = [0, 1, 2, prime // 2, prime // 2 + 1, prime - 2, prime - 1]
    pairs = [(a, b) for a in ends for b in ends]
    pairs += [(draw.randrange(prime), draw.randrange(prime)) for _ in range(20_000)]
    a, b = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    products(a, b, prime, found := np.zeros_like(a))
    assert found.tolist() == [x * y % prime for x, y in pairs]


def test_a_prime_that_divides_a_denominator_is_drawn_again(monkeypatch):
    drawn = iter((3, 5, 1_000_003))
    monkeypatch.setattr(rationals, "_draw_prime", lambda: next(drawn))
    asked = []

    def earned(prime):
        asked.append(prime)
        return rationals.modulo(Fraction(7, 5), prime) * pow(3, -1, prime) % prime

    assert rationals.earns_modulo_prime(Fraction(7, 15), earned) and asked == [1_000_003]
    monkeypatch.setattr(rationals, "_draw_prime", lambda: 3)
    assert not rationals.earns_modulo_prime(Fraction(7, 15), earned)
