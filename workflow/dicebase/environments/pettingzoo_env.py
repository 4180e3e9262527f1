"""Duels as AEC environments of PettingZoo."""

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from dicebase.environments.game import solved_game
from dicebase.environments.gymnasium_env import LegalActions
from dicebase.vocabulary import ConfigurationError

AGENTS = ["player_0", "player_1"]
"""The players; player_0 moves first."""


class DuelEnv(AECEnv):
    """A table of two players. An agent observes {observation: the number of the state as its mover sees it, and one
    higher than all others at the end; action_mask}; `infos` has `position` (text) and, for the last mover, `regret`.

    If values are probabilities of winning, the winner gets 1 and the loser 0; otherwise rewards sum to 0. An illegal
    action raises ConfigurationError.
    """

    metadata = {"name": "dicebase", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012 - the interface
    render_mode = None

    def __init__(self, table: str, results: str = "results", **parameters: int | str) -> None:
        super().__init__()
        self.game = solved_game(table, results, **parameters)
        if self.game.players < 2:
            raise ConfigurationError(f"{table}: has one player; use gymnasium.make('dicebase/{table}-v1')")
        self.possible_agents = [*AGENTS]
        seen = {
            "observation": spaces.Discrete(len(self.game.names) + 1),
            "action_mask": spaces.Box(0, 1, (len(self.game.actions),), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in AGENTS}
        self.action_spaces = {agent: LegalActions(len(self.game.actions)) for agent in AGENTS}
        self.optimal_value, self.regret = self.game.optimal_value, self.game.regret
        self.rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a match, or with options={"position": text} at that position, which the first player sees as its
        mover."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        position = (options or {}).get("position")
        self.state = self.game.start if position is None else self.game.state(position)
        self.maximiser = int(self.game.sense[self.state] < 0)  # the number of the agent that wants the most
        self.agents = [*AGENTS]
        for name, value in {"rewards": 0.0, "_cumulative_rewards": 0.0, "terminations": False}.items():
            setattr(self, name, dict.fromkeys(AGENTS, value))
        self.truncations = dict.fromkeys(AGENTS, False)
        self._see(mover=0, regret=None)

    def observe(self, agent: str) -> dict:
        moves = self.state >= 0 and agent == self.agent_selection
        state = self.state if self.state >= 0 else len(self.game.names)
        return {"observation": np.int64(state), "action_mask": self.game.mask(self.state if moves else -1)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        k = self.game.index(self.state, int(action))
        o = self.game.roll(k, self.rng)
        self._cumulative_rewards[agent] = 0.0
        for number, paid in zip((self.maximiser, 1 - self.maximiser), self.game.payoffs(o), strict=True):
            self.rewards[AGENTS[number]] = paid
        self.state = int(self.game.next[o])
        if self.game.sign[o] < 0:
            self.maximiser = 1 - self.maximiser
        mover = AGENTS.index(agent)
        if self.state < 0:
            self.terminations = dict.fromkeys(AGENTS, True)
        else:
            mover = self.maximiser if self.game.sense[self.state] > 0 else 1 - self.maximiser
        self._see(mover, (agent, float(self.game.regrets[k])))
        self._accumulate_rewards()

    def _see(self, mover: int, regret: tuple[str, float] | None) -> None:
        self.agent_selection = AGENTS[mover]
        position = self.game.names[self.state] if self.state >= 0 else "end"
        self.infos = {agent: {"position": position} for agent in AGENTS}
        if regret:
            self.infos[regret[0]]["regret"] = regret[1]
        for agent in AGENTS:
            self.action_spaces[agent].mask = self.game.mask(self.state if agent == self.agent_selection else -1)
