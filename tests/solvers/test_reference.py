"""The reference solver on games small enough to be solved by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import pytest

from dicebase.solvers.reference import solve
from dicebase.vocabulary import Column, Controller, Game, Outcome, weighted_mean
from dicebase.vocabulary.arithmetic.rationals import SingularError, solve_sparse

MAX, MIN, BOTH = Controller.MAX, Controller.MIN, Controller.BOTH


@dataclass
class Drawn(Game):
    """A game by a dict {state: (controller, {action: outcomes})}; play begins in (0,)."""

    drawing: Mapping[int, tuple[Controller, Mapping[str, list[Outcome]]]]

    columns = (Column("place", int, "where one is"),)
    value = Column("value", float, "what MAX gets", "points")

    def start(self):
        return "begin"

    def controller(self, state):
        return self.drawing[state[0]][0]

    def actions(self, state):
        return tuple(self.drawing[state[0]][1])

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        if afterstate == "begin":
            return [Outcome(1, (0,))]
        place, action = afterstate
        return self.drawing[place][1][action]


def end(reward, weight=1):
    return Outcome(weight, None, reward)


def go(place, weight=1, reward=0):
    return Outcome(weight, (place,), reward)


# --- without cycles --------------------------------------------------------------------------------------------------

TREE = {
    0: (MAX, {"left": [go(1)], "right": [go(2, 2), end(7)], "unused": [go(3)]}),
    1: (MIN, {"a": [end(5)], "b": [end(4, 3), end(0)], "c": [end(Fraction(7, 2))]}),
    2: (MAX, {"only": [end(1), end(2), end(Fraction(1, 2))]}),
    3: (MIN, {"low": [end(-1)], "high": [end(9)]}),
}


def test_a_game_without_cycles_is_backward_induction():
    # By hand: MIN's action b has the value 12/4 = 3, place 2 has 7/6, and right has (2 * 7/6 + 7) / 3 = 28/9 > 3.
    solution = solve(Drawn(TREE))
    assert solution.value == {(0,): Fraction(28, 9), (1,): 3, (2,): Fraction(7, 6), (3,): -1}
    assert solution.start == Fraction(28, 9)
    assert [solution.q((0,), a) for a in ("left", "right", "unused")] == [3, Fraction(28, 9), -1]
    assert [solution.q((1,), a) for a in "abc"] == [5, 3, Fraction(7, 2)]


def test_a_state_that_play_never_reaches_is_not_solved():
    game = Drawn({**TREE, 4: (MAX, {"never": [end(1)]})})
    assert set(solve(game).value) == {(0,), (1,), (2,), (3,)}


# --- cycles of one player --------------------------------------------------------------------------------------------


def test_a_minimiser_takes_the_smaller_die():
    # A six-sided die takes six rolls on average, a four-sided die four; the third action can go on for a long time.
    game = Drawn(
        {
            0: (MIN, {"d6": [go(0, 5, 1), end(1)], "d4": [go(0, 3, 1), end(1)], "away": [go(1, 1, 1)]}),
            1: (MIN, {"back": [go(0, 1, 1)], "coin": [go(1, 1, 1), go(0, 1, 1)]}),
        }
    )
    solution = solve(game)
    # From the other place: one roll back, then four.
    assert solution.value == {(0,): 4, (1,): 5}
    assert [solution.q((0,), a) for a in ("d6", "d4", "away")] == [Fraction(13, 3), 4, 6]


def test_a_row_of_places_is_solved_as_the_gamblers_ruin():
    # Fair steps left or right between 0 and 5: the chance to leave at the right end is (place + 1) / 6.
    steps = {
        place: (MAX, {"step": [go(place - 1) if place else end(0), go(place + 1) if place < 4 else end(1)]})
        for place in range(5)
    }
    assert solve(Drawn(steps)).value == {(place,): Fraction(place + 1, 6) for place in range(5)}


# --- cycles of two players -------------------------------------------------------------------------------------------


def test_first_to_throw_a_head_wins_two_times_in_three():
    # MAX throws, then MIN, and so on: p = 1/2 + 1/2 (1 - p).
    game = Drawn({0: (MAX, {"throw": [end(1), go(1)]}), 1: (MIN, {"throw": [end(0), go(0)]})})
    assert solve(game).value == {(0,): Fraction(2, 3), (1,): Fraction(1, 3)}


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "drawing",
    [
        {0: (MAX, {"stay": [go(0)]})},
        {0: (MAX, {"there": [go(1)]}), 1: (MIN, {"back": [go(0, 2, 1)]})},
        {0: (MAX, {"on": [go(1), end(1)]}), 1: (MAX, {"on": [go(2)]}), 2: (MAX, {"back": [go(1)]})},
    ],
)
def test_play_that_never_ends_is_refused(drawing):
    with pytest.raises(SingularError, match="never leaves"):
        solve(Drawn(drawing))


@pytest.mark.parametrize("again", [[end(1)], [go(0), end(1)]])
def test_simultaneous_choice_is_refused(again):
    with pytest.raises(NotImplementedError, match="both players choose at once"):
        solve(Drawn({0: (BOTH, {"heads": again, "tails": [end(0)]})}))


# --- arithmetic ------------------------------------------------------------------------------------------------------


def test_equations_have_the_same_solution_in_every_order():
    half = Fraction(1, 2)
    equations = {
        "a": ({"b": half, "c": Fraction(1, 3)}, Fraction(1)),
        "b": ({"a": half, "b": Fraction(1, 4)}, Fraction(2)),
        "c": ({}, Fraction(3)),
        "d": ({"a": Fraction(1), "d": Fraction(0)}, Fraction(-1)),
    }
    # a = 1 + b/2 + 1, b = 2 + a/2 + b/4, hence a = 5, b = 6.
    for order in permutations(equations):
        assert solve_sparse({k: equations[k] for k in order}) == {"a": 5, "b": 6, "c": 3, "d": 4}
    assert equations["a"][0] == {"b": half, "c": Fraction(1, 3)}, "the equations are the caller's"


def test_a_weighted_mean_is_exact():
    assert weighted_mean([1, 2, 3], [Fraction(1, 7), 5, Fraction(-2, 3)]) == (Fraction(1, 7) + 10 - 2) / 6
