"""Forgeries of the catalogue: its rows, views, macros and comments."""

import duckdb

from support.forgeries.forgery import Forgery


def run(statement):
    """Execute a statement in the catalogue."""

    def alter(results):
        with duckdb.connect(str(results / "dicebase.duckdb")) as connection:
            connection.execute(statement)

    return Forgery(alter, ("dicebase.duckdb",))


STATEMENTS = [
    "UPDATE data.pig_turn SET value = value + 1e-12 WHERE turn_total = 4",
    "UPDATE data.pig_turn SET margin = NULL WHERE turn_total = 4",
    "UPDATE data.pig_turn_actions SET q_value = 0.99 WHERE turn_total = 4",
    "UPDATE data.pig_duel SET value = 0.99 WHERE turn_total = 0 AND me = 0 AND opponent = 0",
    "UPDATE data.pig_duel_throws SET _least = 2",
    "UPDATE data.ten_thousand_duel_ways SET _gain = _gain + 50 WHERE _roll = '5'",
    "UPDATE data.ten_times_eighteen_exceed_placements SET tolerance = 1",
    "UPDATE data.ten_times_eighteen_distribution SET probability = 0 WHERE score = 60",
    "UPDATE data.certificates SET error_bound = 0",
    "UPDATE data.certificates SET error_bound_proof = 'obvious'",
    "UPDATE data.slices SET certificate_key = '{}'",
    """DELETE FROM data.slices WHERE "table" = 'pig_turn'""",
    """DELETE FROM data.certificates WHERE "table" = 'pig_turn'""",
    "DELETE FROM data.pig_turn WHERE turn_total = 4",
    "INSERT INTO data.pig_turn SELECT * FROM data.pig_turn LIMIT 1",
    "INSERT INTO data.slices SELECT 'pig_turn', 'all', certificate_key FROM data.slices LIMIT 1",
    "CREATE OR REPLACE TABLE data.pig_turn AS SELECT * FROM data.pig_turn ORDER BY turn_total DESC",
    "CREATE OR REPLACE VIEW data.pig_turn_2 AS SELECT * FROM data.pig_turn",
    "CREATE OR REPLACE VIEW pig_turn AS SELECT * REPLACE (0.99 AS value) FROM data.pig_turn",
    "CREATE OR REPLACE MACRO sorted_dice(roll) AS '11111'",
    "CREATE OR REPLACE MACRO pig_turn_at(turn_total, sides := 6, dice := 1) AS TABLE SELECT 'hold' AS action",
    "CREATE MACRO best(total) AS 'hold'",
    "CREATE TABLE pig_race AS SELECT 1 AS value",
    "CREATE SCHEMA more",
    "CREATE SEQUENCE more",
    "DROP VIEW pig_turn_actions",
    "COMMENT ON COLUMN pig_turn.value IS 'chance of winning'",
    "COMMENT ON VIEW tables IS 'what is proved'",
    "ALTER TABLE data.pig_turn ADD COLUMN better DOUBLE",
    "INSERT INTO audit VALUES ('me', '', '', '', '', 0, 'agrees', '', '')",
]
FORGERIES = {f"catalogue: {statement}": run(statement) for statement in STATEMENTS}
