"""Positions inside a turn that follow from the values at the starts of turns, by the recursion of docs/why/solvers.md
(A turn), from the last total back, each sum in the order of the rules: `turn` of templates/catalog.sql has the same
sums, and so has the explorer."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dicebase.matches.by_turns import ByTurns
from dicebase.tables.follow.positions import Positions, Worths
from dicebase.vocabulary import TIE, Loss, RepeatedTurn, merged

AT_ONCE = 1 << 22  # numbers of some turns
FEW = 16  # turns that are played one by one


class Hand(NamedTuple):
    """What a throw of one mode can lead to. A place is a total times `width`, and a slot: 0 to bank, then a mode."""

    sum: float  # of all weights
    bust: float  # weight
    wipe: float
    rolls: list[tuple[float, list[int]]]  # weight, and the places to choose from, from here on


class Throws(NamedTuple):
    """The rolls of a turn; totals in units."""

    width: int  # the modes and one
    most: int  # the largest gain
    hands: list[Hand]


@lru_cache(maxsize=64)
def throws_of(rules: RepeatedTurn, unit: int) -> Throws:
    """The rolls of a turn, those that leave the same choice being one, in the order of the rules."""
    width, slots, hands = len(rules.modes) + 1, {None: 0}, []
    slots |= {mode: m + 1 for m, mode in enumerate(rules.modes)}
    for mode in rules.modes:
        choices = merged(rules.rolls(0, mode))
        *lost, out = (float(choices.pop(loss, 0)) for loss in (Loss.BUST, Loss.WIPE, Loss.OUT))
        rolls = [(float(w), sorted(g // unit * width + slots[n] for g, n in of)) for of, w in choices.items()]
        hands.append(Hand(sum(lost) + out + sum(w for w, _ in rolls), *lost, rolls))
    most = max(place // width for hand in hands for _, places in hand.rolls for place in places)
    return Throws(width, most, hands)


@lru_cache(maxsize=64)
def reached(rules: RepeatedTurn, unit: int, size: int) -> np.ndarray:
    """Whether a turn comes to each (total, number of the mode), of shape (size, modes)."""
    width, most, hands = throws_of(rules, unit)
    found = np.zeros((size + most + 1) * width, bool)
    found[1] = True
    leads = [np.array(sorted({p for _, places in hand.rolls for p in places}), int) for hand in hands]
    for total in range(size):
        for mode in np.flatnonzero(found[total * width + 1 : (total + 1) * width]):
            found[total * width + leads[mode]] = True
    return found[: size * width].reshape(size, width)[:, 1:]


class Starts(Positions):
    """A match whose values at the starts of turns are known."""

    def __init__(self, game: ByTurns, values: np.ndarray) -> None:
        """values : of the records, in order."""
        self.game, self.unit, size = game, game.unit_of_points, game.totals
        self.throws = throws_of(game.rules, self.unit)
        self.modes = {mode: m for m, mode in enumerate(game.rules.modes)}
        self.must = np.array([mode in game.rules.must_roll for mode in game.rules.modes])
        # By record; where turns are limited, none left is worth nothing.
        self.shape = [size if c.unit == "points" else game.limit + 1 for c in game.record_columns]
        self.values = np.zeros(self.shape)
        self.records = np.size(values)
        self.values[1 if game.limit else 0 :] = np.reshape(values, [-1, *self.shape[1:]])
        self.reached = reached(game.rules, self.unit, size)

    def hands_at(self, record: Sequence[int], total: int) -> list[int]:
        """The modes that a turn from a record comes to this total with."""
        if self.game.why_no_record(record) or not 0 <= total < self.game.to_go(record) or total % self.unit:
            return []
        there = self.reached[total // self.unit]
        return sorted(mode for mode, m in self.modes.items() if there[m])

    def begins(self, record: Sequence[np.ndarray]) -> np.ndarray:
        index, known = self._index(record)
        return np.where(known, self.values[tuple(index)], 0.0)

    def bank_at(self) -> np.ndarray:
        """The least total at which one banks, in units, of shape (modes, records); -1 where one never does."""
        index = np.indices(self.shape).reshape(len(self.shape), -1)[:, self.values.size - self.records :]
        mine, found = index[self.game.mine], np.full((len(self.modes), self.records), -1)
        parts = -(-self.records * self.game.totals * self.throws.width // AT_ONCE)
        for some in np.array_split(np.argsort(mine, kind="stable"), parts):
            bank, roll = self._play(list(index[:, some]), 0)
            banks = (self.game.sense * (roll - bank[:, np.newaxis]) <= TIE) & self.reached[: len(bank), :, np.newaxis]
            banks &= (np.arange(len(bank))[:, np.newaxis] < self.game.totals - mine[some])[:, np.newaxis]
            banks[0] = banks[:, self.must] = False
            found[:, some] = np.where(banks.any(axis=0), banks.argmax(axis=0), -1)
        return found

    def worths(
        self, record: Sequence[np.ndarray], total: np.ndarray, ways: Sequence[tuple[int, int | np.ndarray]]
    ) -> Worths:
        size, mine, unit = len(total), record[self.game.mine], self.unit
        worth = Worths(*(np.full((size, len(ways)), x) for x in (False, np.nan, np.nan)))
        index, known = self._index(record)
        after = [(total + gain) // unit for gain, _ in ways]
        modes = [np.full(size, self.modes.get(m, -1)) if isinstance(m, int) else self._modes(m) for _, m in ways]
        known &= (total % unit == 0) & (total >= 0) & (total < self.game.target - mine)
        for j, (t, m) in enumerate(zip(after, modes, strict=True)):
            inside = known & (m >= 0) & (t * unit < self.game.target - mine)
            worth.found[inside, j] = self.reached[t[inside], m[inside]]
        # A turn begins with a roll, whose worth is known.
        begins = [(t == 0) & there for t, there in zip(after, worth.found.T, strict=True)]
        for j, first in enumerate(begins):
            worth.roll[first, j] = self.values[tuple(x[first] for x in index)]
        rows = np.flatnonzero((worth.found & ~np.transpose(begins)).any(axis=1))
        # Turns of one record are one, and those that begin equally far from the target stand together, longest first.
        shape = self.game.totals, *self.shape
        turn = np.ravel_multi_index([x[rows] for x in (index[self.game.mine], *index)], shape)
        turns, of = np.unique(turn, return_inverse=True)
        first, *turns = np.unravel_index(turns, shape)
        least, count = int(min(after[0][rows], default=0)), 0
        while count < len(first):
            longest = (self.game.totals - int(first[count])) * self.throws.width
            some = slice(count, count + max(1, AT_ONCE // longest))
            bank, roll = self._play([x[some] for x in turns], least)
            mine_here = (of >= some.start) & (of < some.stop)
            here, i = rows[mine_here], of[mine_here] - some.start
            for j, (t, m) in enumerate(zip(after, modes, strict=True)):
                there = worth.found[here, j] & (t[here] > 0)
                at, k = here[there], i[there]
                banks = bank[t[at], k]
                worth.roll[at, j] = roll[t[at], m[at], k]
                worth.bank[at, j] = np.where(self.must[m[at]] | np.isinf(banks), np.nan, banks)
            count = some.stop
        return worth

    def _modes(self, hand: np.ndarray) -> np.ndarray:
        """The numbers of modes, -1 of what is none."""
        found = np.full(len(hand), -1)
        for mode, m in self.modes.items():
            found[hand == mode] = m
        return found

    def _index(self, record: Sequence[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """(the places of records among the values, whether there is one); 0 where there is none."""
        steps = [self.unit if c.unit == "points" else 1 for c in self.game.record_columns]
        firsts = [int(c.unit != "points") for c in self.game.record_columns]
        known = np.ones(len(record[0]), bool)
        for x, step, first, size in zip(record, steps, firsts, self.shape, strict=True):
            known &= (x % step == 0) & (x >= first * step) & (x < size * step)
        return [np.where(known, x // step, 0) for x, step in zip(record, steps, strict=True)], known

    def _play(self, index: Sequence[np.ndarray], least: int) -> tuple[np.ndarray, np.ndarray]:
        """(worth of banking by turn and total, worth of rolling by (total, mode, turn)), from a total `least` on."""
        game, mine = self.game, index[self.game.mine]
        totals = np.arange(game.totals - mine.min())[:, np.newaxis]
        points = mine + totals
        inside = points < game.totals
        after = game.following([x[np.newaxis] for x in index], np.where(inside, points, 0))
        # Where less is better all is done with the signs changed.
        bank = game.sense * np.where(inside, game.reward + game.sign * self.values[after], 1.0)
        too_few = (totals * self.unit < np.where(mine == 0, *map(game.rules.least_bank, (0, 1)))) & inside
        too_few[0] = False  # to lose the turn
        bank[too_few] = -np.inf
        wiped = game.following(index, np.zeros_like(mine))
        wipe = game.sense * (game.reward + game.sign * self.values[wiped])
        V = np.full((len(totals) + self.throws.most + 1, self.throws.width, len(mine)), float(game.sense))
        V[: len(totals), 0] = bank
        roll = np.empty((len(totals), len(self.throws.hands), len(mine)))
        if len(mine) < FEW:
            for i in range(len(mine)):
                self._one(bank[:, i], wipe[i], least, inside[:, i], V[:, :, i], roll[:, :, i])
        else:
            self._many(bank, wipe, least, inside, V, roll)
        return game.sense * bank, game.sense * roll

    def _many(self, bank, wipe, least: int, inside: np.ndarray, V: np.ndarray, roll: np.ndarray) -> None:
        """Fill `roll`, for all turns side by side."""
        places = V.reshape(-1, len(wipe))
        best, term = np.empty((2, len(wipe)))
        lost = [hand.bust * bank[0] + hand.wipe * wipe for hand in self.throws.hands]
        for t in range(len(bank) - 1, least - 1, -1):
            here = places[t * self.throws.width :]
            for m, hand in enumerate(self.throws.hands):
                total = roll[t, m]
                total[:] = lost[m]
                for weight, options in hand.rolls:
                    worth = here[options[0]]
                    for option in options[1:]:
                        worth = np.maximum(worth, here[option], out=best)
                    total += np.multiply(worth, weight, out=term)
                total /= hand.sum
                np.maximum(total, bank[t], out=here[m + 1])
                if self.must[m]:
                    here[m + 1] = np.where(inside[t], total, bank[t])

    @cached_property
    def _flat(self) -> tuple[np.ndarray, ...]:
        """(places to choose from, the first of each roll, weights, where their terms stand in the sums, sums)."""
        hands, places, first, weights, terms = self.throws.hands, [], [], [], []
        wide = 1 + max(len(hand.rolls) for hand in hands)
        for m, hand in enumerate(hands):
            for i, (weight, options) in enumerate(hand.rolls):
                first.append(len(places))
                places += options
                weights.append(weight)
                terms.append(m * wide + 1 + i)
        lists = places, first, weights, terms, [hand.sum for hand in hands]
        return *map(np.array, lists), np.zeros((len(hands), wide))

    def _one(self, bank, wipe: float, least: int, inside: np.ndarray, V: np.ndarray, roll: np.ndarray) -> None:
        """The same for one turn, roll by roll side by side: the same sums, to the last bit."""
        places, first, weights, terms, sums, zeros = self._flat
        V, summands, sums_so_far = V.copy(), zeros.copy(), np.empty_like(zeros)
        summands[:, 0] = [hand.bust * bank[0] + hand.wipe * wipe for hand in self.throws.hands]
        flat, flat_summands, last = V.ravel(), summands.ravel(), sums_so_far[:, -1]
        for t in range(len(bank) - 1, least - 1, -1):
            best = np.maximum.reduceat(flat[t * self.throws.width :].take(places), first)
            best *= weights
            flat_summands[terms] = best
            np.add.accumulate(summands, axis=1, out=sums_so_far)
            roll[t] = worth = last / sums
            np.maximum(worth, bank[t], out=V[t, 1:])
            if inside[t]:
                V[t, 1:][self.must] = worth[self.must]
