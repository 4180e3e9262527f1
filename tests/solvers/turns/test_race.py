"""The fewest turns to a target: against rationals, and proved in rationals on turns made up at random."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.race import _root, race_turn, solve_race
from dicebase.vocabulary import ConfigurationError, Loss, Option, Roll
from support.random_turns import MadeUp, always, turns
from support.turns_with_references import compiled_pig, compiled_ten_thousand, in_rationals, lost_at_first

made_up = settings(derandomize=True, database=None, deadline=None, max_examples=60)


@made_up
@given(turns(), st.integers(1, 6))
def test_any_turn_is_proved_in_rationals(rules, T):
    """If one turn of best play does not increase x, x is at least the least expected number of turns; if it does not
    decrease x, x is at most that number. A turn reduces a relative error of x by the same share of one turn, which
    must exceed a rounding error of the longest race; hence max(R)."""
    turn = compile_turn(rules)
    R = [Fraction(x) for x in solve_race(turn, T * turn.unit)]

    def one_turn(x, b):
        bank = [1 + y for y in x[b:]]
        return in_rationals(rules, turn, bank, win=Fraction(1), bust=1 + x[b], wipe=1 + x[0], choose=min)

    for sign in (1, -1):
        x = [r * (1 + sign * max(R) / 10**15) for r in R]
        assert all(sign * (x[b] - one_turn(x, b)[0, 0]) >= 0 for b in range(T))
    for b in range(T):
        roll, bank = race_turn(turn, np.array(R, dtype=float), b)
        assert all(abs(Fraction(roll[position]) / w - 1) < 1e-14 for position, w in one_turn(R, b).items())
        assert bank.tolist() == [float(1 + x) for x in R[b:]]


@pytest.mark.parametrize("units", [1, 2, 25, 200])
def test_a_race_with_two_coins_has_its_closed_form(units):
    # The player banks every success. A success and the loss of all points each have a chance of a quarter, so that one
    # of them takes two turns, and n successes in a row take 2 (2^n - 1) of them. Doubles have these numbers exactly.
    R = solve_race(compiled_pig(2, 2), 4 * units)
    assert R[0] == 4 * (2.0**units - 1)


def test_rolling_and_banking_can_be_equal():
    # Heads score a point, tails bust, two points win: 4 turns on average, banking each point or both at once.
    turn = compile_turn(always(Roll(1, "", (Option(1, 1),)), Roll(1, "", loss=Loss.BUST)))
    R = solve_race(turn, 2)
    assert R.tolist() == [4.0, 2.0]
    roll, bank = race_turn(turn, R, 0)
    assert roll[:, 0].tolist() == [4.0, 3.0] and bank.tolist() == [5.0, 3.0]


def test_a_hand_that_is_always_lost_is_never_rolled():
    # After one point only a lost hand is left: rolling it would be right if a bust cost nothing.
    start = (Roll(1, "", (Option(1, 2),)), Roll(3, "", loss=Loss.WIPE))
    lost = (Roll(1, "", loss=Loss.BUST),)
    turn = compile_turn(MadeUp(((start, lost),), (1, 2)))
    assert solve_race(turn, 3) == pytest.approx([84.0, 80.0, 64.0], rel=1e-15)


def test_a_target_between_two_units_is_the_next_one():
    assert (solve_race(compiled_ten_thousand(), 951) == solve_race(compiled_ten_thousand(), 1000)).all()


lines = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 16)), min_size=1, max_size=6)


@made_up
@given(lines, st.integers(1, 60), st.sampled_from((1e-12, 0.3, 1.0, 7.0, 1e12)))
def test_the_least_root_is_found_from_any_start_in_few_steps(policies, last, guess):
    policies = [*policies, (last, 8)]  # this line has a root
    calls = []

    def line(r):
        calls.append(r)
        c, p = min(policies, key=lambda line: line[0] + line[1] / 16 * r)
        return float(c), 1 - p / 16

    root = _root(line, guess)
    assert root == pytest.approx(min(Fraction(16 * c, 16 - p) for c, p in policies if p < 16), rel=1e-15)
    # Doublings, at most one step for each line, and a last step that changes nothing.
    assert len(calls) <= 50 + len(policies)


def test_more_turns_than_doubles_can_count_are_refused():
    rules = always(Roll(1, "", (Option(1, 1),)), Roll(10**18, "", loss=Loss.WIPE))
    with pytest.raises(ConfigurationError, match="expected number of turns is too large"):
        solve_race(compile_turn(rules), 20)


def test_wrong_matches_are_refused():
    with pytest.raises(ConfigurationError, match="target: -1"):
        solve_race(compiled_pig(), -1)
    with pytest.raises(ConfigurationError, match="always lost"):
        solve_race(lost_at_first(), 10)
