"""Matches of turns, stored by the starts of turns or by rows, and positions to ask for."""

from pathlib import Path

from support import grids, kept_rolls

# Three tables also have a variant that is always stored by rows.
CONFIG = """\
      twins: {{dice: 3, combinations: {{"1": 100, "2": 100, "33": 100}}}}
      strict: {{dice: 3, combinations: {{"1": 100, "5": 50, "aaa": 300, "nothing_first": 50}}, keep: any,
        hot_dice: forced, least_bank: 100, opening: 150}}
      last: {{dice: 3, combinations: {{"1": 100, "5": 50, "aaa": 300}}, keep: any, opening: 150, last_turn: others}}

tables:
  pig_duel_turns: [{{target: 10}}]
  pig_duel: [{{target: [18, 25], store: {0}, slice_by: []}}, {{target: 14, dice: 2, store: {0}}}, {{target: 10}}]
  pig_race: [{{target: 30, store: {0}}}, {{target: 20, dice: 2, store: {0}}}]
  pig_reach: [{{target: 20, turns: 3, store: {0}}}, {{target: 10, turns: 2}}]
  ten_thousand_duel:
    [{{target: 500, store: {0}}}, {{rules: [twins, strict, last], target: 450, store: {0}}}, {{target: 300}}]
  ten_thousand_race: [{{target: 1000, store: {0}}}, {{rules: strict, target: 500, store: {0}}}]
  ten_thousand_reach: [{{rules: [crocce_mordecki, strict], target: 500, turns: 3, store: {0}}}]
"""
TABLES = ["pig_duel", "pig_race", "pig_reach", "ten_thousand_duel", "ten_thousand_race", "ten_thousand_reach"]
CASES = [(table, False) for table in TABLES] + [(table, True) for table in TABLES if table.startswith("ten_thousand")]
ROLLS = [*kept_rolls.ROLLS[::17], "1", "5", "15", "11355", "123", "6"]

LAST_TURN = {"rules": "last", "target": 450, "me": 350, "opponent": 450, "turn_total": 0, "roll": "115"}
MISSING = [
    ("pig_duel", {"target": 25, "me": 3, "opponent": 4, "turn_total": 1}),
    ("pig_duel", {"target": 25, "me": 3, "opponent": 4, "turn_total": 22}),
    ("pig_duel", {"target": 25, "me": 30, "opponent": 4, "turn_total": 2}),
    ("pig_duel", {"target": 25, "me": 3, "opponent": -4, "turn_total": 2}),
    ("pig_duel", {"target": 14, "dice": 2, "me": 3, "opponent": 0, "turn_total": 3}),
    ("pig_duel", {"target": 25, "me": 3, "opponent": 4, "turn_total": 10**18}),
    ("pig_reach", {"target": 20, "turns": 3, "turns_left": 4, "banked": 4, "turn_total": 10}),
    ("pig_reach", {"target": 20, "turns": 3, "turns_left": 0, "banked": 4, "turn_total": 10}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 50, "dice": 2}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 75, "dice": 2}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 0, "dice": 4}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 100, "dice": 9}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 50, "roll": "15"}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 0, "roll": "22346"}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 450, "roll": "15"}),
    ("ten_thousand_duel", {"target": 500, "me": 55, "opponent": 100, "turn_total": 0, "roll": "11355"}),
    ("ten_thousand_duel", {"target": 500, "me": 50, "opponent": 100, "turn_total": 30, "roll": "11355"}),
    ("ten_thousand_duel", {"rules": "last", "target": 450, "me": 0, "opponent": 500, "turn_total": 550, "roll": "1"}),
    ("ten_thousand_duel", {"rules": "last", "target": 450, "me": 450, "opponent": 500, "turn_total": 0, "roll": "115"}),
    ("ten_thousand_duel", {"rules": "last", "target": 450, "me": 50, "opponent": 750, "turn_total": 0, "dice": 3}),
]


def made(factory, store) -> Path:
    return grids.of(f"by_{store}", grids.CROCCE_MORDECKI + CONFIG.format(store))(factory)


def positions(db, table, count, roll=False):
    """About `count` positions with their parameters, as dicts, spread over the rows of a table; `roll` replaces the
    number of dice by rolls."""
    described = db.describe(table)
    keys = ", ".join(c["name"] for c in (*described["parameters"], *described["columns"]))
    every = max(1, db.rows(f"SELECT count(*) FROM {table}")[1][0][0] // count)
    names, found = db.rows(
        f"SELECT {keys} FROM (SELECT *, row_number() OVER () AS n FROM {table}) WHERE n % {every} = 0"
    )
    asked = [dict(zip(names, row, strict=True)) for row in found]
    if not roll:
        return asked
    with_dice = ((position, position.pop("dice")) for position in asked[::3])
    return [position | {"roll": roll} for position, dice in with_dice for roll in ROLLS if len(roll) == dice]
