"""A user's own policy for a duel: a file, or a frame, of states with what to do there, checked against the rules.

Columns are those of the duel's table, `me`, `opponent`, and of turns `turn_total` and, where the hand changes, `dice`;
then `action`, and `probability` where the policy mixes. Columns of parameters may be there if they are those of the
variant. Needed are the states that a match can come to while the policy is followed; the start of a turn, where one
must roll, may be left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from dicebase.tables.names import Variant
from dicebase.vocabulary.errors import ConfigurationError, nearest
from dicebase.vocabulary.words import words

ACTION, PROBABILITY = "action", "probability"
SHOWN = 3  # of many errors of one kind
SUM = 1e-9  # by how much probabilities may miss 1


def read_policy(given: Any) -> tuple[pa.Table, str]:
    """(the rows of a file or frame, what to call it); raises ConfigurationError where it cannot be read."""
    if not isinstance(given, str | Path):
        if not (hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")):
            raise ConfigurationError(f"policy: {type(given).__name__} is no frame, file or name of a policy")
        return given if isinstance(given, pa.Table) else pa.table(given), "policy"
    path = Path(given)
    try:
        if path.suffix.lower() == ".csv":
            return pyarrow.csv.read_csv(path), str(path)
        if path.suffix.lower() == ".parquet":
            return pq.read_table(path), str(path)
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: does not exist") from error
    except (pa.ArrowException, OSError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error
    raise ConfigurationError(f"{path}: what kind of file? give a name that ends in .csv or .parquet")


class PolicyRows:
    """The rows of a policy, checked one by one and together; every failure is a ConfigurationError that lists the first
    few states.

    states : (n, columns) integers. action : (n,) its number among `actions`. probability : (n,).
    """

    def __init__(self, table: pa.Table, place: str, variant: Variant, columns: Sequence[str], actions: Sequence[str]):
        self.place, self.columns, self.actions = place, list(columns), list(actions)
        self._check_columns(table, variant)
        for name, value in variant.items():
            if name in table.column_names and not pc.all(pc.equal(table[name], pa.scalar(value))).as_py():
                raise ConfigurationError(f"{place}: {name} is not {value} in every row; give the rows of one variant")
        self.states = np.stack([self._integers(table, name) for name in self.columns], axis=1)
        self.action = self._numbers(table[ACTION])
        self.mixed = PROBABILITY in table.column_names
        self.probability = self._probabilities(table) if self.mixed else np.ones(len(self.states))
        self._check_sums()

    def refuse(self, what: str, states: np.ndarray, extra: Sequence[str] = ()) -> None:
        """Raise if there are any such states, shape (n, columns); `extra` says more of each."""
        if len(states):
            shown = [words(dict(zip(self.columns, state, strict=True))) for state in states[:SHOWN].tolist()]
            shown = [f"{text}{more}" for text, more in zip(shown, extra or [""] * len(shown), strict=False)]
            more = f" and {len(states) - SHOWN} more" if len(states) > SHOWN else ""
            raise ConfigurationError(f"{self.place}: {what}: {'; '.join(shown)}{more}")

    def _check_columns(self, table: pa.Table, variant: Variant) -> None:
        known = [*variant, *self.columns, ACTION, PROBABILITY]
        for name in table.column_names:
            if name not in known:
                raise ConfigurationError(f"{self.place}: '{name}' is no column of a policy{nearest(name, known)}")
        for name in [*self.columns, ACTION]:
            if name not in table.column_names:
                raise ConfigurationError(f"{self.place}: has no column '{name}'")
        if len(set(table.column_names)) < len(table.column_names):
            raise ConfigurationError(f"{self.place}: has a column twice")
        if not table.num_rows:
            raise ConfigurationError(f"{self.place}: has no rows")

    def _integers(self, table: pa.Table, name: str) -> np.ndarray:
        column = table[name]
        if not pa.types.is_integer(column.type) or column.null_count:
            raise ConfigurationError(f"{self.place}: '{name}' is not a whole number in every row")
        return column.to_numpy().astype(np.int64)

    def _numbers(self, column: pa.ChunkedArray) -> np.ndarray:
        numbers = pc.index_in(column.cast(pa.string()), pa.array(self.actions)).to_numpy()
        illegal = ~np.isfinite(numbers.astype(float))
        said = [f" action={x}" for x in column.filter(pa.array(illegal)).slice(0, SHOWN).to_pylist()]
        self.refuse(f"not one of the actions {', '.join(self.actions)}", self.states[illegal], said)
        return numbers.astype(np.int64)

    def _probabilities(self, table: pa.Table) -> np.ndarray:
        column = table[PROBABILITY]
        if not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
            raise ConfigurationError(f"{self.place}: 'probability' is no number")
        found = column.to_numpy().astype(float)
        self.refuse("no probability from 0 to 1", self.states[~((found >= 0) & (found <= 1))])
        return found

    def _check_sums(self) -> None:
        rows = np.column_stack([self.states, self.action])
        _, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
        self.refuse("a state and action that are there twice", self.states[np.sort(first[count > 1])])
        states, index = np.unique(self.states, axis=0, return_inverse=True)
        sums = np.bincount(index.ravel(), self.probability)
        wrong = np.abs(sums - 1) > SUM
        if self.mixed:
            said = [f" sum={total!r}" for total in sums[wrong][:SHOWN].tolist()]
            self.refuse("probabilities do not sum to 1", states[wrong], said)
        self.refuse("several actions without probabilities", states[wrong])

    def chances(self, action: int, shape: tuple[int, ...], index: tuple[np.ndarray, ...]) -> np.ndarray:
        """How often an action is taken, in an array of this shape, NaN in states without a row; `index` has the place
        of every row."""
        found = np.full(shape, np.nan)
        found[index] = 0.0
        mine = self.action == action
        found[tuple(i[mine] for i in index)] = self.probability[mine]
        return found
