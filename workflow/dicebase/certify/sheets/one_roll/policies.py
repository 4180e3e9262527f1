"""Policies of a player who rolls alone, solved again from the definitions of matches/sheets/versus_matchups.py.

Slots are ordered by rank among expected rolls (Böcker 2015, section 6); games are counted modulo several primes, not in
integers of several words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from dicebase.certify.sheets.one_roll.rank import expected_rolls
from dicebase.vocabulary import MultiplierScorecard
from dicebase.vocabulary.kernels import kernel

# The greatest primes below 2^31.
PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497)


@dataclass(frozen=True)
class Alone:
    """One scorecard and its player; scores are counted from the lowest possible one."""

    rules: MultiplierScorecard

    @cached_property
    def order(self) -> np.ndarray:
        """The free slots by expected score, best first and the lowest first in a tie, then -1, as an array (2**slots,
        rolls, slots)."""
        rules, gains, total = self.rules, self.rules.gains, sum(self.rules.odds)
        expected = expected_rolls(rules.weights, rules.slots)
        bars = [[int(e * total**j) for e in row] for j, row in enumerate(expected)]
        order = np.full((1 << rules.slots, len(rules.weights), rules.slots), -1, np.int8)
        for free in range(1, len(order)):
            own = [i for i in range(rules.slots) if free >> i & 1]
            # The other slots get the same expected rolls by rank, whichever slot is taken.
            others = ([rules.factors[o] for o in own if o != i] for i in own)
            rest = [sum(f * e for f, e in zip(of, bars[len(own) - 1], strict=True)) for of in others]
            unit = total ** (len(own) - 1)
            for x in range(len(rules.weights)):
                worth = [(-gains[i][x] * unit - r, i) for i, r in zip(own, rest, strict=True)]
                order[free, x, : len(own)] = [i for _, i in sorted(worth)]
        return order

    @property
    def best(self) -> np.ndarray:
        """The slot that maximises the expected score, the lowest in a tie, (2**slots, rolls)."""
        return self.order[:, :, 0]

    @cached_property
    def optimal(self) -> np.ndarray:
        """`best`, shaped like the result of `maximise`."""
        return np.repeat(self.order[:, :, :1], self.rules.spread + 1, axis=2)

    def maximise(self, payoff: Sequence[int]) -> np.ndarray:
        """Return the slots, (2**slots, rolls, scores), that maximise an expected payoff, given by final score."""
        return _maximise(np.array(self.rules.odds), np.array(self.rules.above), self.order, np.array(payoff))

    def play(self, chosen: np.ndarray) -> list[int]:
        """Return the number of games that end with each score, from the lowest, if rolls go to the chosen slots."""
        primes = PRIMES[: self.rules.games.bit_length() // 30 + 1]
        counted = _count(np.array(self.rules.odds), np.array(self.rules.above), chosen, np.array(primes))
        return [_remainder(residues, primes) for residues in counted.T.tolist()]

    def play_at_random(self) -> list[int]:
        """Return the same for random placement: the product of one polynomial per slot, each a long integer."""
        bits, odds = self.rules.games.bit_length() + 1, self.rules.odds
        product = prod(sum(w << bits * s for w, s in zip(odds, row, strict=True)) for row in self.rules.above)
        return [product >> bits * s & (1 << bits) - 1 for s in range(self.rules.spread + 1)]


@kernel(_nrt=True)
def _maximise(odds, above, order, payoff):
    """Go backward over sets of free slots. odds : (rolls,); above : (slots, rolls), points above the least."""
    slots, rolls = above.shape
    scores, total = len(payoff), odds.sum()
    values = np.zeros((1 << slots, scores), np.int64)
    chosen = np.zeros((1 << slots, rolls, scores), np.int8)
    best = np.zeros(scores, np.int64)
    for s in range(scores):
        values[0, s] = payoff[s]
    for free in range(1, 1 << slots):
        for x in range(rolls):
            for s in range(scores):
                best[s] = -1
            for i in order[free, x]:
                shift, after = above[i, x], values[free & ~(1 << i)]
                for s in range(scores - shift if i >= 0 else 0):
                    if after[s + shift] > best[s]:
                        best[s], chosen[free, x, s] = after[s + shift], i
            for s in range(scores):
                values[free, s] += odds[x] * best[s]
        for s in range(scores):
            values[free, s] //= total
    return chosen


@kernel(_nrt=True)
def _count(odds, above, chosen, primes):
    """Count games forward modulo each prime, and return (primes, scores); chosen : (2**slots, rolls, scores)."""
    _, rolls, scores = chosen.shape
    counted = np.zeros((len(primes), len(chosen), scores), np.int64)
    for n in range(len(primes)):
        counted[n, len(chosen) - 1, 0] = 1
        for free in range(len(chosen) - 1, 0, -1):
            for x in range(rolls):
                for s in range(scores):
                    games, i = counted[n, free, s], chosen[free, x, s]
                    if games:
                        after, at = free & ~(1 << i), s + above[i, x]
                        counted[n, after, at] = (counted[n, after, at] + games * odds[x]) % primes[n]
    return counted[:, 0]


def _remainder(residues: Sequence[int], primes: Sequence[int]) -> int:
    """Return the least number with these residues."""
    found, modulus = 0, 1
    for residue, prime in zip(residues, primes, strict=True):
        found += modulus * ((residue - found) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return found
