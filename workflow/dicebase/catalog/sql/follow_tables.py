"""What queries need beside stored values so that decisions follow from them (tables/follow), and its columns."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from dicebase.catalog.sql.queries import ANSWERS, queries, quoted
from dicebase.tables.follow.turns import Starts, reachable_places, throws_of
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import Definitions, Table, Variant
from dicebase.tables.parquet import KINDS, beside_schema, field, open_parquet
from dicebase.vocabulary import STARTS, Entry, Layout, Option, lattice


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
        layout=Layout.DECISIONS,
        columns=[c for c in match.state_columns if asked or c.name not in match.together],
        value=value,
    )
    actions = list(beside_schema(table, positions))
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
    if table.rules_class.family == "sheets":
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
            for slot, gains in enumerate(stored.rules.gains, start=1):
                placed = zip(stored.rules.weights, gains, strict=True)
                rows += [(*variant.values(), slot, roll, gain, 2 * bound) for roll, gain in placed]
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


def store_ways(connection: duckdb.DuckDBPyConnection, table: Table, takes_rolls: bool) -> None:
    """data.<table>_ways: by variant, in the game's order, what to do with a roll; and, of variants that are stored by
    the starts of turns, with what lies on the table, and where its worth stands in a turn (`turn` of the template)."""
    rows = []
    for variant, definitions, store in _certified(connection, table, "store"):
        game = table.build(variant, definitions)
        rules = game.rules
        known = takes_rolls and not game.ends_otherwise  # what a turn leads to is no row of its own then
        rolls = [(m, roll) for m in rules.modes if known for roll in rules.rolls(0, m)]
        ways = [(roll.dice, m, n, option) for m, roll in rolls for n, option in enumerate(roll.options)]
        if store == STARTS:
            ways += [(None, m, 0, Option(0, m)) for m in rules.modes]
        for roll, rolled, number, (gain, dice, keep) in ways:
            for banks in (True, False):
                units = place = None
                if store == STARTS:
                    units, slot = gain // game.unit_of_points, 0 if banks else rules.modes.index(dice) + 1
                    place = None if banks and dice in rules.must_roll else units * (len(rules.modes) + 1) + slot + 3
                action = rules.stop if banks else "roll"
                if roll is not None:
                    action = f"keep {keep}, {action}" + f" {dice}" * (not banks)
                leads_to = f"bank {gain}" if banks else f"{dice} at {gain}"
                way = roll, rolled, rules.modes.index(rolled) + 1, 2 * number + (not banks), action, leads_to
                rows.append((*variant.values(), *way, gain, dice, banks, units, place))
    kinds = {"roll": str, "rolled": int, "from": int, "number": int, "action": str, "leads_to": str, "gain": int}
    kinds |= {"after": int, "banks": bool, "units": int, "place": int}
    _store(connection, table, "ways", {name: KINDS[kind] for name, kind in kinds.items()}, rows, "_")


def store_beyond(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Whether a theorem answers past the stored totals; data.<table>_beyond has the lines of Listing.lines."""
    rows, columns = [], {}
    for variant, definitions, continuation in _certified(connection, table, "continuation"):
        if continuation is None:
            continue
        game = table.build(variant, definitions, continuation)
        columns = {c.name: KINDS[c.kind] for c in game.columns[1:]}
        for phase, rest, lines in game.lines():
            place = *variant.values(), game.last, game.unit, game.rules.period
            for number, (action, line) in enumerate(lines.items()):
                rows.append((*place, phase, *rest, number, action, *map(float, line)))
    kinds = dict.fromkeys(("last", "unit", "period", "phase"), pa.int32()) | columns
    kinds |= {"number": pa.int32(), "action": pa.string(), "slope": pa.float64(), "at_nought": pa.float64()}
    if rows:
        _store(connection, table, "beyond", kinds, rows)
    return bool(rows)


def store_turns(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Whether there are variants that are stored by the starts of turns. Of these data.<table>_throws, the rolls of a
    turn (Throws of follow/turns.py, places as `turn` of the template has them) and where it comes to; and
    data.<table>_banks, what banking is worth by the points after it."""
    turns, banks = [], []
    for variant, definitions, store in _certified(connection, table, "store"):
        if store != STARTS:
            continue
        game = table.build(variant, definitions)
        unit, modes = game.unit_of_points, game.rules.modes
        width, most, hands = throws_of(game.rules, unit)
        banked = [slot == 0 or modes[slot - 1] not in game.rules.must_roll for slot in range(width)]
        said = []
        for mode, hand, there in zip(modes, hands, reachable_places(game.rules, unit, game.totals).T[1:], strict=True):
            # The better of rolling with so many dice and of banking, where one may.
            better = [(w, {q for p in of for q in (p, p - p % width * banked[p % width])}) for w, of in hand.rolls]
            rolls = [(hand.bust, [1]), (hand.wipe, [2])] + [
                (w, [p - width + 3 for p in sorted(of)]) for w, of in better
            ]
            said.append((mode, hand.sum, rolls, (np.flatnonzero(there) + 1).tolist()))
        least = (-(-game.rules.least_bank(points) // unit) for points in (0, 1))
        points = [float(x) for x in range(0, game.target, unit)]
        turns.append((*variant.values(), points, [1.0] * (most * width), *least, said))
        where = " AND ".join(f'"{name}" = {quoted(x)}' for name, x in variant.items())
        record = ", ".join(f'"{c.name}"' for c in game.record_columns)
        query = f"SELECT value FROM data.{table.name} WHERE {where} AND turn_total = 0 ORDER BY {record}"
        starts = Starts(game, connection.execute(query).fetchnumpy()["value"])
        index = np.indices(starts.shape)
        worth = game.reward + game.sign * starts.values[game.following(index, index[game.mine])]
        worth = np.moveaxis(worth, game.mine, -1)[1 if game.limit else 0 :].reshape(-1, game.totals)
        others = product(*(numbers for i, numbers in enumerate(game.ranges) if i != game.mine))
        banks += [(*variant.values(), *other, row) for other, row in zip(others, worth.tolist(), strict=True)]
        columns = [c for i, c in enumerate(game.record_columns) if i != game.mine]
    if turns:
        numbers = pa.list_(pa.float64())
        throw = pa.struct({"weight": pa.float64(), "places": pa.list_(pa.int64())})
        hand = {"dice": pa.int32(), "sum": pa.float64(), "rolls": pa.list_(throw), "reached": pa.list_(pa.int64())}
        kinds = {"points": numbers, "far": numbers, "opening": pa.int64(), "least": pa.int64()}
        kinds |= {"hands": pa.list_(pa.struct(hand))}
        _store(connection, table, "throws", kinds, turns, "_")
        kinds = {c.name: KINDS[c.kind] for c in columns} | {"values": numbers}
        _store(connection, table, "banks", kinds, banks, "_")
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
    before: str = "",
) -> None:
    """data.<table>_<what>, the parameters first, with so much `before` each column's name."""
    kinds = {p.name: KINDS[p.kind] for p in table.parameters} | dict(kinds)
    schema = pa.schema({before + name: kind for name, kind in kinds.items()})
    columns = zip(schema, zip(*rows, strict=True) if rows else [()] * len(schema), strict=True)
    connection.register("stored", pa.table([pa.array(values, f.type) for f, values in columns], schema))
    connection.execute(f"CREATE TABLE data.{table.name}_{what} AS SELECT * FROM stored")
    connection.unregister("stored")
