"""Hog with simultaneous throws: against an enclosure in rationals; properties of the tables."""

from fractions import Fraction

import numpy as np
import pytest

from reference.hog_simultaneous import Simultaneous
from support.grids import certified
from support.hog_rounds import stage

ENCLOSED = [(5, 5, 6), (14, 3, 6), (3, 6, 6), (9, 3, 4), (7, 2, 10)]


@pytest.mark.parametrize(("target", "dice", "sides"), ENCLOSED)
def test_values_mixes_and_q_values_equal_an_enclosure_in_rationals(target, dice, sides):
    exact, ours = Simultaneous(target, dice, sides), stage(target, dice, sides=sides)
    assert exact.width() < 1e-20
    for state in exact.low:
        value, other = exact.value(*state), exact.mix[state[::-1]]
        assert abs(ours.value[state] - value) < 1e-15
        A, p = exact.scored(*state)
        q = (np.array(A, float) + np.array(p, float) * float(value)) @ np.array(other, float)
        assert ours.unique[state]
        assert np.abs(ours.mix[state] - np.array(exact.mix[state], float)).max() < 1e-11
        assert np.abs(ours.q[state] - q).max() < 1e-13
        # The value that our mix guarantees against every reply, as a rational.
        mix = exact._rounded(map(Fraction, map(float, ours.mix[state])))
        assert min(exact._against(A, p, mix)) > value - 1e-14


def test_values_are_right_if_most_throws_score_nothing(tmp_path):
    exact, ours = Simultaneous(3, 20, 3), stage(3, 20, sides=3)
    for state in exact.low:
        assert abs(ours.value[state] - exact.value(*state)) < 1e-15
    _, (certificate,) = certified("hog_simultaneous", {"sides": 2, "max_dice": 30, "target": 10}, tmp_path, {})
    assert certificate.error_bound < 1e-14
