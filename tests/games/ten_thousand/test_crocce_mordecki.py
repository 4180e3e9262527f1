"""The paper's tables on Ten Thousand, every printed cell, and two algorithms written only from the paper."""

from fractions import Fraction

import pytest

from dicebase.audit.crocce_mordecki import difference_equation_base
from dicebase.matches.turns.turn import BestTurn
from dicebase.tabulate.turns import turn as tabulate_turn
from reference import ten_thousand as paper
from support import papers_crocce_mordecki as cm
from support.printed import agrees, decimals, read


@pytest.mark.parametrize("moves", cm.MOVES)
def test_a_restricted_game_equals_plain_backward_induction(moves):
    assert cm.rolled(moves)[0, 5] == paper.restricted_value(cm.MOVES[moves])
    assert next(tabulate_turn(BestTurn(cm.rules(moves)))).exact == cm.CHIP * cm.rolled(moves)[0, 5]


def test_no_other_reading_of_the_game_with_m5_gives_the_printed_value():
    readings = {
        "m5 after a roll": paper.restricted_value(["m5"]),
        "m5 again and again": paper.restricted_value(["m5"], compose=True),
        "the appendix with the labels 0 and 5": paper.grouped_algorithm(("0", "5"))[2],
        "m1 instead of m5": paper.restricted_value(["m1"]),
        "m55 instead of m5": paper.restricted_value(["m55"]),
        "m5 and m55": paper.restricted_value(["m5", "m55"]),
    }
    assert not [name for name, value in readings.items() if decimals(value, 5) == "5.80122"]


def test_the_value_of_the_game_is_printed_right_in_two_other_places():
    printed = {row["name"]: row["printed"] for row in read("crocce_mordecki_numbers")}
    rows = {(row["tau"], row["column"]): row["value"] for row in read("crocce_mordecki_table6")}
    table_4 = next(row["value"] for row in read("crocce_mordecki_table4") if row["moves"] == "all")
    value = cm.rolled()[0, 5]
    assert value == algorithm()[2] and f"{float(value):.14f}" == "5.87201891846564"
    assert agrees(printed["game_value"], value) and agrees(table_4, value) and agrees("5.872", value)
    assert rows["0", "n5"] == "5.8721" and not agrees("5.8721", value)
    assert [v for v in rows.values() if len(v.partition(".")[2]) > 3] == ["5.8721"]


@pytest.mark.parametrize(
    ("tau", "resigning", "rolling"),
    [(3, "3.44702716249303", "3.17260907497311"), (4, "4.12286909838368", "3.71048137162714")],
)
def test_with_two_fives_and_two_dice_one_resigns_a_five_where_the_last_row_says_roll(tau, resigning, rolling):
    for i in ((2, 0, 0), (1, 1, 0)):
        q = cm.q_values(tau, i, 2)
        assert q["m5"] > max(q[a] for a in q.keys() - {"m5"})
        assert (f"{float(q['m5']):.14f}", f"{float(q['r']):.14f}") == (resigning, rolling)
        V, A, _ = algorithm()
        assert (V[tau, i, 2], A[tau, i, 2]) == (q["m5"], "m5")
        assert paper.grouped_algorithm()[1]["5", tau, 2] == "m5"


def test_the_note_on_two_dice_has_one_exception():
    """The notes to Table 6: columns n = 1 and n = 2 'other i' are omitted 'since the optimal action is always s'."""
    shown = [(2, 1, 0), (1, 2, 0), (2, 0, 0), (1, 1, 0)]
    others = {1: [], 2: []}
    for (points, roll), (actions, ranked, _) in cm.production().items():
        tau, i, n = cm.paper_state(points, roll)
        action = cm.action_name(roll, actions[ranked.best])
        if (n == 1 or (n == 2 and i not in shown)) and action != "s":
            others[n].append((tau, i, action))
    assert others[1] == []
    assert set(others[2]) == {(3, (1, 0, 0), "r")}
    assert f"{float(cm.rolled()[3, 2]):.14f}" == "3.17260907497311"
    V, A, _ = algorithm()
    assert (V[3, (1, 0, 0), 2], A[3, (1, 0, 0), 2]) == (cm.rolled()[3, 2], "r")


def algorithm():
    return paper.algorithm_4_2()


def test_algorithm_4_2_has_the_value_and_action_of_every_state():
    V, A, value = algorithm()
    assert value == cm.rolled()[0, 5]
    for (points, roll), (actions, ranked, _) in cm.production().items():
        tau, i, n = cm.paper_state(points, roll)
        exact = V[tau, i, n] if tau < paper.TAU_STAR else Fraction(tau)
        # The only rounding is that of the published double.
        assert ranked.value == float(exact * cm.CHIP)
        assert cm.action_name(roll, actions[ranked.best]) == (A[tau, i, n] if tau < paper.TAU_STAR else "s")


def test_the_appendix_algorithm_has_the_same_rationals_by_label():
    V, A, value = paper.grouped_algorithm()
    assert value == cm.rolled()[0, 5]
    for (label, tau, n), worth in V.items():
        configurations = [i for i in paper.scoring(5) if paper.label(i, n) == label and paper.d(i) <= 5 - n]
        for i in configurations if label != "0" else [i for i in configurations if paper.c(i) == 1]:
            if tau >= paper.s(i):
                q = cm.q_values(tau, i, n)
                assert worth == max(q.values())
                assert q[A[label, tau, n]] == worth


def test_the_label_slip_of_the_appendix_never_shows_where_play_gets_to():
    """Lines 15 and 19 print m_55 and m_51, but (E'_55) and (E'_51) resign one five; the reference writes m5."""
    _, A, _ = paper.grouped_algorithm()
    slips = {(label, tau, n) for (label, tau, n), action in A.items() if label in ("55", "51") and action == "m5"}
    assert slips == {("55", 1, 2), ("51", 1, 2), ("51", 2, 2)}
    # The three dice that were kept score four or five chips.
    assert all(tau < paper.s(i) for _, tau, _ in slips for i in ((2, 1, 0), (1, 2, 0)))


def test_without_the_lines_11_to_13_algorithm_4_2_gives_the_stop_or_roll_game():
    """Section 5.1 says to omit lines 9, 10 and 11, but then nobody would roll fewer than five dice."""
    V = {}
    for tau in range(55, -1, -1):
        for n in range(1, 6):
            aux = paper.expectation(
                n, lambda k, left, tau=tau: V.get((tau + paper.s(k), left), Fraction(tau + paper.s(k)))
            )
            # Lines 6 to 10: stop or roll, whichever is more; line 3 always rolls five dice.
            V[tau, n] = aux if n == 5 else max(Fraction(tau), aux)
    assert V[0, 5] == cm.rolled("stop_roll")[0, 5] == paper.restricted_value(())
    assert agrees("5.576326", V[0, 5])


def test_the_base_of_the_difference_equation_is_the_root_of_another_sum():
    base = difference_equation_base()
    assert f"{float(base):.14f}" == "1.04610393498966"
    printed = Fraction("1.0646")
    assert sum(printed**k for k in range(2, 7)) > 6.4 and abs(sum(base**k for k in range(2, 7)) - 6) < Fraction(
        1, 10**18
    )
    # The paper's conclusion holds: V(0) base^tau exceeds tau for every V(0) from 8.2 on, so many V(0) are possible.
    assert all(Fraction("8.2") * base**tau > tau for tau in range(200))
