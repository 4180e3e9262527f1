"""The compiled kernel of one turn against the plain recursion, on turns made up at random and by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.games import pig
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.vocabulary import Loss, Option, Roll
from reference.one_turn import turn_values
from reference.turn import loss_chance, roll_worth
from support.contract_turns import rounding_bound
from support.random_turns import MadeUp, always, turns

BUST, WIPE = Loss.BUST, Loss.WIPE
# Every example is as good on another machine; compiling the kernel takes longer than any deadline.
made_up = settings(derandomize=True, database=None, deadline=None, max_examples=60)
points = st.integers(-20, 20)


@st.composite
def settings_of_a_turn(draw):
    """(rules, totals, and the arguments of turn_values): everything that a match could ask of the kernel."""
    rules = draw(turns())
    turn = compile_turn(rules)
    T = draw(st.integers(1, 7))
    maximise = draw(st.booleans())
    forbidden = -math.inf if maximise else math.inf
    worth = {
        "bank": np.array([draw(st.one_of(points, st.just(forbidden))) for _ in range(T)], dtype=float),
        "tail": np.array([[draw(points) for _ in rules.modes] for _ in range(turn.max_gain)], dtype=float),
        "end": np.array([draw(points) for _ in range(T + turn.max_gain)], dtype=float),
        "bust": float(draw(points)),
        "wipe": float(draw(points)),
        "maximise": maximise,
    }
    return rules, turn, T, worth


def plainly(rules, turn, T, worth):
    """The same by the recursion over the rules, in rationals (infinities apart): by (total in units, mode index)."""
    number = {x: Fraction(x) for name in ("bank", "tail", "end") for x in worth[name].flat if math.isfinite(x)}
    W = roll_worth(
        rules,
        [t * turn.unit for t in range(T - 1, -1, -1)],
        bank=lambda total: number.get(worth["bank"][total // turn.unit], worth["bank"][total // turn.unit]),
        end=lambda total: number[worth["end"][total // turn.unit]],
        beyond=lambda total, mode: number[worth["tail"][total // turn.unit - T, rules.modes.index(mode)]],
        bust=Fraction(worth["bust"]),
        wipe=Fraction(worth["wipe"]),
        choose=max if worth["maximise"] else min,
    )
    return {(total // turn.unit, rules.modes.index(mode)): w for (total, mode), w in W.items()}


@made_up
@given(settings_of_a_turn())
def test_rolling_is_worth_what_the_recursion_says(case):
    _, turn, T, worth = case
    values = turn_values(turn, **worth)
    for (t, m), w in plainly(*case).items():
        assert abs(Fraction(values.roll[t, m]) - w) <= rounding_bound(turn, T, 20)
        better = max if worth["maximise"] else min
        assert values.best[t, m] == better(values.roll[t, m], worth["bank"][t])


@made_up
@given(settings_of_a_turn())
def test_the_slopes_are_the_chances_of_the_kernels_own_choices(case):
    rules, turn, T, worth = case
    values = turn_values(turn, **worth)
    V = np.vstack([values.best, worth["tail"]])
    index = rules.modes.index

    def value(total, mode):
        return worth["end"][total // turn.unit] if mode is None else V[total // turn.unit, index(mode)]

    def rolls_on(total, mode):
        roll, bank = values.roll[total // turn.unit, index(mode)], worth["bank"][total // turn.unit]
        return roll > bank if worth["maximise"] else roll < bank

    choose = max if worth["maximise"] else min
    totals = [t * turn.unit for t in range(T - 1, -1, -1)]
    for loss, slopes in ((BUST, values.p_bust), (WIPE, values.p_wipe)):
        chances = loss_chance(rules, totals, loss, V=value, rolls_on=rolls_on, one=Fraction(1), choose=choose)
        for (total, mode), chance in chances.items():
            assert abs(Fraction(slopes[total // turn.unit, index(mode)]) - chance) <= rounding_bound(turn, T, 1)
    assert (values.p_bust + values.p_wipe <= 1 + 2 * rounding_bound(turn, T, 1)).all()


@made_up
@given(settings_of_a_turn(), st.sampled_from(("bust", "wipe")), st.integers(-9, 9))
def test_a_slope_is_a_line_that_the_value_never_falls_below(case, loss, change):
    """Any policy is worth a linear function of the loss; the best of them lies above each (below, for a minimum)."""
    _, turn, T, worth = case
    here = turn_values(turn, **worth)
    there = turn_values(turn, **{**worth, loss: worth[loss] + change})
    line = here.roll + change * (here.p_bust if loss == "bust" else here.p_wipe)
    above = (there.roll - line) * (1 if worth["maximise"] else -1)
    # Three computed numbers of at most 29 and 9 times a chance.
    assert (above >= -3 * rounding_bound(turn, T, 29)).all()


@made_up
@given(settings_of_a_turn())
def test_the_smallest_loss_is_the_largest_gain_with_the_signs_turned(case):
    _, turn, _, worth = case
    turned = {name: -worth[name] for name in ("bank", "tail", "end", "bust", "wipe")}
    values = turn_values(turn, **worth)
    mirrored = turn_values(turn, **turned, maximise=not worth["maximise"])
    # Rounding is symmetric about zero: to the last bit.
    assert (values.roll == -mirrored.roll).all() and (values.best == -mirrored.best).all()
    assert (values.p_bust == mirrored.p_bust).all() and (values.p_wipe == mirrored.p_wipe).all()


# --- by hand -----------------------------------------------------------------------------------------------------

COIN = always(Roll(1, "", (Option(1, 1),)), Roll(1, "", loss=BUST))


def test_where_banking_is_forbidden_one_rolls_on():
    # An entry minimum of three: three heads in a row or nothing, then stop.
    turn = compile_turn(COIN)
    bank = np.array([-math.inf, -math.inf, -math.inf, 3.0, 4.0])
    values = turn_values(turn, bank, np.array([[5.0]]))
    assert values.roll[:, 0].tolist() == [3 / 8, 3 / 4, 3 / 2, 2, 2.5]
    assert values.best[:, 0].tolist() == [3 / 8, 3 / 4, 3 / 2, 3, 4]
    assert values.p_bust[:, 0].tolist() == [7 / 8, 3 / 4, 1 / 2, 1 / 2, 1 / 2]


def test_what_a_bust_is_worth_counts():
    # Chances to win: 1/2 after banking nothing, 3/4 after one point, 1 after two.
    turn = compile_turn(COIN)
    values = turn_values(turn, np.array([0.5, 0.75]), np.array([[1.0]]), bust=0.5)
    assert values.roll[:, 0].tolist() == [0.625, 0.75]
    # At one point rolling and banking are equal: the turn ends there.
    assert values.p_bust[0, 0] == 0.5 and values.best[1, 0] == 0.75


def test_a_wipe_and_a_bust_are_kept_apart():
    # Two dice with two sides: one way to lose all, two to lose the turn, one to get four points.
    turn = compile_turn(pig.Rules(2, 2))
    assert turn.unit == 4
    values = turn_values(turn, np.array([8.0, 12.0]), np.array([[16.0]]), bust=7.0, wipe=-1.0)
    assert values.roll[:, 0].tolist() == [(12 + 2 * 7 - 1) / 4, (16 + 2 * 7 - 1) / 4]
    assert values.p_bust[:, 0].tolist() == [0.5, 0.5] and values.p_wipe[:, 0].tolist() == [0.25, 0.25]


def test_a_forced_end_is_worth_what_it_is_said_to_be():
    # Heads: one point and the turn ends, or none of that and a second throw for two.
    rules = always(Roll(1, "", (Option(1, None), Option(2, 1))), Roll(1, "", loss=BUST))
    turn = compile_turn(rules)
    for end_at_1, best in ((0.0, 2.0), (3.0, 3.0)):
        end = np.array([9.0, end_at_1, 9.0])
        values = turn_values(turn, np.array([0.0]), np.array([[9.0], [2.0]]), end=end)
        assert values.roll[0, 0] == best / 2


def test_the_fewest_turns_are_a_minimum():
    # One more turn after a bust, none after two points, one after banking one point.
    turn = compile_turn(COIN)
    values = turn_values(turn, np.array([math.inf, 1.0]), np.array([[0.0]]), bust=2.0, maximise=False)
    assert values.roll[:, 0].tolist() == [(1.0 + 2.0) / 2, (0.0 + 2.0) / 2]
    assert values.best[1, 0] == 1.0


def test_what_is_lost_can_depend_on_the_total():
    # Odd totals lose half the rolls, even ones none; gains of one and two points.
    even = (Roll(1, "", (Option(1, 1),)),)
    odd = (Roll(1, "", (Option(2, 1),)), Roll(1, "", loss=BUST))
    turn = compile_turn(MadeUp(((even,), (odd,))))
    values = turn_values(turn, np.arange(4.0), np.array([[4.0], [8.0]]))
    # 3: 8/2. 2: at 3 one rolls for 4. 1: 4/2. 0: at 1 one rolls for 2.
    assert values.roll[:, 0].tolist() == [2, 2, 4, 4]


def test_phases_that_no_total_has_do_not_matter():
    # All gains are even and the period is 4: of the phases only 0 and 2 occur.
    table = tuple(((Roll(1, "", (Option(2, 1),)), Roll(losing, "", loss=BUST)),) for losing in (1, 99, 5, 99))
    turn = compile_turn(MadeUp(table))
    assert (turn.unit, turn.period) == (2, 2)
    values = turn_values(turn, np.array([0.0, 0.0]), np.array([[12.0]]))
    assert values.roll[:, 0].tolist() == [1.0, 2.0]


# --- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(0, 1), (2, 1), (3, 2), (3, 0)])
def test_a_tail_of_the_wrong_shape_is_refused(shape):
    turn = compile_turn(always(Roll(1, "", (Option(3, 1),)), Roll(1, "", (Option(1, 1),))))
    with pytest.raises(ValueError, match="it needs 3 totals and 1 modes"):
        turn_values(turn, np.zeros(4), np.zeros(shape))


@pytest.mark.parametrize("end", [None, np.zeros(4), np.array([0.0] * 4 + [-math.inf]), np.array([math.nan] * 5)])
def test_a_forced_end_without_a_finite_worth_is_refused(end):
    turn = compile_turn(always(Roll(1, "", (Option(1, None),))))
    with pytest.raises(ValueError, match="forced ends need a finite worth at each of 5 totals"):
        turn_values(turn, np.zeros(4), np.zeros((1, 1)), end=end)


def test_rolls_that_leave_the_same_choice_are_merged():
    same = (Option(2, 1, "2"), Option(4, 1, "4"))
    turn = compile_turn(always(Roll(3, "24", same), Roll(4, "42", same[::-1]), Roll(5, "", loss=BUST)))
    assert (turn.unit, turn.weight.tolist(), turn.sum_of_weights.tolist()) == (2, [7, 5], [12])
    assert turn.gain.tolist() == [2, 1]
