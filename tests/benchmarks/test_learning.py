"""benchmarks/learning.py: what two methods learn in a small game, and the regret that is reported."""

import numpy as np
import pytest

from dicebase.environments import solved_game

pytestmark = pytest.mark.slow  # compiles two kernels


@pytest.fixture(scope="module")
def game(results):
    return solved_game("pig_turn", str(results), sides=6)


@pytest.fixture(scope="module")
def arrays(game):
    upto = np.concatenate([game.chance[a:b].cumsum() for a, b in zip(game.begin, game.begin[1:], strict=False)])
    following = game.first, game.sense.astype(float), game.begin, upto, game.next
    return *following, game.reward, game.sign.astype(float)


def test_q_learning_finds_the_values_of_pig(script, game, arrays):
    q, visits = np.zeros(len(game.q)), np.zeros(len(game.q), np.int64)
    script("learning").learn(q, visits, game.start, *arrays, 200_000, 1)
    often = visits > 2000
    assert often.sum() > 15 and np.abs(q - game.q)[often].max() < 0.5
    assert visits.sum() > 200_000 and visits[game.first[game.start]] == 200_000


@pytest.mark.parametrize("position, action", [("2", "roll"), ("10", "roll"), ("26", "hold")])
def test_tree_search_finds_clear_decisions(script, game, arrays, position, action):
    k = script("learning").search(game.state(position), float(np.ptp(game.value)), *arrays, 5000, 1)
    assert game.actions[game.number[k]] == action


def test_the_worst_position_has_the_largest_mean_regret(script, game):
    places = np.array([game.state(str(total)) for total in (2, 19, 26)])
    best = [game.index(s, "roll") for s in places[:2]] + [game.index(places[2], "hold")]
    chosen = np.array([best, best])
    chosen[1, 2] = game.index(places[2], "roll")
    assert script("learning").worst(game, places, chosen) == "26: roll for hold, 1.0000"


def test_an_interval_is_students(script):
    assert script("learning").interval([1.0, 2.0, 3.0]) == "2.0000 ± 2.4841"  # 4.3027 / sqrt(3)
