"""The results of every_table.yaml, a small grid with all tables of dicebase, and positions spread over each table."""

from pathlib import Path

from dicebase.tables.names import known_tables
from support import grids

CONFIG = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
# Rows of boards with compiled rules are positions before the throw, which nobody asks for (tests/games/hypergammon).
TABLES = sorted(name for name, table in known_tables().items() if not table.match_class.asked_as)
ROWS = 30
CASES = [(table, False) for table in TABLES]
CASES += [(f"ten_thousand_{match}", True) for match in ("race", "reach", "duel")] + [("yahtzee_score", True)]


every_table = grids.of("every_table", CONFIG)
"""The function that returns the read-only results folder of the grid."""


def positions(db, table, roll=False):
    """(rows spread over a table, parameters and state of each); with `roll`, the states have rolls instead of dice."""
    total = db.rows(f"SELECT count(*) FROM {table}")[1][0][0]
    names, rows = db.rows(
        f"SELECT * FROM (SELECT *, row_number() OVER () AS row FROM {table}) WHERE row % ? = 0", [max(1, total // ROWS)]
    )
    rows = [dict(zip(names, row, strict=True)) for row in rows]
    described = db.describe(table)
    keys = [c["name"] for c in (*described["parameters"], *described["columns"])]
    asked = [{key: row[key] for key in keys if key in row} for row in rows]
    if roll and "rerolls_left" in keys:
        asked = [a | {"roll": f"1{i % 3 + 1}3", "rerolls_left": i // 3 % 3} for i, a in enumerate(asked)]
    elif roll:
        asked = [{k: v for k, v in a.items() if k != "dice"} | {"roll": "11355"[: a["dice"]]} for a in asked]
    return rows, asked
