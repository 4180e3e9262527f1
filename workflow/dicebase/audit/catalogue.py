"""The catalogue as the audit reads it: variants with error bounds, and answers to queries."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from dicebase.audit.record import PRINTED, Ours
from dicebase.tables.names import find_table
from dicebase.vocabulary import ROWS, STARTS, Json

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Variant:
    """A variant of a table."""

    table: str
    parameters: Mapping[str, int | str]
    starts: bool = False  # whether the starts of turns are enough

    @property
    def definitions(self) -> Json:
        """The required definitions of the names among its parameters, except for names that the rules define."""
        defined = [p.name for p in find_table(self.table).parameters if p.defined]
        return {name: DEFINITIONS[value] for name in defined if (value := self.parameters.get(name)) in DEFINITIONS}

    @property
    def key(self) -> tuple[str, frozenset]:
        """The identity of a variant."""
        return self.table, frozenset(self.parameters.items())

    @property
    def where(self) -> str:
        """The SQL condition for its rows in its table's views."""
        return " AND ".join(f"{name} = {value!r}" for name, value in self.parameters.items())


AT_ONCE = 20  # questions per statement
LEFT_OUT = ("label", "source")  # keys to ignore in comparisons of definitions
DESCRIBED = tomllib.loads((PRINTED / "places.toml").read_text(encoding="utf-8"))
PLACES, DEFINITIONS = DESCRIBED["place"], DESCRIBED["definitions"]
VARIANTS = {name: Variant(**entry) for name, entry in DESCRIBED["variants"].items()}


def _rules(definition: Any) -> Any:
    """A definition without its label and source."""
    return {k: v for k, v in definition.items() if k not in LEFT_OUT} if isinstance(definition, dict) else definition


@dataclass(frozen=True)
class Named:
    """A variant in SQL. `where`, also its text, is the condition for its rows in a view, `row` that for its row in
    `tables`."""

    where: str
    row: str
    bound: float

    def __str__(self) -> str:
        return self.where


class Question(NamedTuple):
    """A query for one column, with expressions for the other fields of Ours."""

    ours: str
    source: str
    bound: str = "NULL"
    standard_error: str = "NULL"
    other: str = "NULL"

    @property
    def columns(self) -> str:
        return ", ".join((self.ours, *self[2:]))


class Catalogue:
    """An open catalogue."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self.connection = connection
        self.known: dict[str, Any] = {}  # cache of expensive results

    @cached_property
    def _variants(self) -> dict[tuple[str, frozenset], Json]:
        rows = self.connection.execute("SELECT name, parameters, value, error_bound, definitions, store FROM tables")
        names = [description[0] for description in rows.description]
        found = [dict(zip(names, row, strict=True)) for row in rows.fetchall()]
        return {(row["name"], frozenset(json.loads(row["parameters"]).items())): row for row in found}

    def has(self, variant: Variant) -> bool:
        """Whether the variant is stored by rows, unless starts are enough, and its names have the definitions of the
        source."""
        if self._variants.get(variant.key, {}).get("store") not in ([ROWS, STARTS] if variant.starts else [ROWS]):
            return False
        definitions = json.loads(self._variants[variant.key]["definitions"])
        return all(
            _rules(definitions.get(name, {}).get(value)) == variant.definitions.get(name)
            for name, value in variant.parameters.items()
        )

    def named(self, variant: Variant) -> Named:
        """The SQL conditions of a solved variant."""
        row = self._variants[variant.key]
        condition = f"name = '{variant.table}' AND parameters = '{row['parameters']}'"
        return Named(variant.where, condition, row["error_bound"])

    def ask(self, questions: Sequence[Question]) -> list[Ours | None]:
        """Answer questions of the same types; several rows become a tuple, no row None. Questions are joined into few
        statements, which takes a third of the time of planning each question separately."""
        found: list[list[tuple]] = [[] for _ in questions]
        numbered = [f"(SELECT {i}, {q.columns} FROM {q.source})" for i, q in enumerate(questions)]
        for first in range(0, len(numbered), AT_ONCE):
            for i, *row in self.connection.execute(" UNION ALL ".join(numbered[first : first + AT_ONCE])).fetchall():
                found[i].append(row)
        answers: list[Ours | None] = []
        for question, rows in zip(questions, found, strict=True):
            if not rows:
                answers.append(None)
                continue
            values, *more = zip(*rows, strict=True)
            query = f"SELECT {question.ours} FROM {question.source}"
            answers.append(Ours(values if len(values) > 1 else values[0], query, *(column[0] for column in more)))
        return answers
