"""The duel against rationals, against intervals, and against itself: one solution, found from anywhere."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns import duel
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.duel import duel_turns, fixed_points, solve_duel
from dicebase.vocabulary import ConfigurationError, Loss, Option, Roll
from reference import matches
from support.random_turns import MadeUp, turns
from support.turns_with_references import (
    compiled_pig,
    compiled_ten_thousand,
    in_rationals,
    lost_at_first,
    with_reference,
)

made_up = settings(derandomize=True, database=None, deadline=None, max_examples=40)

ENCLOSED = [(("pig", 6, 1), 60), (("pig", 6, 2), 30), (("pig", 12, 2), 40), (("ten_thousand",), 1000)]


@pytest.mark.parametrize(("game", "target"), ENCLOSED, ids=str)
def test_every_value_lies_between_the_bounds_of_value_iteration(game, target):
    turn, plain = with_reference(*game)
    V = solve_duel(turn, target)
    lower, upper = matches.duel_interval(plain, target)
    # Both the bounds and the values are rounded.
    assert (lower - 1e-14 <= V).all() and (upper + 1e-14 >= V).all()


def after_one_turn(rules, turn, V, me, opponent):
    """{position: value of rolling} if the opponent's winning probabilities are V."""
    bank = [1 - x for x in V[opponent][me:]]
    return in_rationals(rules, turn, bank, win=type(bank[0])(1), bust=bank[0], wipe=1 - V[opponent][0])


# A turn of one certain point, then one more or a bust, then a bust, has a kink in the middle of a bracket.
LOST, END = Roll(1, "", loss=Loss.BUST), Roll(1, "", (Option(1, None),))
KINK = MadeUp((((Roll(1, "", (Option(1, 1),)),),), ((END, LOST),), ((LOST,),)))


@made_up
@given(turns(), st.integers(1, 4))
@example(KINK, 3)
def test_any_random_turn_has_the_unique_solution(rules, T):
    turn = compile_turn(rules)
    V = solve_duel(turn, T * turn.unit)
    exact = [[Fraction(x) for x in row] for row in V]
    for me in range(T):
        rolls, banks = duel_turns(turn, V, me)
        for opponent in range(T):
            W = after_one_turn(rules, turn, exact, me, opponent)
            assert abs(exact[me][opponent] - W[0, 0]) < 1e-15
            assert all(abs(Fraction(rolls[opponent][position]) - worth) < 1e-15 for position, worth in W.items())
            assert (banks[opponent] == 1.0 - V[opponent, me:]).all()
    low, high = np.zeros((T, T)), np.ones((T, T))
    for _ in range(60):
        low, high = (
            np.array([[after_one_turn(rules, turn, Q, a, b)[0, 0] for b in range(T)] for a in range(T)])
            for Q in (high, low)
        )
    assert (low - 1e-14 <= V).all() and (high + 1e-14 >= V).all()


def test_a_target_between_two_units_is_the_next_one():
    assert (solve_duel(compiled_ten_thousand(), 951) == solve_duel(compiled_ten_thousand(), 1000)).all()


def test_progress_counts_pairs(monkeypatch):
    said = []
    monkeypatch.setattr(duel, "reporter", lambda what: lambda *words: said.append(words))
    solve_duel(compiled_pig(), 10)
    assert len(said) == 19 and said[-1] == (55, 55) and said == sorted(said)


def test_wrong_matches_are_refused():
    with pytest.raises(ConfigurationError, match="target: 0"):
        solve_duel(compiled_pig(), 0)
    with pytest.raises(ConfigurationError, match="always lost"):
        solve_duel(lost_at_first(), 10)


PIECES = 16
# Lines c + s z that stay within 0 and 1, with s below 1: by (c, s), in sixteenths.
policies = st.lists(
    st.tuples(st.integers(0, PIECES), st.integers(0, PIECES - 1)).filter(lambda line: sum(line) <= PIECES),
    min_size=1,
    max_size=6,
)


def best_line(lines, z):
    """(value, slope) of the best line at z, or of any of the best lines."""
    return max((Fraction(c, PIECES) + Fraction(s, PIECES) * z, Fraction(s, PIECES)) for c, s in lines)


def exact_root(F, G):
    """The x with x = F(1 - G(1 - x)): the one solution of two lines at which they are the best."""
    for c, s in F:
        for d, r in G:
            c_, s_, d_, r_ = (Fraction(n, PIECES) for n in (c, s, d, r))
            x = (c_ + s_ * (1 - d_ - r_)) / (1 - s_ * r_)
            if 0 <= x <= 1 and best_line(F, 1 - best_line(G, 1 - x)[0])[0] == x:
                return x
    raise AssertionError("no pair of lines meets")


def in_doubles(lines, calls):
    intercept, slope = (np.array(column) / PIECES for column in zip(*lines, strict=True))

    def function(z, which):
        calls.append(len(which))
        worth = intercept + slope * z[:, np.newaxis]
        best = worth.argmax(axis=1)
        return worth.max(axis=1), slope[best]

    return function


@settings(made_up, max_examples=300)
@given(policies, policies)
def test_the_fixed_point_is_found_from_any_start(F, G):
    calls = []
    guess = np.array([0.0, 1.0, 0.5, 1e-300, 1 - 2.0**-53, *np.linspace(0.03, 0.97, 20)])
    x, y = fixed_points(in_doubles(F, calls), in_doubles(G, calls), guess)
    root = exact_root(F, G)
    other = best_line(G, 1 - root)[0]
    # Slopes are at most 15/16, which multiplies a rounding of the gap by a small factor.
    assert max(abs(Fraction(a) - root) for a in x) < 2e-15
    assert max(abs(Fraction(b) - other) for b in y) < 2e-15
    assert len(calls) <= 2 * (duel.NEWTON + 2 * 54)


def test_the_bracket_ends_the_search_if_slopes_are_wrong():
    F, G = [(6, 0), (0, 15)], [(7, 0), (1, 15)]
    rng, calls = np.random.default_rng(3), []

    def lying(function):
        return lambda z, which: (function(z, which)[0], rng.random(len(which)))

    x, _ = fixed_points(lying(in_doubles(F, calls)), lying(in_doubles(G, calls)), np.linspace(0, 1, 33))
    assert max(abs(Fraction(a) - exact_root(F, G)) for a in x) < 2e-15
    assert 2 * duel.NEWTON < len(calls) <= 2 * (duel.NEWTON + 2 * 54)


def test_a_slope_of_one_on_both_sides_is_left_by_halving():
    # Below 1/2 both players would lose their turns on purpose, so x = 1 - y for any x; above, each has a better choice.
    F, G = [(0, 16), (10, 4)], [(0, 16), (10, 4)]
    for guess in (0.0, 0.05, 0.1, 0.9, 1.0):
        calls = []
        x, y = fixed_points(in_doubles(F, calls), in_doubles(G, calls), np.array([guess]))
        assert x == y == pytest.approx(14 / 20, abs=1e-15)


def test_equal_slopes_after_a_halving_do_not_end_the_search():
    # From 0.4 Newton's step ends above 1; the middle 0.7 lies on the same lines, the root 0.955 on another.
    def F(z, which):
        return 0.1 + 0.9 * z, np.full_like(z, 0.9)

    def G(z, which):
        return 0.05 + 0.9 * np.maximum(z - 0.2, 0.0), np.where(z > 0.2, 0.9, 0.0)

    x, y = fixed_points(F, G, np.array([0.4, 0.0, 0.79, 0.9]))
    assert np.abs(x - 0.955).max() < 1e-15 and np.abs(y - 0.05).max() < 1e-15
