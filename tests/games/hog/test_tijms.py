"""Tijms and van der Wal's paper, what differs and what the text says, beside our tables and the reference."""

from fractions import Fraction

import numpy as np
import pytest

from reference import hog as paper
from reference.hog_simultaneous import Simultaneous
from support import papers_tijms
from support.hog_rounds import payoffs, stage
from support.papers_tijms import LAST_DIGIT, SHOW, G, best, chances, replies, rounds, state, table
from support.printed import agrees, read

# --- Table 5 -----------------------------------------------------------------------------------------------------


def test_the_twelve_numbers_are_off_by_less_than_a_unit_of_the_last_digit():
    printed = {(row["row"], row["column"], int(row["dice"])): row["printed"] for row in read("tijms_table_5")}
    for row, column, dice in LAST_DIGIT:
        ours = Fraction(rounds().mix[state(row, column)][dice - 1])
        assert Fraction("0.0005") < abs(Fraction(printed[row, column, dice]) - ours) < Fraction("0.00061")


def test_the_example_repeats_a_number_of_table_5():
    text = {row["name"]: row["printed"] for row in read("tijms_text")}
    place = text["example_row"], text["example_column"]
    mix = {r["dice"]: r["printed"] for r in read("tijms_table_5") if (r["row"], r["column"]) == place}
    assert place == ("G-1", "G-3") and [text[f"example_{d}_dice"] for d in "245"] == [mix[d] for d in "245"]


def printed_mixes() -> dict[tuple[str, str], np.ndarray]:
    """The mixes as printed; a number that is lost counts as ours, and what is left of 1 as rounded away."""
    found = {}
    for row in read("tijms_table_5"):
        place = row["row"], row["column"]
        ours = rounds().mix[state(*place)]
        mix = found.setdefault(place, ours.copy())
        if row["legible"] == "yes":
            mix[int(row["dice"]) - 1] = float(row["printed"])
    return {place: mix / mix.sum() for place, mix in found.items()}


def test_the_printed_mixes_guarantee_the_value_up_to_the_last_digit():
    losses = {}
    for place, mix in printed_mixes().items():
        at = state(*place)
        M, p = payoffs(*at, 5, rounds().value)
        losses[place] = rounds().value[at] - ((mix @ M) / (1 - mix @ p)).min()
    assert len(losses) == 169 and min(losses.values()) > -1e-12
    assert max(losses.values()) < 0.0004
    assert max(losses[row, column] for row, column, _ in LAST_DIGIT) < 0.00014


def test_the_optimal_mixes_of_table_5_are_unique_and_do_not_depend_on_the_target():
    near = slice(-papers_tijms.FAR, None)
    assert rounds().unique[near, near].all()
    for target in (13, 26, 100):
        assert (stage(target, 5).mix[near, near] == rounds().mix[near, near]).all()


def test_the_twelve_numbers_stand_in_nine_mixes_six_of_which_were_made_to_add_to_one():
    printed, computed = {}, {}
    for row in read("tijms_table_5"):
        place = row["row"], row["column"]
        x = float(rounds().mix[state(*place)][int(row["dice"]) - 1])
        printed.setdefault(place, []).append(Fraction(row["printed"] or 0))
        computed.setdefault(place, []).append(Fraction(round(1000 * x), 1000))
    places = {(row, column) for row, column, _ in LAST_DIGIT}
    assert len(places) == 9 and all(sum(printed[place]) == 1 for place in places)
    forced = {place for place in places if sum(computed[place]) != 1}
    assert forced == places - {("G-9", "G-4"), ("G-8", "G-3"), ("G-7", "G-4")}


def test_two_states_with_the_same_mix_are_printed_differently():
    one, other = state("G-4", "G-3"), state("G-3", "G-2")
    assert rounds().value[one] == pytest.approx(rounds().value[other], abs=1e-15)
    assert rounds().mix[one] == pytest.approx(rounds().mix[other], abs=1e-14)
    printed = {
        place: [r["printed"] for r in read("tijms_table_5") if (r["row"], r["column"]) == place and r["dice"] in "235"]
        for place in (("G-4", "G-3"), ("G-3", "G-2"))
    }
    assert list(printed.values()) == [["0.196", "0.064", "0.740"], ["0.196", "0.065", "0.739"]]


