"""What queries need beside stored values so that decisions follow from them (tables/follow), and its columns."""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from dicebase.catalog.queries import ANSWERS, queries
from dicebase.tables.follow.turns import reached, throws_of
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import Definitions, Table, Variant
from dicebase.tables.parquet import KINDS, actions_schema, field, open_parquet
from dicebase.vocabulary import STARTS, Entry, Layout, Listing, Sheet, lattice


def by_length(slices: Sequence[SliceFiles]) -> tuple[list[SliceFiles], list[SliceFiles]]:
    """The slices whose rows have the fewest columns, and the others, whose positions have more."""
    lengths = [len(open_parquet(s.rows).schema_arrow) for s in slices]
    least = min(lengths, default=0)
    return tuple([s for s, n in zip(slices, lengths, strict=True) if (n > least) == more] for more in (False, True))


def followed_fields(table: Table, asked: bool = False) -> tuple[list[pa.Field], list[pa.Field]]:
    """The columns of `<table>` and of `<table>_actions`, as those of stored ones; `asked`: with those of a
    question that the views are without."""
    match = table.followed
    value = match.value._replace(description="value of the position")
    positions = SimpleNamespace(
        columns=[c for c in match.state_columns if asked or c.name not in match.together], value=value
    )
    actions = list(actions_schema(table, positions))
    least = "regret of the second-best action, whether or not it is proved; NULL: one legal action"
    states = [
        *actions[: -len(ANSWERS)],
        field("value", pa.float64(), "value of the position, which is that of its best action", value.unit),
        field("action", pa.string(), "the optimal action; of several, the first"),
        field("margin", pa.float64(), least, value.unit, nullable=True),
    ]
    return states, actions


def store_followed(connection: duckdb.DuckDBPyConnection, table: Table) -> tuple[str, str, tuple[int, int] | None]:
    """Store what decisions follow from; returns SQL of `<table>`, of `<table>_actions`, and what store_sheets says."""
    if issubclass(table.rules_class, Sheet):
        sizes = store_sheets(connection, table)
        return queries().starts(table), queries().starts(table, True), sizes
    store_placements(connection, table)
    return queries().states(table), queries().placements(table), None


