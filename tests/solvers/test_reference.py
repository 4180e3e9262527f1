"""The reference solver on games small enough to be solved by hand."""

from fractions import Fraction

import pytest

from dicebase.solvers.reference import solve
from dicebase.vocabulary import Controller
from dicebase.vocabulary.arithmetic.rationals import SingularError
from support.drawn_games import Drawn, end, go

MIN, BOTH = Controller.MIN, Controller.BOTH

# --- without cycles --------------------------------------------------------------------------------------------------

TREE = {
    0: {"left": [go(1)], "right": [go(2, 2), end(7)], "unused": [go(3)]},
    1: {"a": [end(5)], "b": [end(4, 3), end(0)], "c": [end(Fraction(7, 2))]},
    2: {"only": [end(1), end(2), end(Fraction(1, 2))]},
    3: {"low": [end(-1)], "high": [end(9)]},
}


def test_a_game_without_cycles_is_backward_induction():
    # By hand: MIN's action b has the value 12/4 = 3, place 2 has 7/6, and right has (2 * 7/6 + 7) / 3 = 28/9 > 3.
    solution = solve(Drawn(TREE, {1: MIN, 3: MIN}))
    assert solution.value == {(0,): Fraction(28, 9), (1,): 3, (2,): Fraction(7, 6), (3,): -1}
    assert solution.start == Fraction(28, 9)
    assert [solution.q((0,), a) for a in ("left", "right", "unused")] == [3, Fraction(28, 9), -1]
    assert [solution.q((1,), a) for a in "abc"] == [5, 3, Fraction(7, 2)]


# --- with cycles -----------------------------------------------------------------------------------------------------


def test_first_to_throw_a_head_wins_two_times_in_three():
    # MAX throws, then MIN, and so on: p = 1/2 + 1/2 (1 - p).
    game = Drawn({0: {"throw": [end(1), go(1)]}, 1: {"throw": [end(0), go(0)]}}, {1: MIN})
    assert solve(game).value == {(0,): Fraction(2, 3), (1,): Fraction(1, 3)}


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "drawing",
    [
        {0: {"stay": [go(0)]}},
        {0: {"there": [go(1)]}, 1: {"back": [go(0, 2, 1)]}},
        {0: {"on": [go(1), end(1)]}, 1: {"on": [go(2)]}, 2: {"back": [go(1)]}},
    ],
)
def test_play_that_never_ends_is_refused(drawing):
    with pytest.raises(SingularError, match="never leaves"):
        solve(Drawn(drawing))


@pytest.mark.parametrize("again", [[end(1)], [go(0), end(1)]])
def test_simultaneous_choice_is_refused(again):
    with pytest.raises(NotImplementedError, match="both players choose at once"):
        solve(Drawn({0: {"heads": again, "tails": [end(0)]}}, {0: BOTH}))
