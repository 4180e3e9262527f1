"""Scoring tables of one die and of two share one table of duels; a position always names the dice."""

import dicebase
from dicebase.pipeline.checks.verify import verify_tables
from support import grids

CONFIG = """
definitions:
  ten_thousand:
    rules:
      single: {dice: 1, combinations: {"1": 100, "5": 50}}
      twins: {dice: 2, combinations: {"1": 100, "5": 50, "11": 300}}
tables:
  ten_thousand_duel:
    - {rules: [single, twins], target: 200}
"""


def test_they_are_solved_verified_and_answered_together(tmp_path):
    grids.build(tmp_path / "results", CONFIG)
    with dicebase.open(tmp_path / "results") as db:
        for rules, dice in (("single", 1), ("twins", 2)):
            answer = db.lookup("ten_thousand_duel", rules=rules, target=200, me=0, opponent=0, turn_total=0, dice=dice)
            call = f"ten_thousand_duel_at(0, 0, 0, dice := {dice}, rules := '{rules}', target := 200)"
            assert (
                [row[0] for row in db.rows(f"FROM {call}")[1]] == [a["action"] for a in answer["actions"]] == ["roll"]
            )
        rolled = db.lookup("ten_thousand_duel", rules="single", target=200, me=0, opponent=0, turn_total=0, roll="5")
        assert {a["action"] for a in rolled["actions"]} == {"keep 5, bank", "keep 5, roll 1"}
    found = list(verify_tables(tmp_path / "results"))
    assert len(found) == 5 and not any(finding.problem for finding in found)
