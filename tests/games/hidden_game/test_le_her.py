"""A further game of hidden information takes one rules file: Le Her is solved, certified and looked up."""

from fractions import Fraction
from pathlib import Path

import pytest

import dicebase
from dicebase.cli import main
from support import own_games

# Bellhouse and Fillion (2015), Le Her and other problems in probability discussed by Bernoulli, Montmort and
# Waldegrave, Statistical Science 30(1): Paul's chance by what he does with a seven (change, keep) and what Pierre does
# with an eight (change, keep), times 13 * 17 * 25.
(A, B), (C, D) = (2828, 2838), (2834, 2828)


def test_le_her_has_the_value_and_the_mixes_of_the_18th_century():
    with own_games.known(Path(__file__).parent / "games"), dicebase.solve("le_her_duel") as solved:
        ((value, bound),) = solved.sql("SELECT value, error_bound FROM tables").fetchall()
        paul, pierre = (
            {row["action"]: row["probability"] for row in solved.lookup(position)["actions"]}
            for position in ("1 7 -", "2 8 keep")
        )
    exact = Fraction(A * D - B * C, (A + D - B - C) * 13 * 17 * 25)
    assert abs(Fraction(value) - (2 * exact - 1)) <= Fraction(bound) < 1e-13
    assert paul["change"] == pytest.approx(float(Fraction(D - C, A + D - B - C)), abs=1e-12)
    assert pierre["change"] == pytest.approx(float(Fraction(D - B, A + D - B - C)), abs=1e-12)


def test_its_file_can_be_tried(capsys):
    path = Path(__file__).parent / "games" / "le_her.py"
    with own_games.known(path.parent):
        assert main(["try", str(path), "ranks=3"]) == 0
    said = capsys.readouterr().out.splitlines()
    # Nine deals, and then two actions of player 1.
    assert [line.split() for line in said[-3:]] == [["0", "9"], ["1", "18"], ["27", "in", "all"]]
