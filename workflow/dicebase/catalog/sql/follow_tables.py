"""Store the helper tables from which SQL computes decisions that are not stored (tables/follow does so in NumPy)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import lcm
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
from dicebase.vocabulary.dice_and_cards.hand_classes import HandClasses, held_cards, signs


def by_length(slices: Sequence[SliceFiles]) -> tuple[list[SliceFiles], list[SliceFiles]]:
    """Return (slices whose rows have the fewest columns, slices with more columns)."""
    lengths = [len(open_parquet(s.rows).schema_arrow) for s in slices]
    least = min(lengths, default=0)
    return tuple([s for s, n in zip(slices, lengths, strict=True) if (n > least) == more] for more in (False, True))


def followed_fields(table: Table, asked: bool = False) -> tuple[list[pa.Field], list[pa.Field]]:
    """Return the columns of `<table>` and `<table>_actions` for computed decisions; `asked` adds the columns that only
    questions have, such as the roll."""
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
        field("value", pa.float64(), "value of the position, equal to that of its best action", value.unit),
        field("action", pa.string(), "the optimal action; if there are several, the first"),
        field("margin", pa.float64(), least, value.unit, nullable=True),
        *(field(c.name, KINDS[c.kind], c.description, c.unit) for c in match.more if c.kind is int),
    ]
    return states, actions


def store_followed(connection: duckdb.DuckDBPyConnection, table: Table) -> tuple[str, str, tuple[int, int] | None]:
    """Store the helper tables; return the SQL of `<table>` and `<table>_actions`, and the result of store_sheets."""
    if table.rules_class.family == "sheets":
        sizes = store_sheets(connection, table)
        return queries().starts(table), queries().starts(table, True), sizes
    if table.rules_class.family == "draws":
        store_holds(connection, table)
        variant = [p.name for p in table.parameters]
        return queries("draws.sql").states(table, variant), queries("draws.sql").actions(table, variant, ""), None
    store_placements(connection, table)
    return queries().states(table), queries().placements(table), None


def store_placements(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Create data.<table>_placements: the score of each roll in each slot, by variant, with the tolerance of a tie
    (twice the error bound)."""
    rows = []
    for variant, definitions, bound in _certified(connection, table, "error_bound"):
        stored = table.build(variant, definitions).stored
        if stored.layout is Layout.FOLLOWED:
            for slot, gains in enumerate(stored.rules.gains, start=1):
                placed = zip(stored.rules.weights, gains, strict=True)
                rows += [(*variant.values(), slot, roll, gain, 2 * bound) for roll, gain in placed]
    kinds = {"slot": pa.int64(), "roll_total": pa.int32(), "gain": pa.int64(), "tolerance": pa.float64()}
    _store(connection, table, "placements", kinds, rows)


