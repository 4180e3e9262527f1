"""Hog with simultaneous throws: against an enclosure in rationals; properties of the tables."""

from fractions import Fraction

import numpy as np
import pytest

from reference.hog_simultaneous import Simultaneous
from support.grids import certified
from support.hog_rounds import stage

ENCLOSED = [(5, 5, 6), (14, 3, 6), (3, 6, 6), (9, 3, 4), (7, 2, 10)]
WIPED = [(3, 3, 6), (4, 3, 6), (5, 2, 4)]

# Values from the same enclosure for sizes at which it is slow: {(target, dice, on_one): {state: value}}.
KNOWN = {
    (13, 5, "nothing"): {(0, 1): -0.0447584556},
    (26, 5, "nothing"): {(0, 1): -0.03313386802},
    (60, 5, "nothing"): {(0, 1): -0.02521332218},
    (26, 10, "nothing"): {(0, 1): -0.02280933364},
    (38, 10, "nothing"): {(0, 1): -0.0254832495},
    (8, 4, "nothing"): {(0, 1): -0.06120589731, (0, 7): -0.3253912050256996},
    (4, 3, "all"): {(0, 1): -0.07366683813, (0, 3): -0.20106738683},
    (6, 4, "all"): {(0, 1): -0.04479893023, (0, 5): -0.17821793881},
    (8, 5, "all"): {(0, 1): -0.02801640706, (0, 7): -0.17957328738},
}


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


@pytest.mark.parametrize(("target", "dice", "sides"), WIPED)
def test_values_are_in_the_enclosure_if_a_one_costs_all_points(target, dice, sides):
    exact, ours = Simultaneous(target, dice, sides, "all"), stage(target, dice, "all", sides)
    for state in exact.low:
        assert exact.low[state] - 1e-14 <= ours.value[state] <= exact.high(*state) + 1e-14
        if ours.unique[state]:
            assert max(abs(x - y) for x, y in zip(ours.mix[state], exact.mix[state], strict=True)) < 1e-9


@pytest.mark.parametrize("variant", KNOWN, ids=str)
def test_values_equal_the_enclosure_at_larger_sizes(variant):
    for state, value in KNOWN[variant].items():
        assert abs(stage(*variant).value[state] - value) < 1e-10


GRID = [(40, 5, "nothing"), (40, 10, "nothing"), (100, 10, "nothing"), (40, 10, "all"), (100, 10, "all")]


@pytest.mark.parametrize("variant", GRID, ids=str)
def test_the_table_is_antisymmetric_and_monotone(variant):
    ours = stage(*variant)
    assert (ours.value == -ours.value.T).all() and (np.diagonal(ours.value) == 0).all()
    assert (ours.unique == ours.unique.T).all()
    # One point more is better, or as good if a 1 costs all points: then the last point may decide nothing.
    assert (np.diff(ours.value, axis=0) >= (0 if variant[2] == "all" else 1e-9)).all()


@pytest.mark.parametrize("variant", GRID, ids=str)
def test_unique_mixes_are_strictly_complementary(variant):
    ours = stage(*variant)
    used = ours.mix > 0
    both = used.sum(axis=2) == used.sum(axis=2).T
    strict = np.where(used, ours.mix, ours.value[:, :, None] - ours.q).min(axis=2) > 1e-10
    assert (ours.unique == (both & strict & strict.T)).all()
    assert ours.unique.all(), "in the tables of the default grid no state has two optimal mixes"


@pytest.mark.parametrize(("dice", "small", "large"), [(5, 40, 100), (10, 40, 100), (10, 26, 60)])
def test_only_the_missing_points_matter(dice, small, large):
    """Totals never fall, so one table serves every smaller target."""
    ours, theirs = stage(small, dice), stage(large, dice)
    for one, other in zip(ours, theirs, strict=True):
        assert (one == other[large - small :, large - small :]).all()
