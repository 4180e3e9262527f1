"""What the columns of published tables are called, and what they say of themselves."""

from collections.abc import Iterable

import pyarrow as pa

from dicebase.tables.names import Table
from dicebase.vocabulary import Column, Listing

STATES, ACTIONS = "states.parquet", "actions.parquet"

MIXED = "mixed"
"""The action of a state whose optimum is a mix."""


def field(name: str, kind: pa.DataType, description: str, unit: str = "", nullable: bool = False) -> pa.Field:
    """A column that says what it is."""
    return pa.field(name, kind, nullable, {"description": description, "unit": unit})


KINDS = {int: pa.int32(), str: pa.string(), float: pa.float64(), bool: pa.bool_()}


def parameter_fields(table: Table) -> list[pa.Field]:
    """The parameters of a table as columns."""
    return [field(p.name, KINDS[p.kind], p.description) for p in table.parameters]


def _fields(columns: Iterable[Column]) -> list[pa.Field]:
    return [field(c.name, KINDS[c.kind], c.description, c.unit) for c in columns]


def state_fields(game: Listing) -> list[pa.Field]:
    """State, value, then action and margin where decisions are stored, and what else a row says."""
    regret = "regret of the second-best action: 0 is a proved tie; NULL: one legal action, or a mix"
    decision = [
        field("action", pa.string(), "the optimal action; of several, the first in the game's order"),
        field("margin", pa.float64(), regret, game.value.unit, nullable=True),
    ]
    stored = decision if game.layout.stores_decisions else []
    return [*_fields([*game.columns, game.value]), *stored, *_fields(game.more)]


def action_fields(game: Listing) -> list[pa.Field]:
    """What is said of an action."""
    return [
        field("action", pa.string(), "what the mover does"),
        field("q_value", pa.float64(), f"{game.value.description}, after this action", game.value.unit),
        field("regret", pa.float64(), "what the mover gives up by this action; 0 is optimal", game.value.unit),
        field("probability", pa.float64(), "how often the published policy takes this action", "probability"),
        field("optimal", pa.bool_(), "whether the action is optimal; a tie has several"),
        field("undecided", pa.bool_(), "optimal only within the error bound: a tie that is not proved"),
    ]


def states_schema(table: Table, game: Listing) -> pa.Schema:
    """The columns of STATES: parameters, and what a state is and says."""
    return pa.schema(parameter_fields(table) + state_fields(game))


def actions_schema(table: Table, game: Listing) -> pa.Schema:
    """The columns of ACTIONS: parameters, state, and what is said of an action."""
    return pa.schema(parameter_fields(table) + _fields(game.columns) + action_fields(game))
