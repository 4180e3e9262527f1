"""A small grid of every table there can be, and positions spread over each table."""

from pathlib import Path

from dicebase.tables.names import known_tables
from support import grids

CONFIG = """
definitions:
  ten_thousand:
    rules:
      pocket: {dice: 3, combinations: {"1": 100, "5": 50, "11": 300}}
      in_row: {dice: 2, combinations: {"1": 100, "5": 50}, least_bank: 100, lost_in_row: [0, 100]}
    policies: {league: [optimal, hold_at_150]}
  pass_the_pigs:
    pigs: {derepas: {side: 615, dot: 471, trotter: 128, razorback: 411, snouter: 46, jowler: 17}}
    policies: {league: [optimal, hold_at_20]}
  pig: {policies: {league: [optimal, hold_at_5]}}
  yahtzee:
    rules:
      pocket:
        dice: 3
        sides: 3
        boxes:
          - twos: {face: 2}
          - threes: {face: 3}
          - three_of_a_kind: {of: aaa, points: 20}
          - run: {run: 3, points: 15}
        upper_bonus: {at: 8, points: 5}
        further: {box: three_of_a_kind, points: 10, joker: forced}
  hog: {policies: {league: [optimal, always_2]}}

tables:
  bear_off_duel: [{checkers: 1}]
  bear_off_duel_distribution: [{checkers: 1}]
  bear_off_duel_matchups: [{checkers: 1}]
  bear_off_rolls: [{checkers: [1, 2], slice_by: []}]
  bear_off_rolls_distribution: [{checkers: [1, 2], slice_by: []}]
  cant_stop_turns: [{shortest: [1, 2], goal: 2, slice_by: []}]
  cant_stop_turns_distribution: [{shortest: 1}]
  cards_up_turns: [{cards: [3, 4], slice_by: []}]
  cards_up_turns_distribution: [{cards: 3}]
  decathlon_attempts_points: [{event: discus, attempts: 1}]
  decathlon_attempts_points_distribution: [{event: discus, attempts: 1}]
  decathlon_heights_points: [{event: high_jump}]
  decathlon_heights_points_distribution: [{event: high_jump}]
  decathlon_races_points: [{event: [1500_metres, 400_metres], slice_by: []}]
  decathlon_races_points_distribution: [{event: 1500_metres}]
  decathlon_shot_put_points: [{attempts: 2, dice: [2, 3], slice_by: []}]
  decathlon_shot_put_points_distribution: [{attempts: 2, dice: 2}]
  einstein_duel: [{size: [2, 3], slice_by: []}]
  einstein_duel_distribution: [{}]
  einstein_duel_matchups: [{}]
  forbidden_multiple_turn: [{multiple: [4, 7], slice_by: []}]
  hog_duel: [{target: 15, max_dice: 3, on_one: [nothing, all]}]
  hog_duel_matchups: [{target: 15, max_dice: 3}]
  hog_hidden: [{target: 10, max_dice: 3, horizon: 8}]
  hog_race: [{target: 20, max_dice: [3, 5], slice_by: []}]
  hog_reach: [{target: 20, throws: 5, max_dice: 3}]
  hog_simultaneous: [{target: 10, max_dice: 4}]
  hog_simultaneous_matchups: [{target: 10, throws: 4, max_dice: 3}]
  hog_turn: [{max_dice: [5, 6], slice_by: []}]
  pass_the_pigs_duel: [{target: [20, 30], slice_by: []}]
  pass_the_pigs_duel_matchups: [{target: 20}]
  pass_the_pigs_duel_scores: [{target: 20}]
  pass_the_pigs_duel_turns: [{target: 20}]
  pass_the_pigs_long_run: [{}]
  pass_the_pigs_race: [{target: 30}]
  pass_the_pigs_reach: [{target: 30, turns: 3}]
  pass_the_pigs_turn: [{}]
  pig_duel: [{target: [10, 20], slice_by: []}, {dice: 2, target: 10}]
  pig_duel_matchups: [{target: 12}]
  pig_duel_scores: [{target: 12}, {target: 10, dice: 2}]
  pig_duel_turns: [{target: 12}]
  pig_long_run: [{sides: [4, 6], slice_by: []}]
  pig_race: [{target: 20}]
  pig_reach: [{target: 20, turns: 4}]
  pig_turn: [{sides: [4, 6], dice: [1, 2], slice_by: [dice]}]
  risk_gain: [{attackers: 4, defenders: 4, victory: [2, 5], slice_by: []}]
  risk_gain_distribution: [{attackers: 4, defenders: 4, victory: 2}]
  risk_left: [{attackers: 4, defenders: 4}]
  risk_left_distribution: [{attackers: 4, defenders: 4}]
  risk_win: [{attackers: 4, defenders: [2, 4], slice_by: []}]
  risk_win_distribution: [{attackers: 4, defenders: 2}]
  royal_ur_duel: [{before: 1, middle: 2, after: 1, dice: [1, 2], slice_by: []}]
  royal_ur_duel_distribution: [{before: 1, middle: 2, after: 1, dice: 1}]
  royal_ur_duel_matchups: [{before: 1, middle: 2, after: 1, dice: 1}]
  royal_ur_layers: [{pieces: 2, before: 1, middle: 2, after: 1, dice: 2}]
  shut_the_box_score: [{tiles: [3, 4], slice_by: []}]
  shut_the_box_score_distribution: [{tiles: 3}]
  shut_the_box_win: [{tiles: 6, one_die: [sum_at_most_6, above_6_shut]}]
  shut_the_box_win_distribution: [{tiles: 3}]
  ten_thousand_duel: [{rules: pocket, target: [500, 1000], slice_by: [rules]}]
  ten_thousand_duel_matchups: [{rules: pocket, target: 500}]
  ten_thousand_duel_scores: [{rules: pocket, target: 500}]
  ten_thousand_duel_turns: [{rules: pocket, target: 500}]
  ten_thousand_long_run: [{rules: [pocket, in_row], slice_by: []}]
  ten_thousand_race: [{rules: pocket, target: 1000}]
  ten_thousand_reach: [{rules: pocket, target: 1000, turns: 3}]
  ten_thousand_turn: [{rules: pocket, moves: [stop_roll, all]}]
  ten_times_eighteen_distribution: [{slots: 4}]
  ten_times_eighteen_exceed: [{slots: [3, 4], slice_by: []}]
  ten_times_eighteen_rank: [{slots: 6}]
  ten_times_eighteen_score: [{slots: [4, 5], slice_by: []}, {slots: 15}]
  ten_times_eighteen_versus: [{slots: 4}]
  ten_times_eighteen_versus_matchups: [{slots: 3}]
  think_points: [{turns: [1, 2], slice_by: []}]
  yahtzee_distribution: [{rules: pocket}]
  yahtzee_exceed: [{rules: pocket}]
  yahtzee_losses: [{rules: pocket}]
  yahtzee_score: [{rules: pocket}]
  think_points_distribution: [{turns: 1}]
  yahtzee_versus: [{rules: pocket}]
  yahtzee_versus_matchups: [{rules: pocket}]
"""
TABLES = sorted(known_tables())
ROWS = 30
CASES = [(table, False) for table in TABLES]
CASES += [(f"ten_thousand_{match}", True) for match in ("race", "reach", "duel")] + [("yahtzee_score", True)]


def every_table(factory) -> Path:
    """The read-only results folder of the grid."""
    return grids.once(factory, "every_table", lambda f: grids.build(f / "results", CONFIG)) / "results"


def positions(db, table, roll=False):
    """(rows of the view spread over a table, parameters and state of each); where asked for, rolls for the dice."""
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
