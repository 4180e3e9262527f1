"""Certify exact values: the published policy must earn the claimed value modulo a random prime (a fingerprint), and
small variants are solved again in rationals by backward induction."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.graph.positions import Positions
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import LEAST_REGRET, over_one_denominator
from dicebase.vocabulary.kernels import inner, kernel

PRIME_BITS = 50  # _times is exact up to this size
DRAWS = 5  # a random prime divides one of a million denominators with probability below 1e-7
# Variants up to this much work are solved again in rationals: (afterstate, outcome) pairs times bits of the value.
EXACT_WORK = 200_000_000
IN_RATIONALS = "solved again in rationals: every value is exact, rounded once"


def is_small(pairs: float, exact: Fraction) -> bool:
    """Return whether a variant with this number of (afterstate, outcome) pairs is solved again in rationals."""
    return pairs * exact.denominator.bit_length() <= EXACT_WORK


def exact_step(p: Positions, known: list[Fraction]) -> Callable[[int, int], tuple[Fraction, Fraction]]:
    """Return a function of an afterstate and a state: the value of the afterstate, excluding self-loops to the state,
    from the values `known` of the states after it, and the signed probability of a self-loop."""
    begin, fall, to = (x.tolist() for x in (p.begin, p.fall, p.to))
    sums = [sum(fall.weights) for fall in p.falls]

    def ahead(b: int, here: int) -> tuple[Fraction, Fraction]:
        there, (weights, rewards, signs) = to[begin[b] : begin[b + 1]], p.falls[fall[b]]
        later = [(w * sign, known[t]) for w, sign, t in zip(weights, signs, there, strict=True) if t not in (-1, here)]
        back = (
            sum(w * sign for w, sign, t in zip(weights, signs, there, strict=True) if t == here) if here in there else 0
        )
        earned = sum(w * paid for w, paid in zip(weights, rewards, strict=True) if paid)
        numerators, over = over_one_denominator([number for _, number in later])
        summed = sum(w * n for (w, _), n in zip(later, numerators, strict=True))
        return (earned + Fraction(summed, over)) / (sums[fall[b]] - back), Fraction(back, sums[fall[b]])

    return ahead


def exactly(p: Positions, order: np.ndarray, stays: np.ndarray, published: Published, fail: Fail) -> Fraction:
    """Solve the variant again in rationals, compare every published number, and return the value of the game.
    order : (states,), each after its successors. stays : (actions,), nonzero for actions with a self-loop."""
    first, after, known = p.first.tolist(), p.after.tolist(), [Fraction(0)] * len(order)
    ahead = exact_step(p, known)
    worths: dict[int, Fraction] = {}  # values of afterstates without a self-loop; `rounded` has the nearest doubles
    rounded: dict[int, float] = {}
    lost: dict[tuple[int, int], tuple[float, bool]] = {}  # by (best afterstate, another): regret, whether it is zero
    values, again, regrets, best = np.empty(len(order)), *np.empty((3, len(p.of)))
    returns = np.logical_or.reduceat(stays, p.first[:-1]).tolist()
    for s in order.tolist():
        rows, pick = range(first[s], first[s + 1]), max if p.sense[s] > 0 else min
        if returns[s]:
            found = [ahead(after[k], s) for k in rows]
            value = known[s] = pick(worth for worth, _ in found)
            for k, (worth, stays) in zip(rows, found, strict=True):
                q = worth + stays * (value - worth)
                again[k], regrets[k], best[k] = q, abs(value - q), q == value
            values[s] = value
            continue
        for b in after[rows.start : rows.stop]:
            if b not in worths:
                worths[b], _ = ahead(b, -2)
                rounded[b] = float(worths[b])
        # Rounding is monotone, so only afterstates with the best double are compared as rationals.
        top = pick(rounded[b] for b in after[rows.start : rows.stop])
        chosen = pick({b for b in after[rows.start : rows.stop] if rounded[b] == top}, key=worths.__getitem__)
        known[s], values[s] = worths[chosen], top
        for k in rows:
            pair = chosen, after[k]
            if pair not in lost:
                loss = abs(worths[chosen] - worths[after[k]])
                lost[pair] = float(loss), loss == 0
            again[k] = rounded[after[k]]
            regrets[k], best[k] = lost[pair]
    check_rationals(published, values, again, regrets, best, fail)
    return ahead(0, -2)[0]


def check_rationals(
    published: Published, values: np.ndarray, again: np.ndarray, regrets: np.ndarray, best: np.ndarray, fail: Fail
) -> None:
    """Fail unless each published number is the given rational, rounded once; `best` marks actions of zero regret."""
    what = "the value is {!r}, in rationals it is {!r}"
    refuse(published.keys, fail, published.values != values, what, published.values, values)
    names = ("action", "q_value", "regret", "optimal", "undecided")
    action, q_value, regret, optimal, undecided = (published.actions[name] for name in names)
    refuse_row = partial(refuse, published.keys_of_actions, fail)
    refuse_row(q_value != again, "q_value of '{}' is {!r}, in rationals it is {!r}", action, q_value, again)
    regrets = np.where((best == 0) & (regrets == 0), LEAST_REGRET, regrets)
    wrong = (optimal != best) | undecided | (regret != regrets)
    refuse_row(wrong, "regret of '{}' is {!r}, in rationals {!r}", action, regret, regrets)


def earns_modulo_prime(exact: Fraction, earned: Callable[[int], int]) -> bool:
    """Return whether `earned(prime)` equals `exact` modulo a random prime of PRIME_BITS bits.

    The prime is drawn here, so no one can prepare a wrong rational that passes. If the prime divides a denominator,
    `earned` raises ValueError and another prime is drawn.
    """
    for _ in range(DRAWS):
        prime = _draw_prime()
        with suppress(ValueError):
            return modulo(exact, prime) == earned(prime)
    return False


def modulo(number: Fraction | int, prime: int) -> int:
    """Return a rational modulo a prime; raises ValueError if the prime divides its denominator."""
    return number.numerator * pow(number.denominator, -1, prime) % prime


def _draw_prime() -> int:
    low = 1 << PRIME_BITS - 1
    return next(n for n in iter(lambda: low + secrets.randbelow(low), None) if _is_prime(n))


def _is_prime(n: int) -> bool:
    """Miller-Rabin test with bases that are deterministic for n below 3.3e24 (Sorenson & Webster 2017)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if n < 2 or any(n % base == 0 for base in bases):
        return n in bases
    twos = (n - 1 & 1 - n).bit_length() - 1
    starts = (pow(base, n - 1 >> twos, n) for base in bases)
    return all(x == 1 or any(pow(x, 1 << i, n) == n - 1 for i in range(twos)) for x in starts)


