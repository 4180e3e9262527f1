"""Hog played out: both players follow the published tables, by rules written down a second time."""

import numpy as np
import pytest

from support.contract_throws import tabulated
from support.contract_turns import read_rows
from support.hog_rounds import stage

MATCHES = 60_000
TARGET = 40
# In standard errors: a mean is further off once in forty thousand times; the seeds are fixed.
FAR = 4.2


def thrown(dice: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The sum of so many dice by match, 0 with a 1 among them."""
    faces = random.integers(1, 7, (len(dice), dice.max()), dtype=np.int8)
    used = np.arange(dice.max()) < dice[:, None]
    return np.where(((faces == 1) & used).any(axis=1), 0, np.where(used, faces, 0).sum(axis=1))


def after(points: np.ndarray, gain: np.ndarray, on_one: str) -> np.ndarray:
    return np.where(gain > 0, points + gain, points if on_one == "nothing" else 0)


def close(results: np.ndarray, value: float) -> bool:
    """Whether the mean is the value, as far as so many matches can tell."""
    return abs(results.mean() - value) <= FAR * results.std() / np.sqrt(len(results))


@pytest.mark.parametrize("on_one", ["nothing", "all"])
@pytest.mark.parametrize(
    ("dice", "start"), [(5, (0, 0)), (5, (8, 15)), (5, (39, 37)), (10, (0, 0)), (10, (3, 0)), (10, (20, 31))]
)
def test_simultaneous_matches_end_as_often_as_the_table_says(dice, start, on_one):
    ours, random = stage(TARGET, dice, on_one), np.random.default_rng([dice, *start])
    upto = ours.mix.cumsum(axis=2)
    a, b = (np.full(MATCHES, points) for points in start)
    results, playing = np.zeros(MATCHES), np.arange(MATCHES)
    while len(playing):
        here, there = upto[a[playing], b[playing]], upto[b[playing], a[playing]]
        # Cumulated probabilities may end a rounding below 1: nobody throws more than the most dice.
        mine, theirs = (
            np.minimum((random.random(len(playing))[:, None] > mix).sum(axis=1), dice - 1) + 1 for mix in (here, there)
        )
        a[playing] = after(a[playing], thrown(mine, random), on_one)
        b[playing] = after(b[playing], thrown(theirs, random), on_one)
        over = np.maximum(a[playing], b[playing]) >= TARGET
        done = playing[over]
        results[done] = np.sign(a[done] - b[done])
        playing = playing[~over]
    assert close(results, ours.value[start])


@pytest.mark.parametrize("on_one", ["nothing", "all"])
@pytest.mark.parametrize(("dice", "start"), [(5, (0, 0)), (10, (0, 0)), (10, (25, 32))])
def test_duels_end_as_often_as_the_table_says(dice, start, on_one):
    table = read_rows(tabulated("hog", "duel", {"max_dice": dice, "target": TARGET, "on_one": on_one}))
    policy, random = np.zeros((TARGET, TARGET), int), np.random.default_rng([dice, *start, 2])
    for state, (names, ranked, _) in table.items():
        policy[state] = int(names[ranked.best])
    me, other = (np.full(MATCHES, points) for points in start)
    first = np.ones(MATCHES, bool)  # whether the one to throw is the one who began
    results, playing = np.zeros(MATCHES), np.arange(MATCHES)
    while len(playing):
        points = after(me[playing], thrown(policy[me[playing], other[playing]], random), on_one)
        over = points >= TARGET
        results[playing[over]] = first[playing[over]]
        me[playing], other[playing] = other[playing], points
        first[playing] ^= True
        playing = playing[~over]
    assert close(results, table[start][1].value)


def test_a_wrong_value_would_show():
    """The interval of these means is far narrower than what a bad choice costs."""
    assert FAR / np.sqrt(MATCHES) < 0.02
    assert abs(stage(TARGET, 5).value[39, 37]) > 0.05