def store_placements(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """data.<table>_placements: what each slot scores for each roll, by variant, with twice the error bound of its
    values."""
    rows = []
    for variant, definitions, bound in _certified(connection, table, "error_bound"):
        stored = table.build(variant, definitions).stored
        if stored.layout is Layout.FOLLOWED:
            rows += [(*variant.values(), *placement, 2 * bound) for placement in stored.placements]
    kinds = {"slot": pa.int64(), "roll_total": pa.int32(), "gain": pa.int64(), "tolerance": pa.float64()}
    _store(connection, table, "placements", kinds, rows)


def store_sheets(connection: duckdb.DuckDBPyConnection, table: Table) -> tuple[int, int]:
    """data.<table>_sheets and data.<table>_entries: by variant, the sheet with its lattice (tables/follow/sheets.py),
    and the ways to use each roll; returns the most dice, and the most times that they may be rolled again."""
    sheets, entries, sizes = [], [], []
    for variant, definitions, bound in _certified(connection, table, "error_bound"):
        rules = table.build_rules(variant, definitions)
        dice = lattice(rules.sides, rules.dice)
        sets = ["".join(map(str, faces)) for faces in dice.sets]
        level = [len(sets[dice.rolls + i]) for i in range(len(dice.more))]
        levels = [
            [[place + 1 for place in more] for more, size in zip(dice.more, level, strict=True) if size == dice_left]
            for dice_left in range(rules.dice - 1, -1, -1)
        ]
        keeps = [[place + 1 for place in parts] for parts in dice.keeps]
        numbers = rules.upper_at, rules.upper_bonus, rules.rolls, 1.0 / rules.sides, 2 * bound
        sheets.append((*variant.values(), list(rules.boxes), *numbers, sets, levels, keeps))
        for number, roll in enumerate(dice.sets[: dice.rolls], start=1):
            entries += [(*variant.values(), number, *map(int, entry)) for entry in rules.entries(roll)]
        sizes.append((rules.dice, rules.rolls - 1))
    names, places = pa.list_(pa.string()), pa.list_(pa.list_(pa.int32()))
    kinds = {"boxes": names} | dict.fromkeys(("upper_at", "upper_bonus", "rolls"), pa.int32())
    kinds |= {
        "part": pa.float64(),
        "tolerance": pa.float64(),
        "sets": names,
        "levels": pa.list_(places),
        "keeps": places,
    }
    _store(connection, table, "sheets", kinds, sheets)
    _store(connection, table, "entries", dict.fromkeys(("roll", *Entry._fields), pa.int32()), entries)
    return tuple(map(max, zip(*sizes, strict=True)))


def store_keeps(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """data.<table>_keeps: by variant and roll, what can be kept, in the game's order; and how the variant is stored."""
    rows = []
    for variant, definitions, store in _certified(connection, table, "store"):
        game = table.build(variant, definitions)
        if game.ends_otherwise:  # what a turn leads to is no row of its own then
            continue
        rules = game.rules
        for mode, roll in ((m, roll) for m in rules.modes for roll in rules.rolls(0, m)):
            for number, option in enumerate(roll.options):
                kept = (roll.dice, mode, number, option.keep, option.gain, option.mode)
                rows.append((*variant.values(), store == STARTS, *kept))
    kinds = {"starts": bool, "roll": str, "rolled": int, "number": int, "keep": str, "gain": int, "dice": int}
    _store(connection, table, "keeps", {name: KINDS[kind] for name, kind in kinds.items()}, rows)


def store_beyond(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Whether a theorem answers past the stored totals; data.<table>_beyond has the lines of Listing.lines."""
    if table.match_class.lines is Listing.lines:
        return False
    rows, columns = [], {}
    for variant, definitions, continuation in _certified(connection, table, "continuation"):
        game = table.build(variant, definitions, continuation)
        columns = {c.name: KINDS[c.kind] for c in game.columns[1:]}
        place = *variant.values(), game.last, game.unit, game.rules.period
        for phase, rest, lines in game.lines():
            for number, (action, line) in enumerate(lines.items()):
                rows.append((*place, phase, *rest, number, action, *map(float, line)))
    kinds = dict.fromkeys(("last", "unit", "period", "phase"), pa.int32()) | columns
    kinds |= {"number": pa.int32(), "action": pa.string(), "slope": pa.float64(), "at_nought": pa.float64()}
    _store(connection, table, "beyond", kinds, rows)
    return True


def store_turns(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Whether there are variants that are stored by the starts of turns. Of these data.<table>_throws, the rolls of a
    turn (Throws of follow/turns.py, places counted from one point on), and data.<table>_positions, where a turn comes
    to."""
    turns, positions = [], []
    for variant, definitions, store in _certified(connection, table, "store"):
        if store != STARTS:
            continue
        game = table.build(variant, definitions)
        unit, modes = game.unit_of_points, game.rules.modes
        width, most, hands = throws_of(game.rules, unit)
        said = [
            (
                mode,
                *hand[:3],
                mode in game.rules.must_roll,
                [(weight, [p - width + 1 for p in places]) for weight, places in hand.rolls],
            )
            for mode, hand in zip(modes, hands, strict=True)
        ]
        turns.append((*variant.values(), unit, most * width, *map(game.rules.least_bank, (0, 1)), said))
        columns = game.columns[len(game.record_columns) :]
        for total, m in np.argwhere(reached(game.rules, unit, game.totals)).tolist():
            positions.append((*variant.values(), *(total * unit, modes[m])[: len(columns)]))
    if turns:
        throw = pa.struct({"weight": pa.float64(), "places": pa.list_(pa.int64())})
        hand = dict.fromkeys(("sum", "bust", "wipe"), pa.float64()) | {"must": pa.bool_(), "rolls": pa.list_(throw)}
        hands = pa.list_(pa.struct({"dice": pa.int32()} | hand))
        _store(
            connection,
            table,
            "throws",
            dict.fromkeys(("unit", "reach", "opening", "least"), pa.int64()) | {"hands": hands},
            turns,
        )
        _store(connection, table, "positions", {c.name: KINDS[c.kind] for c in columns}, positions)
    return bool(turns)


def _certified(
    connection: duckdb.DuckDBPyConnection, table: Table, column: str
) -> Iterator[tuple[Variant, Definitions, Any]]:
    """(parameters, definitions, a further column of its certificate) of each variant."""
    query = f'SELECT parameters, definitions, {column} FROM data.certificates WHERE "table" = ? ORDER BY parameters'
    for parameters, definitions, said in connection.execute(query, [table.name]).fetchall():
        yield json.loads(parameters), json.loads(definitions), said


def _store(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    what: str,
    kinds: Mapping[str, pa.DataType],
    rows: Sequence[tuple],
) -> None:
    """data.<table>_<what>, the parameters first."""
    schema = pa.schema({p.name: KINDS[p.kind] for p in table.parameters} | dict(kinds))
    columns = zip(schema, zip(*rows, strict=True) if rows else [()] * len(schema), strict=True)
    connection.register("stored", pa.table([pa.array(values, f.type) for f, values in columns], schema))
    connection.execute(f"CREATE TABLE data.{table.name}_{what} AS SELECT * FROM stored")
    connection.unregister("stored")
