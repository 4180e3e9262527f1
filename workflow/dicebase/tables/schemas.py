"""What the columns of published tables are called, and what they say of themselves."""

import pyarrow as pa

from dicebase.tables.names import Table
from dicebase.vocabulary.listing import Decisions, Listing

STATES, ACTIONS = "states.parquet", "actions.parquet"


MIXED = "mixed"
"""The action of a state whose optimum is a mix."""


def field(name: str, kind: pa.DataType, description: str, unit: str = "", nullable: bool = False) -> pa.Field:
    """A column that says what it is."""
    return pa.field(name, kind, nullable, {"description": description, "unit": unit})


KINDS = {int: pa.int32(), str: pa.string()}


def parameter_fields(table: Table) -> list[pa.Field]:
    """The parameters of a table as columns."""
    return [field(p.name, KINDS[p.kind], p.description) for p in table.parameters]


def _keys(table: Table, game: Listing) -> list[pa.Field]:
    return parameter_fields(table) + [field(c.name, KINDS[c.kind], c.description, c.unit) for c in game.columns]


def states_schema(table: Table, game: Listing) -> pa.Schema:
    """Parameters, state, value, action, margin; of a listing without decisions the value alone."""
    value = field(game.value_name, pa.float64(), game.value_is, game.unit)
    if not isinstance(game, Decisions):
        more = [
            field(name, pa.float64(), text, game.more_units.get(name, game.unit)) for name, text in game.more_values
        ]
        return pa.schema([*_keys(table, game), value, *more])
    return pa.schema(
        [
            *_keys(table, game),
            value,
            field("action", pa.string(), "the optimal action; of several, the first in the game's order"),
            field(
                "margin",
                pa.float64(),
                "regret of the second-best action: 0 is a proved tie; NULL: one legal action, or a mix",
                game.unit,
                nullable=True,
            ),
            *(field(name, pa.bool_(), text) for name, text in game.flags),
        ]
    )


def actions_schema(table: Table, game: Listing) -> pa.Schema:
    """Parameters, state, action, q_value, regret, probability, optimal, undecided."""
    return pa.schema(
        [
            *_keys(table, game),
            field("action", pa.string(), "what the mover does"),
            field("q_value", pa.float64(), f"{game.value_is}, after this action", game.unit),
            field("regret", pa.float64(), "what the mover gives up by this action; 0 is optimal", game.unit),
            field("probability", pa.float64(), "how often the published policy takes this action", "probability"),
            field("optimal", pa.bool_(), "whether the action is optimal; a tie has several"),
            field("undecided", pa.bool_(), "optimal only within the error bound: a tie that is not proved"),
        ]
    )
