"""One variant as its Parquet files have it: for the certifier, which believes nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dicebase.errors import DicebaseError
from dicebase.game import Game, Listing, State


class CertificationError(DicebaseError):
    """A published table is not what its rules say; names the table, the variant and the row."""


@dataclass(frozen=True)
class Published:
    """The rows of each state; `actions` maps a state to its rows by action."""

    values: dict[State, float]
    best: dict[State, str]
    margins: dict[State, float | None]
    actions: dict[State, dict[str, dict[str, Any]]]
    more: dict[State, tuple[float, ...]]  # further values of a listing


def rows_of(rows: pa.Table, variant: Mapping[str, Any]) -> pa.Table:
    """The rows of one variant."""
    mask = pa.repeat(pa.scalar(True), rows.num_rows)
    for name, value in variant.items():
        mask = pc.and_(mask, pc.equal(rows[name], value))
    return rows.filter(mask)


def read_variant(states: pa.Table, actions: pa.Table, game: Listing, place: str) -> Published:
    """The rows of one variant by state; raises CertificationError where they are unsorted or there twice."""
    names = [c.name for c in game.columns]
    keys = list(_tuples(states, names))
    for one, other in pairwise(keys):
        if one >= other:
            raise CertificationError(f"{place}: {other} follows {one}: states are not sorted, or one is there twice")
    values = dict(zip(keys, states[game.value_name].to_pylist(), strict=True))
    if not isinstance(game, Game):
        further = zip(*(states[name].to_pylist() for name, _ in game.more_values), strict=True)
        return Published(values, {}, {}, {}, dict(zip(keys, further, strict=False)))
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
    return Published(values, best, margins, by_state, {})


def _tuples(rows: pa.Table, names: list[str]) -> Iterator[State]:
    return zip(*(rows[name].to_pylist() for name in names), strict=True)
