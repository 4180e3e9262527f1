"""Positions inside a turn, from the values at the starts of turns, by the recursion of docs/why/solvers.md (A turn).

Totals are evaluated from the last one back, and each sum is taken in the order of the rules, as in `turn` of
templates/catalog.sql and the explorer, so that all three agree to the last bit.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from dicebase.matches.turns.by_turns import ByTurns
from dicebase.matches.turns.reachable import turn_places
from dicebase.tables.follow.positions import Match, Positions, Worths, group_indices
from dicebase.vocabulary import TIE, Loss, RepeatedTurn, merged

AT_ONCE = 1 << 22  # numbers in the arrays of turns evaluated together


class Hand(NamedTuple):
    """The outcomes of a throw in one mode. A place is total * width + slot; slot 0 is banking, the others are modes."""

    sum: float  # of all weights
    bust: float  # weight of a bust
    wipe: float  # weight of a wipe
    rolls: list[tuple[float, list[int]]]  # (weight, places to choose from, relative to the current total)


class Throws(NamedTuple):
    """The throws of a turn, with totals in units."""

    width: int  # number of modes plus one
    most: int  # the largest gain
    hands: list[Hand]


@lru_cache(maxsize=64)
def throws_of(rules: RepeatedTurn, unit: int) -> Throws:
    """The throws of a turn in the order of the rules, merging rolls that lead to the same choice."""
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
def reachable_places(rules: RepeatedTurn, unit: int, size: int) -> np.ndarray:
    """Return whether a turn can reach each (total, slot), as (size, width); False for banking."""
    found = np.zeros((size, 1 + len(rules.modes)), bool)
    for total, mode in turn_places(rules, unit * size):
        if mode is not None:
            found[total // unit, 1 + rules.modes.index(mode)] = True
    return found


class Starts(Match):
    """A match with known values at the starts of turns."""

    def __init__(self, game: ByTurns, values: np.ndarray) -> None:
        """values : (records,), the value of each record."""
        self.game, self.unit, self.size = game, game.unit_of_points, game.totals
        self.throws = throws_of(game.rules, self.unit)
        modes = game.rules.modes
        self.must = np.array([mode in game.rules.must_roll for mode in modes])
        self.slot_of = {mode: slot for slot, mode in enumerate(modes, 1)}
        # slots[mode + 1] is the slot of a mode; 0 if there is no such mode.
        self.slots = np.zeros(max(modes) + 3, int)
        self.slots[np.array(modes) + 1] = range(1, len(modes) + 1)
        # In units: the most by which a turn may pass the target, if that matters.
        past = game.past // self.unit
        # For each column of a record, and for the turn total: step, least number, greatest number plus one.
        columns = zip(game.record_columns, game.ranges, strict=True)
        self.ranges = [
            (self.unit, 0, len(numbers)) if c.unit == "points" else (1, 1, game.limit + 1) for c, numbers in columns
        ]
        self.ranges.append((self.unit, 0, self.size + past))
        # By record; if the number of turns is limited, records without turns left have value 0.
        self.shape = [size for *_, size in self.ranges[:-1]]
        self.values = np.zeros(self.shape)
        self.records = np.size(values)
        self.values[1 if game.limit else 0 :] = np.reshape(values, [-1, *self.shape[1:]])
        # The value of banking, by the record that follows; the last index, points, may exceed the target. If less is
        # better, all signs are reversed.
        self.banked = np.full([*(n + past for n in self.shape[:-1]), self.size + past + 1], float(game.sense))
        self.banked[tuple(map(slice, self.shape[:-1]))][..., :-1] = game.sense * (game.reward + game.sign * self.values)
        if past:  # the last turn wins with more points than the opponent
            self.banked[self.size :] = np.arange(self.size + past + 1) > self.size + np.arange(past)[:, np.newaxis]
        self.reached = reachable_places(game.rules, self.unit, self.size + past)

    def left(self, record: Sequence[np.ndarray]) -> np.ndarray:
        """The turn totals that end turns, from the columns of their records, all in units."""
        points = (x * step for x, (step, *_) in zip(record, self.ranges, strict=False))
        return -(-self.game.to_go([*points]) // self.unit)

    def values_of_banking(self, record: Sequence[np.ndarray], total: np.ndarray) -> np.ndarray:
        """The values of banking as (totals, records), from turn totals and the columns of n records in units; signs
        are reversed if less is better."""
        after = np.ravel_multi_index(self.game.following(record, np.zeros_like(record[0])), self.banked.shape)
        points = np.minimum(record[self.game.mine] + total[:, np.newaxis], self.banked.shape[-1] - 1)
        return self.banked.take(after + points)

    def bank_at(self) -> np.ndarray:
        """The least total at which banking is optimal, in units, as (modes, records); -1 if it never is."""
        every = np.arange(self.values.size - self.records, self.values.size)
        found = np.full((len(self.must), self.values.size), -1)
        for turns, left in self._parts(every):
            worth = self.play(turns, 0, self.size)
            banks = (worth[:, 1:] - worth[:, :1] <= TIE) & self.reached[: len(worth), 1:, np.newaxis]
            banks &= (np.arange(len(worth))[:, np.newaxis] < left)[:, np.newaxis]
            banks[0] = banks[:, self.must] = False
            found[:, turns] = np.where(banks.any(axis=0), banks.argmax(axis=0), -1)
        return found[:, every]

    def parts(self, record: Sequence[np.ndarray], total: np.ndarray) -> Iterator[tuple[np.ndarray, "Turns"]]:
        (*index, units), known = self.index([*record, total])
        rows = np.flatnonzero(known & (units < self.left(index)))
        turn = np.ravel_multi_index([x[rows] for x in index], self.shape)
        asked = np.zeros(self.values.size, bool)
        asked[turn] = True
        parts = [turns for turns, _ in self._parts(np.flatnonzero(asked))]
        part, place = np.zeros((2, self.values.size), int)
        for i, turns in enumerate(parts):
            part[turns], place[turns] = i, range(len(turns))
        for i, at in group_indices(part[turn]):
            here = units[rows[at]]
            yield rows[at], Turns(self, parts[i], place, int(here.min()), int(here.max()) + self.throws.most + 1)

    def _parts(self, turns: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (turns, the totals that end them), grouping turns of similar lengths, longest first."""
        left = self.left(np.unravel_index(turns, self.shape))
        order, count = np.argsort(-left, kind="stable"), 0
        while count < len(turns):
            longest = int(left[order[count]]) * self.throws.width
            some = order[count : count + max(1, AT_ONCE // longest)]
            yield turns[some], left[some]
            count += len(some)

    def units(self, columns: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The columns of records, optionally followed by turn totals, with points in units."""
        return [x // step for x, (step, *_) in zip(columns, self.ranges, strict=False)]

    def index(self, columns: Sequence[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """Return (columns in units, whether the record exists); columns are 0 where it does not."""
        index, known = self.units(columns), np.True_
        for x, units, (step, first, size) in zip(columns, index, self.ranges, strict=False):
            known = known & (units * step == x) & (units >= first) & (units < size)
        return [np.where(known, units, 0) for units in index], known

    def play(self, turns: np.ndarray, least: int, end: int) -> np.ndarray:
        """Return the values of banking (slot 0) and rolling as (totals, slots, turns), at totals from `least` up to
        `end`; signs are reversed if less is better."""
        game, index = self.game, np.unravel_index(turns, self.shape)
        mine, left = index[game.mine], self.left(index)
        totals = np.arange(left.max() + self.throws.most + 1)[:, np.newaxis]
        V = np.empty((len(totals), self.throws.width, len(turns)))
        # From `left` on, the turn has ended, and every slot holds the value of banking.
        V[:] = self.values_of_banking(index, totals[:, 0])[:, np.newaxis]
        bank = V[: left.max(), 0]
        least_bank = np.where(mine == 0, *map(game.rules.least_bank, (0, 1)))
        if least_bank.any():  # a turn with fewer points cannot be banked
            few = (totals * self.unit < least_bank) & (totals < left) & (totals > 0)
            bank[few[: len(bank)]] = -np.inf
        worth = np.empty((len(bank[least:end]), *V.shape[1:]))
        worth[:, 0] = bank[least:end]
        wipe = self.banked.take(np.ravel_multi_index(game.following(index, np.zeros_like(mine)), self.banked.shape))
        places, spare = V.reshape(-1, len(wipe)), np.empty(V.shape[1:])
        best, term = np.empty((2, len(wipe)))
        lost = [hand.bust * V[0, 0] + hand.wipe * wipe for hand in self.throws.hands]
        for t in range(left.max() - 1, least - 1, -1):
            here = places[t * self.throws.width :]
            rolled = worth[t - least] if t - least < len(worth) else spare
            for slot, hand in enumerate(self.throws.hands, 1):
                total = rolled[slot]
                total[:] = lost[slot - 1]
                for weight, options in hand.rolls:
                    most = here[options[0]]
                    for option in options[1:]:
                        most = np.maximum(most, here[option], out=best)
                    total += most if weight == 1 else np.multiply(most, weight, out=term)
                total /= hand.sum
                np.maximum(total, here[0], out=here[slot], where=t < left)
                if self.must[slot - 1]:
                    here[slot] = np.where(t < left, total, here[0])
        return worth


class Turns(Positions):
    """Some turns of a match, evaluated on first use."""

    def __init__(self, starts: Starts, turns: np.ndarray, place: np.ndarray, least: int, end: int) -> None:
        """place : the index of each record in `turns`. least, end : the range of totals needed."""
        self.starts, self.turns, self.place, self.least, self.end = starts, turns, place, least, end

    @cached_property
    def _worth(self) -> np.ndarray:
        return self.starts.play(self.turns, self.least, self.end)

    def worths(
        self, record: Sequence[np.ndarray], total: np.ndarray, ways: Sequence[tuple[int, int | np.ndarray]]
    ) -> Worths:
        starts, width, count = self.starts, self.starts.throws.width, len(self.turns)
        *index, first = starts.units([*record, total])
        turn, left = np.ravel_multi_index(index, starts.shape), starts.left(index)
        gain, hand = (np.reshape(column, (len(ways), -1)) for column in zip(*ways, strict=True))
        slot, t = starts.slots.take(hand + 1, mode="clip"), first + gain // starts.unit
        inside = t < left
        t = np.where(inside, t, self.least)
        found = starts.reached.take(t * width + slot) & inside
        roll, bank = np.full((2, *t.shape), np.nan)
        if (found & (t > 0)).any():
            at = (t - self.least) * (width * count) + self.place.take(turn)
            roll = np.where(found, starts.game.sense * self._worth.take(at + slot * count), np.nan)
            bank = starts.game.sense * self._worth.take(at)
            bank[~found | starts.must[slot - 1] | np.isinf(bank)] = np.nan
        # A turn begins with a compulsory roll; its value is stored.
        begins = found & (t == 0)
        np.copyto(roll, starts.values.take(turn), where=begins)
        bank[begins] = np.nan
        return Worths(found.T, roll.T, bank.T)

    def begins(self, record: Sequence[np.ndarray]) -> np.ndarray:
        index, known = self.starts.index(record)
        return np.where(known, self.starts.values[tuple(index)], 0.0)