def store_holds(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Create data.<table>_holds: for each variant, the ways to hold cards in the game's order, the number of final
    hands after each, and the coefficients of their sum (vocabulary/dice_and_cards/hand_classes.py)."""
    rows, held, coefficients = [], held_cards().tolist(), signs().astype(float).tolist()
    for variant, definitions, _ in _certified(connection, table, "error_bound"):
        draws = HandClasses(table.build_rules(variant, definitions).ranks).draws.tolist()
        said = enumerate(zip(held, coefficients, strict=True), start=1)
        rows += [(*variant.values(), number, cards, draws[sum(cards)], of) for number, (cards, of) in said]
    lists = {"held": pa.list_(pa.int64()), "draws": pa.float64(), "signs": pa.list_(pa.float64())}
    _store(connection, table, "holds", {"number": pa.int64()} | lists, rows)


def store_sheets(connection: duckdb.DuckDBPyConnection, table: Table) -> tuple[int, int]:
    """Create data.<table>_sheets, with the sheet of each variant and its lattice of dice (tables/follow/sheets.py), and
    data.<table>_entries, with the ways to score each roll. Return (most dice, most rerolls)."""
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
    """Create data.<table>_ways: for each variant, in the game's order, the actions after a roll. Variants that store
    only the starts of turns also have the actions before a roll, and the index of each action's q-value in the
    template's `turn`."""
    rows = []
    for variant, definitions, store in _certified(connection, table, "store"):
        game = table.build(variant, definitions)
        rules = game.rules
        # If rows are stored, an action that ends a turn and not the match has no row of its own.
        known = takes_rolls and not (game.may_end_by_force if store == STARTS else game.ends_otherwise)
        rolls = [(m, roll) for m in rules.modes if known for roll in rules.rolls(0, m)]
        ways = [(roll.dice, m, n, option) for m, roll in rolls for n, option in enumerate(roll.options)]
        if store == STARTS:
            ways += [(None, m, 0, Option(0, m)) for m in rules.modes]
        for roll, rolled, number, (gain, dice, keep) in ways:
            for banks in (True, False):
                units = place = unless = None
                if store == STARTS:
                    units, slot = gain // game.unit_of_points, 0 if banks else rules.modes.index(dice) + 1
                    place = units * (len(rules.modes) + 1) + slot + 3
                    # Nobody rolls after the end of a turn, and with some numbers of dice nobody banks before it.
                    unless = None if banks and dice not in rules.must_roll else not banks
                action = rules.stop if banks else "roll"
                if roll is not None:
                    action = f"keep {keep}, {action}" + f" {dice}" * (not banks)
                leads_to = f"bank {gain}" if banks else f"{dice} at {gain}"
                way = roll, rolled, rules.modes.index(rolled) + 1, 2 * number + (not banks), action, leads_to
                rows.append((*variant.values(), *way, gain, dice, banks, units, place, unless))
    kinds = {"roll": str, "rolled": int, "from": int, "number": int, "action": str, "leads_to": str, "gain": int}
    kinds |= {"after": int, "banks": bool, "units": int, "place": int, "unless": bool}
    _store(connection, table, "ways", {name: KINDS[kind] for name, kind in kinds.items()}, rows, "_")


def store_beyond(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Create data.<table>_beyond with the lines of Listing.lines; return whether a theorem answers past the stored
    totals."""
    rows, columns = [], {}
    for variant, definitions, continuation in _certified(connection, table, "continuation"):
        if continuation is None:
            continue
        game = table.build(variant, definitions, continuation)
        columns = {c.name: KINDS[c.kind] for c in game.columns[1:]}
        for phase, rest, lines in game.lines():
            place = *variant.values(), game.last, game.unit, game.rules.period
            # Larger denominators than this could overflow; with it, rounding is as small as that of doubles.
            denominator = min(lcm(*(x.denominator for line in lines.values() for x in line)), 2**45)
            for number, (action, line) in enumerate(lines.items()):
                numerators = (round(x * denominator) for x in line)
                rows.append((*place, phase, *rest, number, action, *numerators, denominator))
    kinds = dict.fromkeys(("last", "unit", "period", "phase"), pa.int32()) | columns
    kinds |= {"number": pa.int32(), "action": pa.string()} | dict.fromkeys(
        ("slope", "at_nought", "denominator"), pa.int64()
    )
    if rows:
        _store(connection, table, "beyond", kinds, rows)
    return bool(rows)


def store_turns(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    """Create two tables for the variants that store only the starts of turns, and return whether there are any.
    data.<table>_throws has the rolls of a turn (Throws of follow/turns.py, with indices into the template's `turn`) and
    the totals that the turn reaches; data.<table>_banks has the value of banking by the points afterwards, and the
    number of totals, in units, that do not end the turn."""
    turns, banks = [], []
    for variant, definitions, store in _certified(connection, table, "store"):
        if store != STARTS:
            continue
        game = table.build(variant, definitions)
        unit, modes = game.unit_of_points, game.rules.modes
        width, most, hands = throws_of(game.rules, unit)
        banked = [slot == 0 or modes[slot - 1] not in game.rules.must_roll for slot in range(width)]
        said, reached = [], []
        size = game.totals + game.past // unit
        for hand, there in zip(hands, reachable_places(game.rules, unit, size).T[1:], strict=True):
            # The options after a roll: to roll that many dice or, if allowed, to bank; the better one counts.
            better = [(w, {q for p in of for q in (p, p - p % width * banked[p % width])}) for w, of in hand.rolls]
            rolls = [(hand.bust, [1]), (hand.wipe, [2])] + [
                (w, [p - width + 3 for p in sorted(of)]) for w, of in better
            ]
            said.append((hand.sum, rolls))
            reached.append((np.flatnonzero(there) + 1).tolist())
        least = (-(-game.rules.least_bank(points) // unit) for points in (0, 1))
        points = [float(x) for x in range(0, size * unit, unit)]
        tail = np.arange(1, most + 1).repeat(width).tolist()
        turns.append((*variant.values(), points, tail, game.wins_at_once, *least, said, reached))
        where = " AND ".join(f'"{name}" = {quoted(x)}' for name, x in variant.items())
        record = ", ".join(f'"{c.name}"' for c in game.record_columns)
        query = f"SELECT value FROM data.{table.name} WHERE {where} AND turn_total = 0 ORDER BY {record}"
        starts = Starts(game, connection.execute(query).fetchnumpy()["value"])
        # The values of banking for a mover without points, by the other numbers of a record.
        records = product(*(numbers if i != game.mine else [0] for i, numbers in enumerate(game.ranges)))
        record = [*np.array([*records]).T]
        index = starts.units(record)
        ends = starts.left(index)
        worth = game.sense * starts.values_of_banking(index, np.arange(ends.max() + most))
        others = np.delete(record, game.mine, axis=0).T.tolist()
        banks += [
            (*variant.values(), *other, end, row[: end + most])
            for other, end, row in zip(others, ends.tolist(), worth.T.tolist(), strict=True)
        ]
        columns = [c for i, c in enumerate(game.record_columns) if i != game.mine]
    if turns:
        numbers = pa.list_(pa.float64())
        throw = pa.struct({"weight": pa.float64(), "places": pa.list_(pa.int64())})
        hand, places = {"sum": pa.float64(), "rolls": pa.list_(throw)}, pa.list_(pa.int64())
        kinds = {"points": numbers, "tail": places, "wins": pa.bool_(), "opening": pa.int64(), "least": pa.int64()}
        kinds |= {"hands": pa.list_(pa.struct(hand)), "reached": pa.list_(places)}
        _store(connection, table, "throws", kinds, turns, "_")
        kinds = {c.name: KINDS[c.kind] for c in columns} | {"totals": pa.int64(), "values": numbers}
        _store(connection, table, "banks", kinds, banks, "_")
    return bool(turns)


def _certified(
    connection: duckdb.DuckDBPyConnection, table: Table, column: str
) -> Iterator[tuple[Variant, Definitions, Any]]:
    """Yield (parameters, definitions, the given column of its certificate) for each variant."""
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
    """Create data.<table>_<what>, parameters first; every column name gets the prefix `before`."""
    kinds = {p.name: KINDS[p.kind] for p in table.parameters} | dict(kinds)
    schema = pa.schema({before + name: kind for name, kind in kinds.items()})
    columns = zip(schema, zip(*rows, strict=True) if rows else [()] * len(schema), strict=True)
    connection.register("stored", pa.table([pa.array(values, f.type) for f, values in columns], schema))
    connection.execute(f"CREATE TABLE data.{table.name}_{what} AS SELECT * FROM stored")
    connection.unregister("stored")
