"""The catalogue as the audit reads it: variants with their error bounds, and views of them by state."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dicebase.audit.record import Cell, Ours

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Variant:
    """A variant of a table, and what the names among its parameters must stand for; nothing: as the rules have it."""

    table: str
    parameters: Mapping[str, int | str]
    definitions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, frozenset]:
        """What tells variants apart."""
        return self.table, frozenset(self.parameters.items())


class View:
    """Some rows of a view by some of its columns, and the question that a reader would ask for one of them."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection", name: str, where: str, keys: Sequence[str], bound: Any):
        self.name, self.where, self.keys, self.bound = name, where, keys, bound
        found = connection.execute(f"SELECT * FROM {name} WHERE {where}")
        columns = [description[0] for description in found.description]
        self.rows: dict[tuple, list[dict[str, Any]]] = {}
        for row in found.fetchall():
            named = dict(zip(columns, row, strict=True))
            self.rows.setdefault(tuple(named[key] for key in keys), []).append(named)

    def __contains__(self, key: tuple) -> bool:
        return key in self.rows

    def get(self, column: str, *key: int | str) -> Any:
        """A column of the only row of a key."""
        (row,) = self.rows[key]
        return row[column]

    def value(self, *key: int | str, column: str = "value", times: int = 1, over: int = 1) -> Ours:
        """A value of the view, in another unit where `times` or `over` say so, with its bound."""
        found = self.get(column, *key) * times / over
        return Ours(found, self.question(scaled(column, times, over), *key), self.bound * times / over)

    def chosen(self, column: str, *key: int | str) -> Ours:
        """A word, a count or a probability of the view: no certificate bounds it."""
        return Ours(self.get(column, *key), self.question(column, *key))

    def best(self, *key: int | str) -> Ours:
        """The optimal actions, which are counts of dice or slots, of a view of actions."""
        actions = tuple(int(row["action"]) for row in self.rows[key] if row["optimal"])
        return Ours(actions if len(actions) > 1 else actions[0], self.question("action", *key) + " AND optimal")

    def question(self, column: str, *key: int | str) -> str:
        """The SQL for a column of a key's rows."""
        at = [f"{name} = {value!r}" for name, value in zip(self.keys, key, strict=True)]
        return f"SELECT {column} FROM {self.name} WHERE {' AND '.join([self.where, *at])}"


class Catalogue:
    """An open catalogue, of which each view is read once."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self.connection = connection
        self._views: dict[tuple, View] = {}
        self.known: dict[str, Any] = {}  # what takes long to compute from the answer to a query

    @cached_property
    def _variants(self) -> dict[tuple[str, frozenset], dict[str, Any]]:
        rows = self.connection.execute("SELECT name, parameters, value, error_bound, definitions FROM tables")
        names = [description[0] for description in rows.description]
        found = [dict(zip(names, row, strict=True)) for row in rows.fetchall()]
        return {(row["name"], frozenset(json.loads(row["parameters"]).items())): row for row in found}

    def has(self, variant: Variant) -> bool:
        """Whether the variant is there, with the names meaning what they mean in the source."""
        if variant.key not in self._variants:
            return False
        definitions = json.loads(self._variants[variant.key]["definitions"])
        return all(
            definitions.get(name, {}).get(value) == variant.definitions.get(name)
            for name, value in variant.parameters.items()
        )

    def start(self, variant: Variant, times: int = 1, over: int = 1) -> Ours:
        """The value of the whole game."""
        row = self._variants[variant.key]
        query = f"SELECT {scaled('value', times, over)} FROM tables WHERE name = '{variant.table}'"
        query += f" AND parameters = '{row['parameters']}'"
        return Ours(row["value"] * times / over, query, row["error_bound"] * times / over)

    def ask(self, query: str) -> Ours:
        """A count or a word that a query of one row and one column gives; no certificate bounds it."""
        ((value,),) = self.connection.execute(query).fetchall()
        return Ours(value, query)

    def view(self, variant: Variant, keys: str, suffix: str = "", **more: int | str) -> View:
        """A view of a variant by the columns that `keys` names; `more` are columns that all its rows share."""
        place = (*variant.key, keys, suffix, *more.items())
        if place not in self._views:
            where = " AND ".join(f"{name} = {value!r}" for name, value in {**variant.parameters, **more}.items())
            bound = self._variants[variant.key]["error_bound"]
            self._views[place] = View(self.connection, f"{variant.table}{suffix}", where, keys.split(), bound)
        return self._views[place]


@dataclass(frozen=True)
class Place:
    """A table or a part of a source: its printed cells, and the variants without which ours cannot be told."""

    source: str
    name: str
    cells: Callable[[Catalogue], Iterator[Cell]]
    needs: tuple[Variant, ...] = ()


def scaled(column: str, times: int, over: int) -> str:
    """A column in another unit."""
    return column + (f" * {times}" if times != 1 else "") + (f" / {over}" if over != 1 else "")
