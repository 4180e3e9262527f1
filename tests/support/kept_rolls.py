"""Rolls of Ten Thousand and their legal keeps, by the reference's rules, and small matches to ask about."""

from itertools import combinations, combinations_with_replacement

from reference import matches
from reference import ten_thousand as paper
from reference.matches_ten_thousand import CHIP, ten_thousand
from support import grids

TURN = ten_thousand()
RACE, REACH, DUEL = "ten_thousand_race", "ten_thousand_reach", "ten_thousand_duel"
ROLLS = ["".join(roll) for n in range(1, 6) for roll in combinations_with_replacement("123456", n)]

CONFIG = (
    grids.CROCCE_MORDECKI
    + """\
      # Two ways to the same points with as many dice left, and to the same points with another number of dice.
      twins:
        dice: 3
        combinations: {"1": 100, "2": 100, "33": 100}

tables:
  ten_thousand_race:
    - {target: [200, 500], slice_by: []}
  ten_thousand_reach:
    - {target: 500, turns: 3}
  ten_thousand_duel:
    - {target: [300, 500], slice_by: [target]}
    - {rules: twins, target: 300}
  pig_race: [{target: 30}]
  pig_reach: [{target: [25, 30], turns: [4, 6], slice_by: []}, {target: 10, turns: 4, dice: 2}]
  pig_duel: [{target: [10, 20, 30], slice_by: []}, {target: [8, 12], dice: 2, slice_by: [dice]}]
  hog_race: [{target: 20, max_dice: 4}]
  hog_reach: [{target: 20, max_dice: 4, throws: 4}]
  hog_duel: [{target: 12, max_dice: 3, on_one: [nothing, all]}]
  hog_simultaneous: [{target: 7, max_dice: 3, on_one: [nothing, all]}]
"""
)

results = grids.of("rolls", CONFIG)


def kept(roll):
    """{text of a keep: (points, dice to roll next)} by the reference's configurations."""
    found = {}
    for n in range(1, len(roll) + 1):
        for part in {*combinations(roll, n)}:
            i = paper.configuration(map(int, part))
            if paper.d(i) == n:
                found["".join(part)] = CHIP * paper.s(i), len(roll) - n or paper.DICE
    return {roll: found[roll]} if roll in found else found


def solved():
    """{table: (points columns, parameters, decisions of the reference, sense)}."""
    return {
        RACE: (["banked"], {"target": 500}, matches.race(TURN, 500, float)[1], -1),
        REACH: (["turns_left", "banked"], {"target": 500, "turns": 3}, matches.reach(TURN, 500, 3, float)[1], 1),
        DUEL: (["me", "opponent"], {"target": 500}, matches.duel(TURN, 500, float)[1], 1),
    }
