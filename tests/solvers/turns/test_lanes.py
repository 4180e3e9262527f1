"""Many turns at once against the kernel of one turn: the same numbers, to the last bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.lanes import LANES, rolls, starts
from support.random_turns import turns
from support.turns_with_references import compiled_ten_thousand, turn_alone

made_up = settings(derandomize=True, database=None, deadline=None, max_examples=100)


def some_turns(rng, count, T):
    """(bank, need, bust, wipe) of turns with random values."""
    need = rng.integers(1, T + 1, count)
    bank = np.where(np.arange(T)[:, np.newaxis] < need, rng.random((T, count)), 1.0)
    return bank, need, rng.random(count), rng.random(count)


def check(turn, bank, need, bust, wipe):
    W, p_bust = starts(turn, bank, need, bust, wipe)
    everywhere = rolls(turn, bank, need, bust, wipe)
    for i, n in enumerate(need):
        alone = turn_alone(turn, bank[:n, i].copy(), bust[i], wipe[i])
        assert W[i] == alone.roll[0, 0] and p_bust[i] == alone.p_bust[0, 0]
        assert (everywhere[i, :n] == alone.roll).all()


@made_up
@given(turns(), st.integers(1, 9), st.integers(1, 2 * LANES + 1), st.integers(0, 2**32))
def test_turns_solved_side_by_side_equal_turns_solved_singly(rules, T, count, seed):
    check(compile_turn(rules), *some_turns(np.random.default_rng(seed), count, T))


def test_many_choices_solved_side_by_side_equal_those_solved_singly():
    check(compiled_ten_thousand(), *some_turns(np.random.default_rng(5), 3 * LANES + 3, 60))


def test_the_lane_of_a_turn_does_not_matter():
    bank, need, bust, wipe = some_turns(np.random.default_rng(7), 41, 40)
    W, p_bust = starts(compiled_ten_thousand(), bank, need, bust, wipe)
    order = np.random.default_rng(8).permutation(41)
    again = starts(compiled_ten_thousand(), bank[:, order], need[order], bust[order], wipe[order])
    assert (again[0] == W[order]).all() and (again[1] == p_bust[order]).all()