def earned_by_policy(p: Positions, order: np.ndarray, played: np.ndarray, prime: int) -> int:
    """Return the payoff of the policy `played`, (actions,) bool, modulo a prime of at most 50 bits. Play may have
    self-loops but no longer cycles. Raises ValueError if the prime divides a denominator."""
    sums, ways = [sum(fall.weights) for fall in p.falls], [way for fall in p.falls for way in zip(*fall, strict=True)]
    weights, rewards, signs = zip(*ways, strict=True)
    numbers = weights, sums, [modulo(reward, prime) for reward in rewards], [pow(total, -1, prime) for total in sums]
    weight, total, reward, inverse = (np.array([number % prime for number in of], np.int64) for of in numbers)
    known = np.zeros(len(p.first), np.int64)
    after = np.append(p.after[played], 0)
    everything = np.append(order, len(order))  # the start of the game, as one more state
    falls = p.falls_at, weight, reward, np.array(signs), total[p.fall], inverse[p.fall]
    if not _earned(after, p.begin, p.to, *falls, everything, known, prime):
        raise ValueError(prime)
    return int(known[-1])


@kernel
def _earned(after, begin, to, at, weight, reward, sign, total, inverse, order, known, prime):
    """Fill `known`, (states + 1,), in `order`; return False if a probability of leaving a state is 0 modulo the prime.
    after : (states + 1,) the afterstate played. begin, to : as in Positions. at : (afterstates,) where the outcomes'
    weight, reward and sign begin. total, inverse : (afterstates,) sum of weights, and its inverse modulo the prime."""
    for s in order:
        b = after[s]
        earned, left = 0, total[b]
        for o in range(begin[b], begin[b + 1]):
            i = at[b] + o - begin[b]
            w = weight[i]
            earned += _times(w, reward[i], prime)
            if to[o] == s:
                left += -w if sign[i] > 0 else w
            elif to[o] >= 0:
                later = _times(w, known[to[o]], prime)
                earned += later if sign[i] > 0 else -later
            earned, left = earned % prime, left % prime
        if left == 0:
            return False
        known[s] = _times(earned, inverse[b] if left == total[b] else _power(left, prime - 2, prime), prime)
    return True


@inner
def _times(a, b, prime):
    """Return a * b modulo a prime below 2**50. The quotient in doubles is off by at most one, so the remainder, taken
    modulo 2**64, is off by at most one prime."""
    left = a * b - np.int64(np.float64(a) * np.float64(b) / np.float64(prime)) * prime
    return left + prime if left < 0 else left - prime if left >= prime else left


@inner
def _power(a, n, prime):
    found = 1
    while n > 0:
        if n & 1:
            found = _times(found, a, prime)
        a, n = _times(a, a, prime), n >> 1
    return found
