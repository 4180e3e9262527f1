"""Statements of Tijms and van der Wal's paper that differ from the tables; G is the target, D the most dice."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dicebase.games.hog import Rules
from reference import hog as paper
from support.contract_throws import build, tabulated
from support.contract_turns import read_rows
from support.hog_rounds import Stage, stage
from support.printed import agrees, read

G, SHOW, SMALL = 40, 10, 5  # Tables 2 to 4 have the dice of the show, Table 5 has five dice
FAR = 13  # Table 5 goes from G - 13 to G - 1


def chances(dice: int) -> dict[int, Fraction]:
    """{gain: probability} of one throw."""
    weights = Rules(max_dice=dice).gains(dice)
    return {gain: Fraction(weight, sum(weights.values())) for gain, weight in weights.items()}


@cache
def table(match: str, **variant: int) -> dict[tuple, tuple]:
    """A published table: {state: (throws, ranking, probabilities)}."""
    return read_rows(tabulated("hog", match, variant))


@cache
def rounds(dice: int = SMALL) -> Stage:
    """Simultaneous throws to 40 points."""
    return stage(G, dice)


def state(row: str, column: str) -> tuple[int, int]:
    """The state of two totals such as G-3."""
    return G + int(row[1:]), G + int(column[1:])


def best(match: str, *at: int, **variant: int) -> list[int]:
    """The optimal numbers of dice."""
    throws, ranked, _ = table(match, **variant)[at]
    return [int(throw) for throw, optimal in zip(throws, ranked.optimal, strict=True) if optimal]


def test_the_example_repeats_a_number_of_table_5():
    text = {row["name"]: row["printed"] for row in read("tijms_text")}
    place = text["example_row"], text["example_column"]
    mix = {r["dice"]: r["printed"] for r in read("tijms_table_5") if (r["row"], r["column"]) == place}
    assert place == ("G-1", "G-3") and [text[f"example_{d}_dice"] for d in "245"] == [mix[d] for d in "245"]


def test_the_twelve_numbers_stand_in_nine_mixes_six_of_which_were_made_to_add_to_one():
    printed, rounded, differ = {}, {}, []
    for row in read("tijms_table_5"):
        place = row["row"], row["column"]
        ours = float(rounds().mix[state(*place)][int(row["dice"]) - 1])
        printed.setdefault(place, []).append(Fraction(row["printed"] or 0))
        rounded.setdefault(place, []).append(Fraction(round(1000 * ours), 1000))
        if row["legible"] == "yes" and not agrees(row["printed"], Fraction(ours)):
            differ.append(place)
    places = set(differ)
    assert (len(differ), len(places)) == (12, 9) and all(sum(printed[place]) == 1 for place in places)
    forced = {place for place in places if sum(rounded[place]) != 1}
    assert forced == places - {("G-9", "G-4"), ("G-8", "G-3"), ("G-7", "G-4")}


def test_table_1_prints_the_chance_of_a_score_under_the_name_of_its_complement():
    for row in read("tijms_table_1"):
        q_0 = chances(int(row["d"]))[0]
        assert q_0 == paper.gains(int(row["d"]))[0] == 1 - Fraction(5, 6) ** int(row["d"])
        assert agrees(row["q0"], 1 - q_0) and not agrees(row["q0"], q_0)


def test_where_two_numbers_of_dice_are_equally_good_table_2_prints_the_larger():
    tied = {i: best("race", i, target=G, max_dice=SHOW) for i in range(G)}
    tied = {i: dice for i, dice in tied.items() if len(dice) > 1}
    assert tied == {37: [1, 2], 33: [2, 3]}
    printed = {int(row["i"]): int(row["d"]) for row in read("tijms_table_2")}
    assert all(printed[i] == max(dice) for i, dice in tied.items())
    assert table("race", target=G, max_dice=7)[0,][1].value == table("race", target=G, max_dice=SHOW)[0,][1].value


def test_the_second_equation_of_section_3_1_has_a_value_too_many():
    """With one die at 39 it reads V = (1 + V) / (5/6), whose solution is -6."""
    V = {i: table("race", target=G, max_dice=SHOW)[i,][1].value for i in range(G)}
    for i in range(G):
        d = best("race", i, target=G, max_dice=SHOW)[0]
        later = sum(float(p) * V.get(i + j, 0) for j, p in chances(d).items() if j)
        stays = float(chances(d)[0])
        assert (1 + later) / (1 - stays) == pytest.approx(V[i], abs=1e-12)
        assert abs((1 + V[i] + later) / (1 - stays) - V[i]) > 1
    # V = (1 + V) / (1 - q_0) has the solution -1 / q_0.
    assert -1 / chances(1)[0] == -6 and V[39] == 1.2


def test_the_sentence_on_a_first_throw_that_fails_is_right_one_throw_later():
    """'You continue with 5 dice in the next throw. If then the score is 17 ... 5 dice again, but if it is 22 ... 4'."""
    reach = {"target": G, "max_dice": SHOW, "throws": 6}
    dice = {(L, i): best("reach", L, i, **reach) for L in (3, 4, 5, 6) for i in (0, 17, 22)}
    assert (dice[6, 0], dice[5, 0]) == ([4], [5])
    assert (dice[4, 17], dice[4, 22]) == ([4], [3])
    assert (dice[3, 17], dice[3, 22]) == ([5], [4])
    said = {i: table("reach", **reach)[4, i][1].q_values for i in (17, 22)}
    worth = (said[17][3], said[17][4], said[22][2], said[22][3])
    assert " ".join(f"{q:.5f}" for q in worth) == "0.79401 0.78687 0.86905 0.86593"
    # Table 3 itself has 4 and 3 dice there.
    printed = {(r["L"], r["i"]): r["printed"] for r in read("tijms_table_3") if r["name"] == "d"}
    assert (printed["4", "17"], printed["4", "22"], printed["3", "17"], printed["3", "22"]) == ("4", "3", "5", "4")


def test_the_game_is_over_as_soon_as_one_player_has_the_target():
    """Section 4 has the payoff-zone as min{a, b} >= G; by equation (1) it is max{a, b} >= G."""
    game = build("hog", "simultaneous", {"target": G})
    outcomes = list(game.outcomes(game.afterstate((38, 0), ("1", "1"))))
    won = [o for o in outcomes if o.state is None]
    assert {o.reward for o in won} == {1} and sum(o.weight for o in won) == 5 * 6
    assert all(max(o.state) < G for o in outcomes if o.state is not None)


def farthest(dice: int, target: int = 60) -> tuple[int, int] | None:
    """(most points that either player lacks, most that both lack) among the states where a player must randomise."""
    ours = stage(target, dice)
    mixed = target - np.argwhere((ours.mix > 0).sum(axis=2) > 1)
    assert (ours.unique | ((ours.mix > 0).sum(axis=2) == 1)).all(), "a mix that is not needed"
    return (int(mixed.max()), int(mixed.min(axis=1).max())) if len(mixed) else None


def test_nobody_randomises_below_g_13_with_up_to_five_dice_and_some_do_with_more():
    far = {dice: farthest(dice) for dice in range(1, 11)}
    assert {dice: where for dice, where in far.items() if dice <= 6} == {
        1: None,
        2: None,
        3: None,
        4: (9, 3),
        5: (12, 7),
        6: (34, 21),
    }
    # Some must randomise even if both lack more than 13 points.
    assert all(far[dice][1] > FAR for dice in range(6, 11))
