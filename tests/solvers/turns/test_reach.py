"""Reaching a target within a number of turns: against rationals, on random turns."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.lanes import rolls
from dicebase.solvers.turns.race import solve_race
from dicebase.solvers.turns.reach import solve_reach
from dicebase.vocabulary import ConfigurationError
from support.random_turns import turns
from support.turns_with_references import (
    compiled_pig,
    compiled_ten_thousand,
    in_rationals,
    lost_at_first,
)


def inside(turn, P, left, banked):
    """(value of rolling by (turn total, mode), value of banking by turn total), from the values after the turn."""
    bank = P[left - 1, banked:]
    return rolls(turn, bank[:, np.newaxis], np.array([len(bank)]), bank[:1], P[left - 1, :1])[0], bank


made_up = settings(derandomize=True, database=None, deadline=None, max_examples=60)


@made_up
@given(turns(), st.integers(1, 6), st.integers(1, 4))
def test_any_turn_follows_from_the_turn_before(rules, T, limit):
    turn = compile_turn(rules)
    P = solve_reach(turn, T * turn.unit, limit)
    for left in range(1, limit + 1):
        before = [Fraction(x) for x in P[left - 1]]
        for b in range(T):
            W = in_rationals(rules, turn, before[b:], win=Fraction(1), bust=before[b], wipe=before[0])
            assert abs(Fraction(P[left, b]) - W[0, 0]) < 1e-14
            roll, bank = inside(turn, P, left, b)
            assert all(abs(Fraction(roll[position]) - worth) < 1e-14 for position, worth in W.items())
            assert (bank == P[left - 1, b:]).all()


@pytest.mark.parametrize("turn", [compiled_pig(), compiled_pig(6, 2), compiled_ten_thousand()], ids=str)
def test_more_turns_and_more_points_never_hurt(turn):
    P = solve_reach(turn, 50 * turn.unit, 40)
    assert (np.diff(P, axis=0) >= -1e-15).all() and (np.diff(P, axis=1) >= -1e-15).all()
    # The policy with the fewest expected turns cannot beat the best policy for each limit.
    assert (1 - P[:, 0]).sum() < solve_race(turn, 50 * turn.unit)[0]


def test_a_target_between_two_units_is_the_next_one():
    turn = compiled_ten_thousand()
    assert (solve_reach(turn, 951, 3) == solve_reach(turn, 1000, 3)).all()


def test_wrong_matches_are_refused():
    with pytest.raises(ConfigurationError, match="target: 0"):
        solve_reach(compiled_pig(), 0, 3)
    with pytest.raises(ConfigurationError, match="turns: 0"):
        solve_reach(compiled_pig(), 10, 0)
    with pytest.raises(ConfigurationError, match="always lost"):
        solve_reach(lost_at_first(), 10, 3)
