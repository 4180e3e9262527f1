"""Wrong questions to races, reaches and duels: one clear line, exit code 2."""

import pytest

from support import commands, grids
from support.commands import error_of

CONFIG = (
    grids.CROCCE_MORDECKI
    + """
tables:
  pig_race:
    - {target: 10}
  pig_reach:
    - {target: 10, turns: 3}
  pig_duel:
    - {target: 10, dice: [1, 2], slice_by: []}
    - {target: 10, sides: 2}
  ten_thousand_duel:
    - {target: 300}
"""
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return grids.once(tmp_path_factory, "matches", lambda folder: grids.build(folder / "results", CONFIG)) / "results"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("pig_duel target=0", "pig_duel.target: 0 is not allowed; give a whole number from 1 to 100000"),
        ("pig_duel target=-10", "pig_duel.target: -10 is not allowed"),
        ("pig_duel target=100001", "give a whole number from 1 to 100000"),
        ("pig_duel target=ten", "pig_duel.target: 'ten' is not allowed"),
        ("pig_duel turns=3", "'turns' is no parameter of pig_duel"),
        ("pig_duel sides=1", "pig_duel.sides: 1 is not allowed; give a whole number from 2 to 120"),
        ("pig_duel dice=3", "pig_duel.dice: 3 is not allowed; give a whole number from 1 to 2"),
        ("pig_reach turns=0", "pig_reach.turns: 0 is not allowed; give a whole number from 1 to 1000"),
        ("pig_reach turns=1001", "pig_reach.turns: 1001 is not allowed"),
        ("pig_race target=0", "pig_race.target: 0 is not allowed"),
        ("pig_simultaneous", "there is no table 'pig_simultaneous'"),
        ("ten_thousand_duel target=0", "ten_thousand_duel.target: 0 is not allowed"),
        ("ten_thousand_duel moves=all", "'moves' is no parameter of ten_thousand_duel"),
        ("ten_thousand_duel rules=nosuch", "ten_thousand_duel.rules: 'nosuch' is not defined"),
    ],
)
def test_a_match_that_is_none_is_not_solved(capsys, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(commands.ROOT)
    assert message in error_of(capsys, "solve", *words.split(), "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("pig_duel me=10 opponent=0 turn_total=0", "less than the target of 10"),
        ("pig_duel me=0 opponent=10 turn_total=0", "less than the target of 10"),
        ("pig_duel me=-1 opponent=0 turn_total=0", "whole number from 0"),
        ("pig_duel me=4 opponent=0 turn_total=6", "6 points end the match: with a turn total of 6 it is over"),
        ("pig_duel me=4 opponent=0 turn_total=60", "6 points end the match: with a turn total of 60 it is over"),
        ("pig_duel me=0 opponent=0 turn_total=1", "no turn comes to this position"),
        ("pig_duel me=0 opponent=0 turn_total=-2", "no turn comes to this position"),
        ("pig_duel dice=2 me=0 opponent=0 turn_total=3", "no turn comes to this position"),
        ("pig_duel sides=2 me=3 opponent=0 turn_total=0", "a multiple of 2 from 0, less than the target of 10"),
        ("pig_duel me=0 opponent=0", "'turn_total' is missing; a position needs me, opponent, turn_total"),
        ("pig_duel me=0 turn_total=0 banked=0", "'banked' is no parameter or state column"),
        ("pig_duel me=zero opponent=0 turn_total=0", "me='zero' is not a whole number"),
        ("pig_race banked=10 turn_total=0", "banked is a whole number from 0, less than the target of 10"),
        ("pig_race banked=2 turn_total=8", "8 points end the match"),
        ("pig_reach turns_left=0 banked=0 turn_total=0", "turns_left is from 1 to 3"),
        ("pig_reach turns_left=4 banked=0 turn_total=0", "turns_left is from 1 to 3"),
        ("pig_reach turns_left=3 banked=10 turn_total=0", "banked is a whole number from 0"),
        ("ten_thousand_duel me=25 opponent=0 turn_total=0 dice=5", "a multiple of 50 from 0, less than the target"),
        ("ten_thousand_duel me=0 opponent=0 turn_total=75 dice=4", "no turn comes to this position"),
        ("ten_thousand_duel me=0 opponent=0 turn_total=50 dice=5", "no turn comes to this position"),
        ("ten_thousand_duel me=0 opponent=0 turn_total=50 dice=6", "no turn comes to this position"),
        ("ten_thousand_duel me=250 opponent=0 turn_total=50 dice=4", "50 points end the match"),
        ("ten_thousand_duel me=0 opponent=0 turn_total=50", "'dice' or 'roll' is missing"),
    ],
)
def test_a_position_that_is_none_is_told_why(capsys, results, words, message):
    table, *state = words.split()
    target = "target=300" if table == "ten_thousand_duel" else "target=10"
    turns = ["turns=3"] if table == "pig_reach" else []
    assert message in error_of(capsys, "lookup", table, target, *turns, *state, "--results", results)
