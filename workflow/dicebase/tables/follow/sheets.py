"""Decisions inside a turn of a score sheet, from the values at the starts of turns (docs/why/solvers.md, Score sheets):
which dice to keep, and which box to fill. Means are summed in rising order of faces, as in templates/catalog.sql and
the explorer, so that all three agree to the last bit."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from dicebase.matches.sheets.sheets import BONUS, DICE, LEFT, OPEN, UPPER, Turns
from dicebase.tables.follow.positions import group_indices
from dicebase.tables.follow.ranking import Choices, StoredRows
from dicebase.vocabulary import lattice

AT_ONCE = 256  # starts of turns evaluated together


class SheetTurns:
    """The turns of a variant with stored values at their starts."""

    def __init__(self, listing: Turns, stored: StoredRows, variant: Mapping[str, int | str]) -> None:
        self.rules, self.stored, self.fixed = listing.rules, stored, stored.key(variant)
        self.dice = lattice(self.rules.sides, self.rules.dice)
        self.rolls = {"".join(map(str, roll)): i for i, roll in enumerate(self.dice.sets[: self.dice.rolls])}

    @cached_property
    def _entries(self) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
        """Return (entries of all rolls as {field: (entries, 1)}, first entry of each roll, distinct changes of a card
        as (3, ways), index of the change that each entry makes)."""
        by_roll = [self.rules.entries(roll) for roll in self.dice.sets[: self.dice.rolls]]
        names, every = by_roll[0][0]._fields, [*chain(*by_roll)]
        fields = dict(zip(names, np.array(every, np.int64).T[:, :, np.newaxis], strict=True))
        changes = np.concatenate([fields[n].T for n in ("box", "upper", "earns")])
        ways, way = np.unique(changes, axis=1, return_inverse=True)
        return fields, np.cumsum([0, *map(len, by_roll[:-1])]), ways, np.ravel(way)

    @cached_property
    def _levels(self) -> list[tuple[slice, np.ndarray]]:
        """The sets of dice by size, from one die fewer than a roll down to none, with successors by added face."""
        sizes, more, rolls = np.array([*map(len, self.dice.sets)]), np.array(self.dice.more).T, self.dice.rolls
        ends = [np.flatnonzero(sizes == size)[[0, -1]] for size in range(self.rules.dice - 1, -1, -1)]
        return [(slice(low, high + 1), more[:, low - rolls : high + 1 - rolls]) for low, high in ends]

    @cached_property
    def _keeps(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (subsets of all rolls, concatenated; first subset of each roll)."""
        keeps = self.dice.keeps
        return np.array([*chain(*keeps)]), np.cumsum([0, *map(len, keeps[:-1])])

    def numbers(self, card: Sequence[np.ndarray]) -> np.ndarray:
        """The row indices of cards, given as columns; -1 for a missing row."""
        return self.stored.numbers([*(np.full(len(card[0]), number) for number in self.fixed), *card])

    def boxes(self, card: np.ndarray) -> np.ndarray:
        """The values of all entries on n cards (3, n), as (entries, n); minus infinity if an entry is not allowed."""
        fields, _, ways, way = self._entries
        opened, upper, bonus = card
        box, more, earns = ways[:, :, np.newaxis]
        after = opened & ~(1 << box), np.minimum(upper + more, self.rules.upper_at), bonus | earns
        rows = self.numbers([np.broadcast_to(column, after[1].shape).ravel() for column in after])
        values = np.where(rows < 0, 0.0, self.stored.rows("value", rows)).reshape(len(box), -1)
        crosses = (upper < self.rules.upper_at) & (upper + fields["upper"] >= self.rules.upper_at)
        points = fields["points"] + fields["further"] * bonus + self.rules.upper_bonus * crosses
        fits = (opened >> fields["box"] & 1 == 1) & (opened & fields["among"] == fields["opened"])
        return np.where(fits, points + values[way], -np.inf)

    def kept(self, card: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the values of kept sets of dice, (sets, n), for n cards with 1, 2, ... rerolls left."""
        best = np.maximum.reduceat(self.boxes(card), self._entries[1])
        parts, begins = self._keeps
        while True:
            worth = np.empty((len(self.dice.sets), card.shape[1]))
            worth[: self.dice.rolls] = best
            for level, more in self._levels:
                total = worth[more[0]]
                for face in more[1:]:
                    total += worth[face]
                worth[level] = total * (1.0 / self.rules.sides)
            yield worth
            best = np.maximum.reduceat(worth[parts], begins)

    def decisions(self, state: Mapping[str, np.ndarray], rolls: Sequence[str]) -> Iterator[tuple[np.ndarray, Choices]]:
        """Yield (indices of positions, their choices), grouping positions with the same actions; unknown positions are
        left out. Each turn is evaluated once.

        state : the columns of positions, (n,) each; the column of dice has indices into `rolls`, and without that
            column the positions are starts of turns.
        """
        card = np.array([state[column.name] for column in (OPEN, UPPER, BONUS)])
        row, every = self.numbers(card), np.arange(card.shape[1])
        if DICE.name not in state:
            values = self.stored.rows("value", row)[:, np.newaxis]
            yield every, Choices(["roll"], np.where(row[:, np.newaxis] < 0, np.nan, values), row >= 0, np.arange(1))
            return
        dice, left = np.array([self.rolls.get(roll, -1) for roll in rolls])[state[DICE.name]], state[LEFT.name]
        there = np.flatnonzero((row >= 0) & (dice >= 0) & (left >= 0) & (left < self.rules.rolls))
        _, first, turn = np.unique(row[there], return_index=True, return_inverse=True)
        for low in range(0, len(first), AT_ONCE):
            here = there[(turn >= low) & (turn < low + AT_ONCE)]
            cards = card[:, there[first[low : low + AT_ONCE]]]
            kept = self.kept(cards)
            for again in range(left[here].max(initial=0) + 1):
                worth = next(kept) if again else self.boxes(cards)
                of_left = here[left[here] == again]
                for roll, some in group_indices(dice[of_left]):
                    at = of_left[some]
                    of = turn[np.searchsorted(there, at)] - low
                    yield at, (self._keep if again else self._fill)(roll, worth, of)

    def _keep(self, roll: int, worth: np.ndarray, of: np.ndarray) -> Choices:
        parts = self.dice.keeps[roll]
        names = [f"keep {''.join(map(str, self.dice.sets[part])) or 'nothing'}" for part in parts]
        return Choices(names, worth[np.ix_(parts, of)].T, np.full(len(of), True), np.arange(len(parts)))

    def _fill(self, roll: int, worth: np.ndarray, of: np.ndarray) -> Choices:
        fields, begins, *_ = self._entries
        entries = slice(begins[roll], [*begins, len(worth)][roll + 1])
        box, found = fields["box"][entries, 0], worth[entries, of]
        best = np.array([found[box == b].max(axis=0) for b in range(len(self.rules.boxes))]).T
        q_values = np.where(np.isinf(best), np.nan, best)
        return Choices(list(self.rules.boxes), q_values, np.full(len(of), True), np.arange(len(self.rules.boxes)))
