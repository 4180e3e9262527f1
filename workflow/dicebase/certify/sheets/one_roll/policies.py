"""Policies of one who rolls alone, found again: all sets of as many free slots at once, scores counted by residues.

The same definitions as matches/versus_matchups.py, in other arrays: points are counted with the least that the free
slots can still score, so that a layer of sets is one rectangle; slots are compared by one integer that holds what is
maximised and, in its last bits, the place of the slot by expected score. That place follows from the expected rolls by
rank (Böcker 2015, section 6). How many games end with a score is counted modulo several primes (Chinese remainders).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import prod

import numpy as np

from dicebase.certify.sheets.one_roll.rank import expected_rolls
from dicebase.vocabulary import MultiplierScorecard

# The greatest primes below 2^31.
PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497)
PLACES = 16  # more than there are slots: the bits of a place


@dataclass(frozen=True)
class Layers:
    """The sets of free slots of a scorecard by their number; `rules` has at most 15 slots."""

    rules: MultiplierScorecard

    @cached_property
    def total(self) -> int:
        return sum(self.rules.odds)

    @cached_property
    def games(self) -> int:
        return self.total**self.rules.slots

    @cached_property
    def one(self) -> int:
        return 1 << min(52, 62 - self.total.bit_length())

    @cached_property
    def gains(self) -> np.ndarray:
        """(slots, rolls)."""
        return np.array(self.rules.gains)

    @cached_property
    def scores(self) -> int:
        """The number of final scores from the least to the greatest."""
        return self.rules.spread + 1

    @cached_property
    def sets(self) -> list[np.ndarray]:
        masks = np.arange(1 << self.rules.slots)
        return [masks[np.bitwise_count(masks) == k] for k in range(self.rules.slots + 1)]

    @cached_property
    def index(self) -> np.ndarray:
        """The place of each set in its layer."""
        index = np.zeros(1 << self.rules.slots, dtype=np.int64)
        for sets in self.sets:
            index[sets] = np.arange(len(sets))
        return index

    @cached_property
    def places(self) -> list[np.ndarray]:
        """By number of free slots: (sets, rolls, slots), the place of a free slot by expected score, 0 the best; the
        slots that are taken come last."""
        rules = self.rules
        expected = expected_rolls(rules.weights, rules.slots)
        found = []
        for k, sets in enumerate(self.sets):
            places = np.full((len(sets), len(rules.weights), rules.slots), PLACES)
            unit = self.total ** max(0, k - 1)
            bars = [int(e * unit) for e in expected[k - 1]] if k else []
            for n, free in enumerate(sets.tolist()):
                own = [i for i in range(rules.slots) if free >> i & 1]
                # The other free slots get the expected rolls by rank, whichever is taken.
                rest = {
                    i: sum(rules.factors[o] * e for o, e in zip((o for o in own if o != i), bars, strict=True))
                    for i in own
                }
                for x, roll in enumerate(rules.weights):
                    worth = {i: rules.gain(i + 1, roll) * unit + rest[i] for i in own}
                    for place, i in enumerate(sorted(own, key=lambda i, worth=worth: (-worth[i], i))):
                        places[n, x, i] = place
            found.append(places)
        return found

    @cached_property
    def ranked(self) -> list[np.ndarray]:
        """By number of free slots: (rolls, sets, slots), the free slots by expected score, the best first."""
        return [np.argsort(places, axis=2).swapaxes(0, 1) for places in self.places]

    def maximise(self, payoff: Sequence[int]) -> list[np.ndarray]:
        """The slots that maximise a payoff by final score: (rolls, sets, scores) by number of free slots."""
        values = np.array([payoff], dtype=np.int64)
        chosen = [np.zeros((len(self.rules.odds), 1, self.scores), dtype=np.int8)]
        for k in range(1, self.rules.slots + 1):
            sets = self.sets[k]
            mean = np.zeros((len(sets), self.scores), dtype=np.int64)
            slots = np.zeros((len(self.rules.odds), len(sets), self.scores), dtype=np.int8)
            for x, weight in enumerate(self.rules.odds):
                best = np.full((len(sets), self.scores), -1, dtype=np.int64)
                for i in range(self.rules.slots):
                    own = np.flatnonzero(sets >> i & 1)
                    shift, after = self.rules.above[i][x], self.index[sets[own] & ~(1 << i)]
                    keys = values[after, shift:] * PLACES + (PLACES - 1 - self.places[k][own, x, i])[:, None]
                    best[own, : self.scores - shift] = np.maximum(best[own, : self.scores - shift], keys)
                mean += weight * (best // PLACES)
                place = PLACES - 1 - best % PLACES
                slots[x] = np.take_along_axis(self.ranked[k][x], place, axis=1)
            values = mean // self.total
            chosen.append(slots)
        return chosen

    @cached_property
    def optimal(self) -> list[np.ndarray]:
        """The slots that maximise the expected score, likewise."""
        return [np.broadcast_to(slots[..., :1], (*slots.shape[:2], self.scores)) for slots in self.ranked]

    def play(self, chosen: Sequence[np.ndarray]) -> list[int]:
        """How many games end with each score, from the least, where rolls go to the chosen slots."""
        primes = PRIMES[: self.games.bit_length() // 30 + 1]
        above = np.array(self.rules.above)
        now = [np.eye(1, self.scores, dtype=np.int64) for _ in primes]
        for k in range(self.rules.slots, 0, -1):
            sets, size = self.sets[k], len(self.sets[k - 1]) * self.scores
            after = [np.zeros(size) for _ in primes]
            n, s = np.nonzero(np.any([counted != 0 for counted in now], axis=0))
            for x, weight in enumerate(self.rules.odds):
                slot = chosen[k][x, n, s].astype(np.int64)
                place = self.index[sets[n] & ~(1 << slot)] * self.scores + s + above[slot, x]
                for counted, new, prime in zip(now, after, primes, strict=True):
                    # Sums of numbers below 2^31 are exact in doubles.
                    new += np.bincount(place, weights=counted[n, s] * weight % prime, minlength=size)
            now = [
                (new.astype(np.int64) % prime).reshape(-1, self.scores)
                for new, prime in zip(after, primes, strict=True)
            ]
        return [_remainder([int(counted[0, s]) for counted in now], primes) for s in range(self.scores)]

    def play_at_random(self) -> list[int]:
        """The same where each roll goes to any free slot: a polynomial for each slot, in one long integer each."""
        bits, odds = self.games.bit_length() + 1, self.rules.odds
        product = prod(sum(w << bits * s for w, s in zip(odds, row, strict=True)) for row in self.rules.above)
        return [product >> bits * s & (1 << bits) - 1 for s in range(self.scores)]


def _remainder(residues: Sequence[int], primes: Sequence[int]) -> int:
    """The least number with these residues."""
    found, modulus = 0, 1
    for residue, prime in zip(residues, primes, strict=True):
        found += modulus * ((residue - found) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return found


def named(layers: Layers, names: Sequence[str]) -> Mapping[str, list[int]]:
    """How many games end with each score, by the policies' names."""
    games: dict[str, list[int]] = {}
    for name in names:
        word, _, text = name.partition("_")
        if word == "random":
            games[name] = layers.play_at_random()
            continue
        number = int(text or 1)
        if word == "optimal":
            chosen = layers.optimal
        elif word == "reach":
            reached = range(layers.rules.least - number, layers.rules.least - number + layers.scores)
            chosen = layers.maximise([layers.one * (points >= 0) for points in reached])
        else:
            before = "response" if number == 2 else f"response_{number - 1}"
            rival = before if word == "response" and number > 1 else "optimal"
            lead = {"ahead": number, "behind": -number}.get(word, 0)
            chosen = layers.maximise(_beaten(layers, games[rival], lead))
        games[name] = layers.play(chosen)
    return games


def _beaten(layers: Layers, games: list[int], lead: int) -> list[int]:
    """By score, from the least: P(less) + P(equal) / 2 of a score that is lower by `lead`, in units of layers.one."""
    below = [0, *accumulate(games)]
    at = [below[min(max(0, s - lead), len(games))] for s in range(layers.scores + 1)]
    return [sum(both) * layers.one // (2 * layers.games) for both in pairwise(at)]
