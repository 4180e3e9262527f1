"""The catalogue as the audit reads it: variants with their error bounds, and views of them by state."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dicebase.audit.record import PRINTED, Cell, Ours
from dicebase.vocabulary import ROWS

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Variant:
    """A variant of a table."""

    table: str
    parameters: Mapping[str, int | str]

    @property
    def definitions(self) -> dict[str, Any]:
        """What the names among its parameters must stand for; the others are as the rules have them."""
        return {name: DEFINITIONS[value] for name, value in self.parameters.items() if value in DEFINITIONS}

    @property
    def key(self) -> tuple[str, frozenset]:
        """What tells variants apart."""
        return self.table, frozenset(self.parameters.items())

    @property
    def where(self) -> str:
        """The SQL condition for its rows in the views of its table."""
        return " AND ".join(f"{name} = {value!r}" for name, value in self.parameters.items())


DESCRIBED = tomllib.loads((PRINTED / "places.toml").read_text(encoding="utf-8"))
DEFINITIONS = DESCRIBED["definitions"]
VARIANTS = {name: Variant(**entry) for name, entry in DESCRIBED["variants"].items()}


@dataclass(frozen=True)
class Named:
    """A variant in SQL: as text the condition for its rows in a view, `row` that for its row of `tables`."""

    where: str
    row: str
    bound: float

    def __str__(self) -> str:
        return self.where


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

    def value(self, *key: int | str, over: int = 1) -> Ours:
        """A value of the view, in units of `over`, with its bound."""
        question = self.question(f"value / {over}", *key)
        return Ours(self.get("value", *key) / over, question, self.bound / over)

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
        rows = self.connection.execute("SELECT name, parameters, value, error_bound, definitions, store FROM tables")
        names = [description[0] for description in rows.description]
        found = [dict(zip(names, row, strict=True)) for row in rows.fetchall()]
        return {(row["name"], frozenset(json.loads(row["parameters"]).items())): row for row in found}

    def has(self, variant: Variant) -> bool:
        """Whether the variant is there by rows, with the names meaning what they mean in the source."""
        if self._variants.get(variant.key, {}).get("store") != ROWS:
            return False
        definitions = json.loads(self._variants[variant.key]["definitions"])
        return all(
            definitions.get(name, {}).get(value) == variant.definitions.get(name)
            for name, value in variant.parameters.items()
        )

    def named(self, variant: Variant) -> Named:
        """How a variant that is there is called in SQL."""
        row = self._variants[variant.key]
        condition = f"name = '{variant.table}' AND parameters = '{row['parameters']}'"
        return Named(variant.where, condition, row["error_bound"])

    def ask(
        self, ours: str, source: str, bound: str = "NULL", standard_error: str = "NULL", other: str = "NULL"
    ) -> Ours:
        """What a query of one column gives, several rows being a tuple; more expressions are those of Ours."""
        found = self.connection.execute(f"SELECT {ours}, {bound}, {standard_error}, {other} FROM {source}").fetchall()
        values, *more = zip(*found, strict=True)
        query = f"SELECT {ours} FROM {source}"
        return Ours(values if len(values) > 1 else values[0], query, *(column[0] for column in more))

    def view(self, variant: Variant, keys: str) -> View:
        """A view of a variant by the columns that `keys` names."""
        place = (*variant.key, keys)
        if place not in self._views:
            bound = self._variants[variant.key]["error_bound"]
            self._views[place] = View(self.connection, variant.table, variant.where, keys.split(), bound)
        return self._views[place]


@dataclass(frozen=True)
class Place:
    """A table or a part of a source: its printed cells, and the variants without which ours cannot be told."""

    source: str
    name: str
    cells: Callable[[Catalogue], Iterator[Cell]]
    needs: tuple[Variant, ...] = ()
