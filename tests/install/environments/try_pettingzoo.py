"""Run by test_environments.py in an environment with pettingzoo: its tests, rewards, seeds, and the value by play."""

import sys
import warnings

import numpy as np
from pettingzoo.test import api_test, seed_test

from dicebase import DicebaseError
from dicebase.environments import aec_env

RESULTS = sys.argv[1]
warnings.simplefilter("ignore")  # the observation is a state number and a mask, and nothing is drawn


def made(table="pig_duel", **parameters):
    return aec_env(table, results=RESULTS, **parameters)


for table in ("pig_duel", "einstein_duel", "hog_duel"):
    api_test(made(table, **({"target": 20} if table == "pig_duel" else {})), num_cycles=300)
seed_test(lambda: made(target=20), num_cycles=20)

env = made(target=20)
best = env.game.policy("optimal")
won = np.zeros(2)
env.reset(seed=5)
for _ in range(4000):
    env.reset()
    for agent in env.agent_iter():
        _, _, ended, _, _ = env.last()
        chosen = None
        if not ended:
            first, end = env.game.first[env.state : env.state + 2]
            chosen = env.game.number[first + int(best[first:end].argmax())]
            assert env.observe(agent)["action_mask"][chosen] == 1
        env.step(chosen)
        if chosen is not None:
            assert env.infos[agent]["regret"] < 1e-12
            assert sum(env.rewards.values()) == (env.state < 0)
            won += [env.rewards["player_0"], env.rewards["player_1"]]
assert won.sum() == 4000 and abs(won[0] / 4000 - env.optimal_value()) < 4 * (0.25 / 4000) ** 0.5

env.reset()
for wrong, said in ((lambda: env.step(1), "is illegal"), (lambda: made("pig_turn"), "has one player; use gymnasium")):
    try:
        wrong()
        raise AssertionError(said)
    except DicebaseError as error:
        assert said in str(error)
