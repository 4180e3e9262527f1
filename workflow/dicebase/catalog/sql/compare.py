"""Fill the view `compare`, which shows the rule sets of a game side by side."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import duckdb
import pyarrow as pa

from dicebase.catalog.sql.queries import quoted
from dicebase.families import family_of
from dicebase.tables.names import Table, find_table
from dicebase.tables.parquet import field
from dicebase.vocabulary import TIE, RepeatedTurn, parameters_of

MATCHES = ("turn", "long_run", "race", "duel")
HOLD_AT = "least turn total at which to stop, in a turn maximising points, as JSON by the dice left to roll (0 if they "
FIELDS = [
    field("game", pa.string(), "the game"),
    field("rules", pa.string(), "the parameters of its rules, as JSON"),
    field("target", pa.int32(), "points that end the race and the duel", "points", nullable=True),
    field("turn", pa.float64(), "largest expected points of a turn", "points", nullable=True),
    field("long_run", pa.float64(), "points per turn if lost turns in a row may cost points", "points", nullable=True),
    field("lost", pa.float64(), "probability that the first roll of a turn is lost", "probability"),
    field("hold_at", pa.string(), f"{HOLD_AT}are always the same); null if never", "points", nullable=True),
    field("race", pa.float64(), "expected turns to the target", "turns", nullable=True),
    field("duel", pa.float64(), "chance that the first player wins under best play", "probability", nullable=True),
    field("advantage", pa.float64(), "the first player's chance to win minus to lose", "probability", nullable=True),
]


def store_comparison(connection: duckdb.DuckDBPyConnection, names: Iterable[str]) -> None:
    """Create data.compare from the tables of games with repeated turns; `names` are all tables."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for table in map(find_table, sorted(names)):
        if table.match in MATCHES and table.rules_class.family == "turns" and table.rules_class.repeats:
            _add(connection, table, found)
    rows = [
        (game, rules, target, of.get("turn"), of.get("long_run"), of["lost"], of.get("hold_at"), *_matches(of, target))
        for (game, rules), of in sorted(found.items())
        for target in sorted({target for match in ("race", "duel") for target in of.get(match, {})}) or [None]
    ]
    columns = zip(*rows, strict=True) if rows else [[] for _ in FIELDS]
    arrays = [pa.array(list(column), f.type) for column, f in zip(columns, FIELDS, strict=True)]
    connection.register("rows", pa.Table.from_arrays(arrays, schema=pa.schema(FIELDS)))
    connection.execute("CREATE TABLE data.compare AS FROM rows")
    connection.unregister("rows")


def _matches(of: Mapping[str, Any], target: int | None) -> tuple[float | None, ...]:
    race, duel = (of.get(match, {}).get(target) for match in ("race", "duel"))
    return race, duel, None if duel is None else 2 * duel - 1


def _add(connection: duckdb.DuckDBPyConnection, table: Table, found: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Add the values of a table's variants to `found`, which is {(game, rules): {column or match: value}}."""
    own = parameters_of(table.rules_class)
    query = 'SELECT parameters, definitions, value FROM data.certificates WHERE "table" = ? ORDER BY parameters'
    for *texts, value in connection.execute(query, [table.name]).fetchall():
        variant, definitions = map(json.loads, texts)
        if any(p.only and variant.get(p.name, p.default) != p.default for p in own):
            continue  # this variant is a different game
        rules = table.build_rules(variant, definitions)
        chosen = json.dumps({p.name: variant[p.name] for p in own if not p.only})
        odds = family_of(rules).odds(rules, {"turn_total": 0}, "roll")
        of = found.setdefault((table.game, chosen), {"lost": odds.lost})
        if "target" in variant:
            of.setdefault(table.match, {})[variant["target"]] = value
            continue
        of[table.match] = value
        if table.match == "turn":
            of["hold_at"] = json.dumps(_hold_at(connection, table, variant, rules))


def _hold_at(
    connection: duckdb.DuckDBPyConnection, table: Table, variant: Mapping[str, int | str], rules: RepeatedTurn
) -> dict[int, int | None]:
    """Return {dice to roll, most first: the least stored total at which to stop}. If the player keeps dice, rows are
    positions after a roll, and the value of rolling is their weighted mean."""
    where = " AND ".join(f'"{n}" = {quoted(x) if isinstance(x, str) else x}' for n, x in variant.items())
    total = f'"{rules.total}"'
    if not rules.keeps:
        hand = "dice" if len(rules.modes) > 1 else rules.modes[0]
        stops = f"min({total}) FILTER (action = {quoted(rules.stop)})"
        query = f"SELECT {hand}, {stops} FROM data.{table.name} WHERE {where} GROUP BY ALL"
    else:
        rolls = [(roll.dice, mode, roll.weight) for mode in rules.modes if mode for roll in rules.rolls(0, mode)]
        sums = {mode: sum(weight for _, m, weight in rolls if m == mode) for mode in rules.modes}
        shares = [(dice, mode, weight / sums[mode]) for dice, mode, weight in rolls]
        columns = zip(*shares, strict=True)
        connection.register("rolls", pa.table(dict(zip(("roll", "dice", "share"), map(list, columns), strict=True))))
        may = f"total >= {rules.least_stop} AND NOT list_contains({list(rules.must_roll)}::INT[], dice)"
        rolled = (
            f"SELECT s.{total} AS total, r.dice, sum(r.share * s.value) AS worth "
            f"FROM data.{table.name} AS s JOIN rolls AS r USING (roll) WHERE {where} GROUP BY ALL"
        )
        stops = f"min(total) FILTER ({may} AND worth <= total * (1 + {TIE}))"
        query = f"SELECT dice, {stops} FROM ({rolled}) GROUP BY dice"
    found = dict(connection.execute(query).fetchall())
    return {mode: found[mode] for mode in rules.modes if mode in found}
