"""The compiled kernel of one turn against the plain recursion, on turns made up at random and by hand."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns.compiled import compile_turn
from dicebase.vocabulary import Loss, Option, Roll
from reference.one_turn import turn_values
from reference.turn import loss_chance, roll_worth
from support.contract_turns import rounding_bound
from support.random_turns import MadeUp, always, turns

BUST, WIPE = Loss.BUST, Loss.WIPE
# The examples are the same on every machine. There is no deadline, because compiling the kernel takes long.
made_up = settings(derandomize=True, database=None, deadline=None, max_examples=60)
points = st.integers(-20, 20)


@st.composite
def settings_of_a_turn(draw):
    """(rules, compiled turn, number of totals, other arguments of turn_values), as any match could pass them."""
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
    """{(total in units, mode index): value of rolling} by the recursion, in rationals except for infinities."""
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
def test_rolling_equals_the_recursion(case):
    _, turn, T, worth = case
    values = turn_values(turn, **worth)
    for (t, m), w in plainly(*case).items():
        assert abs(Fraction(values.roll[t, m]) - w) <= rounding_bound(turn, T, 20)
        better = max if worth["maximise"] else min
        assert values.best[t, m] == better(values.roll[t, m], worth["bank"][t])


@made_up
@given(settings_of_a_turn())
def test_the_slopes_are_the_loss_probabilities_of_the_kernels_choices(case):
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


def test_phases_without_totals_do_not_matter():
    # All gains are even and the period is 4: of the phases only 0 and 2 occur.
    table = tuple(((Roll(1, "", (Option(2, 1),)), Roll(losing, "", loss=BUST)),) for losing in (1, 99, 5, 99))
    turn = compile_turn(MadeUp(table))
    assert (turn.unit, turn.period) == (2, 2)
    values = turn_values(turn, np.array([0.0, 0.0]), np.array([[12.0]]))
    assert values.roll[:, 0].tolist() == [1.0, 2.0]


def test_rolls_that_leave_the_same_choice_are_merged():
    same = (Option(2, 1, "2"), Option(4, 1, "4"))
    turn = compile_turn(always(Roll(3, "24", same), Roll(4, "42", same[::-1]), Roll(5, "", loss=BUST)))
    assert (turn.unit, turn.weight.tolist(), turn.sum_of_weights.tolist()) == (2, [7, 5], [12])
    assert turn.gain.tolist() == [2, 1]
