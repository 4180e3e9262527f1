"""Exact values: a claimed one is what the published policy earns, modulo a prime; or all are solved in rationals."""

from fractions import Fraction
from functools import partial

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.positions import Positions
from dicebase.certify.published import Published, refuse
from dicebase.vocabulary import over_one_denominator
from dicebase.vocabulary.kernels import inner, kernel

PRIME = 2**61 - 1
# Variants up to this much work are solved again in rationals: (afterstate, outcome) pairs times bits of the value.
EXACT_WORK = 200_000_000
IN_RATIONALS = "solved again in rationals: every value is the exact one, rounded once"


def is_small(pairs: float, exact: Fraction) -> bool:
    """Whether a variant with so many pairs is to be solved again in rationals."""
    return pairs * exact.denominator.bit_length() <= EXACT_WORK


def exactly(p: Positions, order: np.ndarray, stays: np.ndarray, published: Published, fail: Fail) -> Fraction:
    """Solve the variant again in rationals and compare every published number; the value of the game.

    stays : (actions,), whether the state may stay as it is.
    """
    first, after, begin, fall, to = (x.tolist() for x in (p.first, p.after, p.begin, p.fall, p.to))
    sums = [sum(fall.weights) for fall in p.falls]
    known: list[Fraction] = [Fraction(0)] * len(order)
    worths: dict[int, Fraction] = {}  # of afterstates that do not lead back, and rounded
    rounded: dict[int, float] = {}
    lost: dict[tuple[int, int], tuple[float, bool]] = {}  # by the best afterstate and another: regret, whether none

    def ahead(b: int, here: int = -2, stays: Fraction | int = 0) -> Fraction:
        """What an afterstate is worth, or once a state is left to which it leads back with this share."""
        there, (weights, rewards, signs) = to[begin[b] : begin[b + 1]], p.falls[fall[b]]
        later = [(w * sign, known[t]) for w, sign, t in zip(weights, signs, there, strict=True) if t not in (-1, here)]
        earned = sum(w * paid for w, paid in zip(weights, rewards, strict=True) if paid)
        numerators, over = over_one_denominator([number for _, number in later])
        summed = sum(w * n for (w, _), n in zip(later, numerators, strict=True))
        return (earned + Fraction(summed, over)) / (sums[fall[b]] * (1 - stays))

    def back(b: int, here: int) -> Fraction:
        """The share of an afterstate that is worth again what the state is."""
        there, (weights, _, signs) = to[begin[b] : begin[b + 1]], p.falls[fall[b]]
        return Fraction(
            sum(w * sign for w, sign, t in zip(weights, signs, there, strict=True) if t == here), sums[fall[b]]
        )

    values, again, regrets, best = np.empty(len(order)), *np.empty((3, len(p.of)))
    returns = np.logical_or.reduceat(stays, p.first[:-1]).tolist()
    for s in order.tolist():
        rows, pick = range(first[s], first[s + 1]), max if p.sense[s] > 0 else min
        if returns[s]:
            staying = [back(after[k], s) for k in rows]
            found = [ahead(after[k], s, stays) for k, stays in zip(rows, staying, strict=True)]
            value = known[s] = pick(found)
            for k, worth, stays in zip(rows, found, staying, strict=True):
                q = worth + stays * (value - worth)
                again[k], regrets[k], best[k] = q, abs(value - q), q == value
            values[s] = value
            continue
        for b in after[rows.start : rows.stop]:
            if b not in worths:
                worths[b] = ahead(b)
                rounded[b] = float(worths[b])
        # Rounding keeps the order: only the largest doubles are compared as rationals.
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
    return ahead(0)


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


def modulo_prime(number: Fraction | int) -> int:
    """What a rational is modulo PRIME."""
    return number.numerator * _inverse(number.denominator) % PRIME


def _inverse(number: int) -> int:
    return pow(number, -1, PRIME)


def earned_modulo_prime(p: Positions, order: np.ndarray, played: np.ndarray) -> int:
    """What these actions, one of every state, earn, modulo PRIME; play has no cycles of several states."""
    sums, ways = [sum(fall.weights) for fall in p.falls], [way for fall in p.falls for way in zip(*fall, strict=True)]
    weights, rewards, signs = zip(*ways, strict=True)
    weight, total, reward, inverse = (
        np.array([number % PRIME for number in numbers], np.uint64)
        for numbers in (weights, sums, map(modulo_prime, rewards), map(_inverse, sums))
    )
    known = np.zeros(len(p.first), np.uint64)
    after = np.append(p.after[played], 0)
    everything = np.append(order, len(order))  # the start, as if it were a state
    falls = p.falls_at, weight, reward, np.array(signs), total[p.fall], inverse[p.fall]
    _earned(after, p.begin, p.to, *falls, everything, known)
    return int(known[-1])


@kernel
def _earned(after, begin, to, at, weight, reward, sign, total, inverse, order, known):
    prime = np.uint64(PRIME)
    for s in order:
        b = after[s]
        earned, left = np.uint64(0), total[b]
        for o in range(begin[b], begin[b + 1]):
            i = at[b] + o - begin[b]
            w = weight[i]
            earned = _plus(earned, _times(w, reward[i]))
            if to[o] == s:
                left = _plus(left, prime - w if sign[i] > 0 else w)
            elif to[o] >= 0:
                later = _times(w, known[to[o]])
                earned = _plus(earned, later if sign[i] > 0 else prime - later)
        known[s] = _times(earned, inverse[b] if left == total[b] else _power(left, prime - np.uint64(2)))


@inner
def _plus(a, b):
    prime = np.uint64(PRIME)
    return (a + b) % prime


@inner
def _times(a, b):
    """A product modulo 2**61 - 1, of halves of 32 bits: 2**64 is 8 there, and 2**61 is 1."""
    prime, half, low29 = np.uint64(PRIME), np.uint64(2**32 - 1), np.uint64(2**29 - 1)
    s29, s32, s61, eight = np.uint64(29), np.uint64(32), np.uint64(61), np.uint64(8)
    high_a, high_b, low_a, low_b = a >> s32, b >> s32, a & half, b & half
    middle, low = high_a * low_b + low_a * high_b, low_a * low_b
    folded = eight * high_a * high_b + (middle >> s29) + ((middle & low29) << s32) + (low & prime) + (low >> s61)
    return folded % prime


@inner
def _power(a, n):
    found, one = np.uint64(1), np.uint64(1)
    while n > 0:
        if n & one:
            found = _times(found, a)
        a, n = _times(a, a), n >> one
    return found
