"""Run by test_environments.py in an environment with gymnasium: its checker, seeds, masks, P, exact learning."""

import io
import os
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

import dicebase.environments
from dicebase import DicebaseError

RESULTS = sys.argv[1]


def made(name, **parameters):
    return gymnasium.make(f"dicebase/{name}-v1", results=RESULTS, **parameters)


for name in ("pig_turn", "ten_thousand_turn", "pig_race", "shut_the_box_win", "think_points"):
    check_env(made(name).unwrapped, skip_render_check=True)
names = [name for name in gymnasium.registry if name.startswith("dicebase/")]
assert len(names) == len(dicebase.environments.versions.versions())

env = made("pig_turn", sides=6)
assert env.action_space.n == 2 and env.unwrapped.optimal_value() == 492303203 / 60466176
assert env.unwrapped.regret("25", "roll") > 0.83 and env.unwrapped.game.actions == ["roll", "hold"]


def played(seed):
    found, (state, info) = [], env.reset(seed=seed)
    while True:
        assert info["action_mask"].tolist() == [1, int(state > 0)]
        state, reward, ended, _, info = env.step(int(info["action_mask"][1] and state > 15))
        found.append((state, reward, info["regret"]))
        if ended:
            assert info["position"] == "end" and not info["action_mask"].any()
            return found


assert played(1) == played(1) != played(2)
assert env.reset(options={"position": "20"})[1]["position"] == "20"
for action, said in ((1, "pig_turn at 0: 1 is illegal; allowed are 0 (roll)"), (2, "2 is illegal")):
    env.reset()
    try:
        env.unwrapped.step(action)
        raise AssertionError("an illegal action was taken")
    except DicebaseError as error:
        assert said in str(error)

# Value iteration on P gives the published values.
P = env.unwrapped.P
values = np.zeros(len(P) + 1)
for _ in range(100):
    for s, of in P.items():
        values[s] = max(sum(p * (r + (not end) * values[t]) for p, t, r, end in known) for known in of.values())
assert abs(values[:26] - env.unwrapped.game.value[:26]).max() < 1e-13

# The learning curve of the page.
page = (Path(__file__).parents[3] / "docs/use/environments.md").read_text(encoding="utf-8")
(code,) = re.findall(r"^<!-- file: try/learn.py -->\n```python\n(.*?)^```$", page, re.M | re.S)
os.chdir(Path(RESULTS).parent)
with redirect_stdout(io.StringIO()) as printed:
    exec(code, {})
losses = [float(x) for x in re.findall(r"episodes: loss ([\d.]+) points, mean regret", printed.getvalue())]
assert len(losses) == 3 and losses[2] < 1 < losses[0], printed.getvalue()

for wrong, said in (
    (lambda: made("pig_duel", target=20), "pig_duel: has two players; use dicebase.environments.aec_env or spiel_game"),
    (lambda: made("yahtzee_score"), "NameNotFound"),
    (lambda: made("pig_turn", sides=7), "pig_turn is not solved for sides=7"),
    (lambda: made("pig_reach").unwrapped.P, "P is for at most 100,000 outcomes"),
):
    try:
        wrong()
        raise AssertionError(said)
    except (DicebaseError, gymnasium.error.Error) as error:
        assert said in f"{type(error).__name__}: {error}", error
