"""One variant as its Parquet files have it: for the certifier, which believes nothing else."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dicebase.tables.schemas import STATES
from dicebase.vocabulary import DamagedFileError, DicebaseError, Layout, Listing, State


class CertificationError(DicebaseError):
    """A published table is not what its rules say; names the table, the variant and the row."""


@dataclass(frozen=True)
class Published:
    """The rows of each state; `actions` maps a state to its rows by action."""

    values: dict[State, float]
    best: dict[State, str]
    margins: dict[State, float | None]
    actions: dict[State, dict[str, dict[str, Any]]]
    more: dict[State, tuple]  # further values of a listing, or flags of a state


@dataclass(frozen=True)
class PublishedValues:
    """The rows of a listing that stores no decisions, as arrays where they are many."""

    keys: tuple[np.ndarray, ...]  # a state column each
    values: np.ndarray
    more: tuple[np.ndarray, ...]  # further values
    actions: dict = field(default_factory=dict)  # none is stored


class PublishedStates:
    """The rows of a variant of a game of two actions, in parts: they may be millions."""

    def __init__(self, file: pq.ParquetFile, variant: Mapping[str, Any], first: int, place: str) -> None:
        """`first` is the row of the file with which the variant begins; raises CertificationError where the rows of
        the variant do not follow one another."""
        self.file, self.first, self.place = file, first, place
        self.ends = np.cumsum([file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)])
        self.last: tuple[Any, pa.Table | None] = (None, None)
        self.count = self._count(variant)
        if not self.count:
            raise CertificationError(f"{place}: has no rows where they should begin, row {first}")

    def _count(self, variant: Mapping[str, Any]) -> int:
        """How many rows from the first on are of this variant."""
        count = 0
        for group in range(int(np.searchsorted(self.ends, self.first, "right")), len(self.ends)):
            low = max(self.first, int(self.ends[group - 1]) if group else 0)
            end = int(self.ends[group])
            rows = self._group(group, list(variant))
            same = mask_of(rows.slice(len(rows) - (end - low)), variant).to_numpy(zero_copy_only=False)
            there = end - low if same.all() else int(same.argmin())
            if same[there:].any():
                raise CertificationError(
                    f"{self.place}: row {low + there} of {STATES}, among its own, is of another variant"
                )
            count += there
            if there < end - low:
                break
        return count

    def _group(self, group: int, names: list[str] | None) -> pa.Table:
        if self.last[0] != (group, names):
            try:
                self.last = (group, names), self.file.read_row_group(group, names)
            except (pa.ArrowException, OSError) as error:
                raise DamagedFileError(f"{self.place}: {STATES} is damaged: {str(error).splitlines()[0]}") from error
        return self.last[1]

    def rows(self, first: int, end: int, names: list[str] | None = None) -> dict[str, np.ndarray]:
        """The rows from `first` to `end` of the variant, as a column each; a missing number is NaN."""
        table = pa.concat_tables(self.parts(first, end, names))
        return {name: table[name].to_numpy() for name in table.schema.names}

    def parts(self, first: int, end: int, names: list[str] | None = None) -> Iterator[pa.Table]:
        """The same rows part by part, as the file has them."""
        first, end = first + self.first, end + self.first
        for group in range(int(np.searchsorted(self.ends, first, "right")), len(self.ends)):
            begin = int(self.ends[group - 1]) if group else 0
            if begin >= end:
                break
            low, high = max(first, begin), min(end, int(self.ends[group]))
            yield self._group(group, names).slice(low - begin, high - low)


def check_keys(
    published: Published,
    expected: Iterable[State],
    fail: Callable,
    missing: str = "is missing",
    extra: str = "is not part of the table",
) -> None:
    """Fail at the first row that should be there and is not, or the other way round."""
    if odd := set(expected) ^ published.values.keys():
        fail(min(odd), extra if min(odd) in published.values else missing)


def rows_of(rows: pa.Table, variant: Mapping[str, Any]) -> pa.Table:
    """The rows of one variant."""
    return rows.filter(mask_of(rows, variant))


def mask_of(rows: pa.Table, variant: Mapping[str, Any]) -> pa.ChunkedArray:
    """Which rows are of one variant."""
    mask = pa.chunked_array([pa.repeat(pa.scalar(True), rows.num_rows)])
    for name, value in variant.items():
        mask = pc.and_(mask, pc.equal(rows[name], value))
    return pc.fill_null(mask, False)


def read_variant(states: pa.Table, actions: pa.Table, game: Listing, place: str) -> Published | PublishedValues:
    """The rows of one variant by state; raises CertificationError where they are unsorted or there twice."""
    names = [c.name for c in game.columns]
    if game.layout in (Layout.FOLLOWED, Layout.DISTRIBUTION):
        return _arrays(states, names, game, place)
    keys = list(_tuples(states, names))
    for one, other in pairwise(keys):
        if one >= other:
            raise CertificationError(f"{place}: {other} follows {one}: states are not sorted, or one is there twice")
    values = dict(zip(keys, states[game.value.name].to_pylist(), strict=True))
    more = dict(zip(keys, zip(*(states[c.name].to_pylist() for c in game.more), strict=True), strict=False))
    if not game.layout.stores_decisions:
        return Published(values, {}, {}, {}, more)
    by_state: dict[State, dict[str, dict[str, Any]]] = {}
    columns = ["action", "q_value", "regret", "probability", "optimal", "undecided"]
    last = None
    for state, row in zip(_tuples(actions, names), actions.select(columns).to_pylist(), strict=True):
        if last is not None and state < last:
            raise CertificationError(f"{place}: {state} follows {last}: actions are not sorted by state")
        last = state
        if row["action"] in by_state.setdefault(state, {}):
            raise CertificationError(f"{place}: {state} has the action '{row['action']}' twice")
        by_state[state][row["action"]] = row
    best, margins = (dict(zip(keys, states[name].to_pylist(), strict=True)) for name in ("action", "margin"))
    if extra := by_state.keys() - values.keys():
        raise CertificationError(f"{place}: {min(extra)} has actions but is no state")
    return Published(values, best, margins, by_state, more)


def _arrays(states: pa.Table, names: list[str], game: Listing, place: str) -> PublishedValues:
    keys = tuple(states[name].to_numpy() for name in names)
    later, equal = np.zeros(max(0, len(keys[0]) - 1), dtype=bool), True
    for key in keys:
        later |= equal & (key[1:] > key[:-1])
        equal = equal & (key[1:] == key[:-1])
    if not later.all():
        i = int(later.argmin())
        one, other = (tuple(states[name][row].as_py() for name in names) for row in (i, i + 1))
        raise CertificationError(f"{place}: {other} follows {one}: states are not sorted, or one is there twice")
    more = tuple(states[c.name].to_numpy() for c in game.more)
    return PublishedValues(keys, states[game.value.name].to_numpy(), more)


def _tuples(rows: pa.Table, names: list[str]) -> Iterator[State]:
    if not names:
        return repeat((), rows.num_rows)  # a game of one state
    return zip(*(rows[name].to_pylist() for name in names), strict=True)
