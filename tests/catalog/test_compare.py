"""The view `compare`: published values of several rule sets of a game, and numbers derived from their rows."""

import json

import pytest

from dicebase.policies.card_of_turns import CardOfTurns
from dicebase.show.report import compared
from support.every_table import every_table

GRID = every_table


def test_compare_has_the_values_of_each_rule_set(db):
    names, rows = db.rows("FROM compare WHERE game = 'pig' AND rules = '{\"sides\": 6, \"dice\": 1}'")
    row, *_ = (dict(zip(names, row, strict=True)) for row in rows)
    # The optimal turn holds at 20; one of the six faces loses the turn.
    assert json.loads(row["hold_at"]) == {"0": 20} and row["lost"] == 1 / 6
    (duel,) = (
        t["value"] for t in db.tables("pig_duel") if t["parameters"] == {"sides": 6, "dice": 1, "target": row["target"]}
    )
    assert row["duel"] == duel and row["advantage"] == pytest.approx(2 * duel - 1)


def test_compare_says_from_which_total_to_stop(db):
    ((turn, lost, hold_at),) = db.rows(
        "SELECT DISTINCT turn, lost, hold_at FROM compare WHERE game = 'ten_thousand' AND turn IS NOT NULL"
    )[1]
    rules = next(v.game.rules for v in db.solved("ten_thousand_turn").variants if v.parameters["moves"] == "all")
    card = CardOfTurns.of(rules)  # from rationals, without a table
    assert turn == pytest.approx(card.best, rel=1e-14) and lost == 8 / 27
    known = {str(row["hand"]): row["from"] for row in card.stops}
    assert json.loads(hold_at) == known


def test_the_page_compares_in_words(db):
    said = {tuple(row[:2]): row for row in compared(db)}
    assert said["pig", "sides: 6, dice: 1"][6] == "20"
    assert said["ten_thousand", "rules: pocket"][5].startswith("0.29")