def test_the_numbers_of_table_5_are_the_references():
    exact = Simultaneous(6, 5)
    for at in exact.mix:
        mix = rounds().mix[at[0] + G - 6, at[1] + G - 6]
        assert np.abs(mix - np.array(exact.mix[at], float)).max() < 1e-12


# --- one player --------------------------------------------------------------------------------------------------


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
    """With one die at 39 it reads V = (1 + V) / (5/6), which is -6."""
    V = {i: table("race", target=G, max_dice=SHOW)[i,][1].value for i in range(G)}
    for i in range(G):
        d = best("race", i, target=G, max_dice=SHOW)[0]
        later = sum(float(p) * V.get(i + j, 0) for j, p in chances(d).items() if j)
        stays = float(chances(d)[0])
        assert (1 + later) / (1 - stays) == pytest.approx(V[i], abs=1e-12)
        assert abs((1 + V[i] + later) / (1 - stays) - V[i]) > 1
    # V = (1 + V) / (1 - q_0) has the solution -1 / q_0.
    assert -1 / chances(1)[0] == -6 and V[39] == 1.2


def test_table_3_is_of_ten_dice():
    wider = {"target": G, "max_dice": 11, "throws": 6}
    other = {(L, i) for L in range(1, 7) for i in range(G) if best("reach", L, i, **wider)[0] > SHOW}
    assert other == {(1, 0), (1, 1), (1, 2), (1, 3)}
    printed = {(row["L"], row["i"]): row["printed"] for row in read("tijms_table_3") if row["name"] == "P"}
    value = Fraction(table("reach", **wider)[1, 0][1].value)
    assert printed["1", "0"] == "0.088" and agrees("0.1116", value)


def test_no_two_numbers_of_dice_are_tied_in_table_3():
    assert all(ranked.margin > 1e-5 for _, ranked, _ in table("reach", target=G, max_dice=SHOW, throws=6).values())


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


# --- two players -------------------------------------------------------------------------------------------------


def test_the_game_is_over_as_soon_as_one_player_has_the_target():
    """Section 4 has the payoff-zone as min{a, b} >= G; by equation (1) it is max{a, b} >= G."""
    game = papers_tijms.build("hog", "simultaneous", {"target": G})
    outcomes = list(game.outcomes(game.afterstate((38, 0), ("1", "1"))))
    won = [o for o in outcomes if o.state is None]
    assert {o.reward for o in won} == {1} and sum(o.weight for o in won) == 5 * 6
    assert all(max(o.state) < G for o in outcomes if o.state is not None)


def test_whoever_throws_a_fixed_number_at_the_last_point_loses_by_one_die_more_or_by_one():
    answers = {d: min(of, key=of.get) for d, of in replies().items()}
    assert answers == {d: d + 1 if d < 5 else 1 for d in range(1, SHOW + 1)}
    assert {d: min(of.values()) for d, of in replies().items()} == {
        d: low for d, (low, _) in Simultaneous(1, SHOW).deterministic(0, 0).items()
    }
    # So it is whenever no player may throw more than 5 dice.
    assert {d: min(of.values()) for d, of in replies(5).items()} == {
        d: min(of.values()) for d, of in replies().items() if d <= 5
    }


def test_at_the_last_point_both_throw_2_3_or_5_dice():
    for dice in (5, 10, 20):
        mix = rounds(dice).mix[G - 1, G - 1]
        assert [d + 1 for d in np.flatnonzero(mix)] == [2, 3, 5]
        assert [f"{x:.5f}" for x in mix if x] == ["0.17558", "0.05294", "0.77148"]


def farthest(dice: int, target: int = 60) -> tuple[int, int] | None:
    """(the most points any player lacks, the most both lack) where somebody has to randomise."""
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
    # Even where both lack more than 13 points.
    assert all(far[dice][1] > papers_tijms.FAR for dice in range(6, 11))


def test_with_ten_dice_somebody_randomises_at_the_start_of_26_and_of_38():
    ours = stage(38, SHOW)
    assert ours.mix[12, 37].round(4)[8:].tolist() == [0.5576, 0.4424]  # G-26 against G-1
    assert ours.mix[1, 4].round(4)[[4, 8]].tolist() == [0.5275, 0.4725]
    assert ours.mix[4, 1].round(4)[[7, 8]].tolist() == [0.9273, 0.0727]
