"""The exact solver of one turn equals the plain recursion in fractions, for all denominators."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.exact_turn import common, solve_exactly
from dicebase.vocabulary import Option, Roll
from reference.turn import roll_worth
from support.random_turns import MadeUp, always, turns

made_up = settings(derandomize=True, database=None, deadline=None, max_examples=150)


def check(rules, T, more):
    """Solve with V = t + more beyond T, and compare every total and mode."""
    turn = compile_turn(rules)
    tail = [[t + more[t - T][m] for m in range(len(rules.modes))] for t in range(T, T + turn.max_gain)]
    exact = solve_exactly(turn, T, tail)
    W = roll_worth(
        rules,
        [t * turn.unit for t in range(T - 1, -1, -1)],
        bank=Fraction,
        end=Fraction,
        beyond=lambda total, mode: tail[total // turn.unit - T][rules.modes.index(mode)] * turn.unit,
    )
    for (total, mode), worth in W.items():
        solved = exact[total // turn.unit][rules.modes.index(mode)]
        assert Fraction(*solved) * turn.unit == worth


# Extra value beyond the last total, with denominators of its own and sometimes too small to show in doubles.
extra = st.one_of(
    st.just(Fraction(0)), st.fractions(0, 3, max_denominator=12), st.integers(1, 3).map(lambda n: Fraction(n, 10**30))
)
extras = st.lists(st.lists(extra, min_size=3, max_size=3), min_size=3, max_size=3)


# Any weights, weights whose sums have no common base, and weights whose sums are powers of one number.
@made_up
@given(st.one_of(turns(), turns(sums=(6, 10)), turns(sums=(6, 36, 216))), st.integers(1, 12), extras)
def test_any_weights_equal_the_recursion(rules, T, more):
    check(rules, T, more)


@pytest.mark.parametrize("T", [1, 2, 30])
def test_a_turn_without_chance_is_exact(T):
    check(always(Roll(1, "", (Option(1, 1), Option(2, 1)))), T, [[Fraction(1, 3)]] * 2)


def test_options_in_the_wrong_order_by_rounding_are_put_right():
    # The mean of three values, rounded to doubles, exceeds a double whose exact value is slightly larger than the mean.
    values = Fraction(21, 10), Fraction(21, 10), Fraction(13, 5)
    more = sum(values) / 3 + Fraction(1, 10**30)
    assert sum(map(float, values)) / 3 > float(more)
    start = Roll(1, "", (Option(1, 2), Option(1, 3)))
    mean = tuple(Roll(1, "", (Option(1, mode),)) for mode in (1, 2, 3))
    sure = Roll(1, "", (Option(2, 1),))
    turn = compile_turn(MadeUp((((start,), mean, (sure,)),), (1, 2, 3)))
    exact = solve_exactly(turn, 2, [[*values], [more, 3, 3]])
    assert Fraction(*exact[0][0]) == more


def test_numbers_are_put_over_one_denominator():
    assert common([(7, 5), (8, 180), (9, 1)]) == ([252, 8, 1620], 180)
