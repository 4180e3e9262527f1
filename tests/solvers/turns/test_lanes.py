"""Many turns at once against the plain recursion in rationals, and the arrays of a compiled turn."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.lanes import LANES, rolls, starts
from dicebase.vocabulary import Loss, Option, Roll
from reference.turn import loss_chance
from support.random_turns import MadeUp, always, turns
from support.turns_with_references import compiled_ten_thousand, in_rationals

made_up = settings(derandomize=True, database=None, deadline=None, max_examples=60)


def some_turns(rng, count, T):
    """(bank, need, bust, wipe) of turns with random values."""
    need = rng.integers(1, T + 1, count)
    bank = np.where(np.arange(T)[:, np.newaxis] < need, rng.random((T, count)), 1.0)
    return bank, need, rng.random(count), rng.random(count)


@made_up
@given(turns(), st.integers(1, 9), st.integers(1, LANES + 1), st.integers(0, 2**32))
def test_turns_side_by_side_equal_the_recursion(rules, T, count, seed):
    turn, (bank, need, bust, wipe) = compile_turn(rules), some_turns(np.random.default_rng(seed), count, T)
    W, p_bust = starts(turn, bank, need, bust, wipe)
    everywhere, modes, unit = rolls(turn, bank, need, bust, wipe), rules.modes, turn.unit
    for i, n in enumerate(need.tolist()):
        roll, banked, ends = everywhere[i], bank[:n, i], [Fraction(x) for x in bank[:n, i]]
        worths = in_rationals(rules, turn, ends, win=Fraction(1), bust=Fraction(bust[i]), wipe=Fraction(wipe[i]))
        assert W[i] == roll[0, 0]
        assert all(abs(Fraction(roll[place]) - worth) < 1e-14 for place, worth in worths.items())
        best = np.maximum(roll[:n], banked[:, np.newaxis])

        def value(total, mode, n=n, banked=banked, best=best):
            t = total // unit
            return 1.0 if t >= n else banked[t] if mode is None else best[t, modes.index(mode)]

        def rolls_on(total, mode, roll=roll, banked=banked):
            return roll[total // unit, modes.index(mode)] > banked[total // unit]

        # The slope of the value in the value of a bust is the probability of a bust under the best choices.
        totals = [t * unit for t in range(n - 1, -1, -1)]
        chances = loss_chance(rules, totals, Loss.BUST, V=value, rolls_on=rolls_on, one=Fraction(1))
        assert abs(Fraction(p_bust[i]) - chances[0, modes[0]]) < 1e-14


def test_the_lane_of_a_turn_does_not_matter():
    bank, need, bust, wipe = some_turns(np.random.default_rng(7), 41, 40)
    W, p_bust = starts(compiled_ten_thousand(), bank, need, bust, wipe)
    order = np.random.default_rng(8).permutation(41)
    again = starts(compiled_ten_thousand(), bank[:, order], need[order], bust[order], wipe[order])
    assert (again[0] == W[order]).all() and (again[1] == p_bust[order]).all()


def test_phases_without_totals_are_left_out():
    # All gains are even and the period is 4: of the phases only 0 and 2 occur.
    table = tuple(((Roll(1, "", (Option(2, 1),)), Roll(losing, "", loss=Loss.BUST)),) for losing in (1, 99, 5, 99))
    turn = compile_turn(MadeUp(table))
    assert (turn.unit, turn.period, turn.sum_of_weights.tolist()) == (2, 2, [2, 6])


def test_rolls_that_leave_the_same_choice_are_merged():
    same = (Option(2, 1, "2"), Option(4, 1, "4"))
    turn = compile_turn(always(Roll(3, "24", same), Roll(4, "42", same[::-1]), Roll(5, "", loss=Loss.BUST)))
    assert (turn.unit, turn.weight.tolist(), turn.sum_of_weights.tolist()) == (2, [7, 5], [12])
    assert turn.gain.tolist() == [2, 1]
