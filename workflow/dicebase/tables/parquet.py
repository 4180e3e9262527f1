"""Parquet files of slices: names, descriptions and units of columns, and provenance in the footer."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.tables.layout import TABLES, SliceFiles
from dicebase.tables.names import Table, find_table
from dicebase.vocabulary import Column, DamagedFileError, Json, Layout, Listing

MIXED = "mixed"
"""The action of a state whose optimal policy mixes."""


def field(name: str, kind: pa.DataType, description: str, unit: str = "", nullable: bool = False) -> pa.Field:
    """A column with its description and unit."""
    return pa.field(name, kind, nullable, {"description": description, "unit": unit})


KINDS = {int: pa.int32(), str: pa.string(), float: pa.float64(), bool: pa.bool_()}


def parameter_fields(table: Table) -> list[pa.Field]:
    """The parameters of a table as columns."""
    return [field(p.name, KINDS[p.kind], p.description) for p in table.parameters]


def _fields(columns: Iterable[Column]) -> list[pa.Field]:
    return [field(c.name, KINDS[c.kind], c.description, c.unit) for c in columns]


def state_fields(game: Listing) -> list[pa.Field]:
    """The columns of a row: state, value, then action and margin if decisions are stored, then further columns."""
    regret = "regret of the second-best action: 0 is a proved tie; NULL: one legal action, or a mix"
    decision = [
        field("action", pa.string(), "the optimal action; in a tie, the first in the game's order"),
        field("margin", pa.float64(), regret, game.value.unit, nullable=True),
    ]
    stored = decision if game.layout in (Layout.DECISIONS, Layout.TWO_ACTIONS) else []
    return [*_fields([*game.columns, game.value]), *stored, *_fields([*game.more, *game.described])]


def action_fields(game: Listing) -> list[pa.Field]:
    """The columns of an action."""
    return [
        field("action", pa.string(), "action of the mover"),
        field("q_value", pa.float64(), f"{game.value.description}, after this action", game.value.unit),
        field("regret", pa.float64(), "loss of the mover by this action; 0 is optimal", game.value.unit),
        field("probability", pa.float64(), "probability of this action in the published policy", "probability"),
        field("optimal", pa.bool_(), "whether the action is optimal; in a tie several are"),
        field("undecided", pa.bool_(), "optimal only within the error bound: an unproved tie"),
    ]


def states_schema(table: Table, game: Listing) -> pa.Schema:
    """The schema of states or values: parameters, then the columns of a row."""
    return pa.schema(parameter_fields(table) + state_fields(game))


PAIR = (
    Column("policy", str, "the policy whose value it is; if players alternate, the mover's"),
    Column("against", str, "the policy of the other player"),
)


def pair_fields(game: Listing) -> list[pa.Field]:
    """The columns of the value of a pair of policies at a position."""
    value = Column("value", float, "value of `policy` from this position, in the unit of the rows", game.value.unit)
    return _fields([*PAIR, *game.places, value, *game.of_pairs])


def pair_columns(pairs: Sequence[tuple[str, str]], places: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The key columns of pairs of policies, each at every place: policy, against, and the columns of a place."""
    policies = (np.repeat(np.array(names, object), len(places[0])) for names in zip(*pairs, strict=True))
    return [*policies, *(np.tile(column, len(pairs)) for column in places)]


def beside_schema(table: Table, game: Listing) -> pa.Schema:
    """The schema of a slice's second file: parameters, then state and action, or pairs of policies."""
    own = pair_fields(game) if game.layout is Layout.PAIRS else _fields(game.columns) + action_fields(game)
    return pa.schema(parameter_fields(table) + own)


OF_A_KEY = dict.fromkeys(("code", "slice", "solver", "store", "table"), str)
OF_A_KEY |= {"definitions": dict, "needs": dict, "parameters": list, "variants": list}
OF_A_VARIANT = {"parameters": dict, "exact": str | None, "continuation": str | None, "note": str, "seconds": float}


def read_footer(path: Path) -> Json:
    """Return the provenance in a published file: key, variants, citation; raises DamagedFileError if unreadable."""
    stored = open_parquet(path).metadata.metadata or {}
    try:
        ours = {k.decode(): v.decode() for k, v in stored.items() if k.startswith(b"dicebase.")}
        footer = {name.removeprefix("dicebase."): text for name, text in ours.items()}
        footer |= {name: json.loads(footer[name]) for name in ("key", "variants", "versions")}
        said = [(footer["key"], OF_A_KEY), *((claim, OF_A_VARIANT) for claim in footer["variants"])]
        alike = all(isinstance(of[name], kind) for of, kinds in said for name, kind in kinds.items())
        if not alike or not isinstance(footer["variants"], list):
            raise ValueError(path)
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFileError(f"{path}: its footer does not say where the file came from") from error
    return footer


def read_slice(files: SliceFiles) -> Json:
    """Return the footer of a slice's files; raises DamagedFileError if a file is missing or from another solve."""
    footer = read_footer(files.rows)
    if (said := (footer["key"].get("table"), footer["key"].get("slice"))) != (files.table, files.name):
        raise DamagedFileError(f"{files.rows}: belongs to another slice, {'/'.join(map(str, said))}")
    table, of_states = find_table(files.table), files.rows == files.within(TABLES)
    folders = table.folders(table.match_class) if of_states else ()
    beside = files.within(folders[1]) if folders[1:] else files.beside
    if (folders[1:] or beside.exists()) and footer != read_footer(beside):
        raise DamagedFileError(f"{files}: its files in {TABLES} and {beside.parts[-3]} do not come from the same solve")
    return footer


def open_parquet(path: Path, encoded: Sequence[str] = ()) -> pq.ParquetFile:
    """Open a Parquet file, with columns `encoded` as dictionaries; raises DamagedFileError for the library's errors."""
    try:
        return pq.ParquetFile(path.absolute(), read_dictionary=encoded)
    except FileNotFoundError as error:
        raise DamagedFileError(f"{path}: missing") from error
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> DamagedFileError:
    """The error for an unreadable file. It says to delete the file, because a build takes an existing file to be
    finished and does not make it again."""
    return DamagedFileError(f"{path}: damaged: {str(error).splitlines()[0].rstrip('.')}; delete it and build it again")
