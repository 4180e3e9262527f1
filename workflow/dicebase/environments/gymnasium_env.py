"""Tables of one player as environments of Gymnasium."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from dicebase.environments.game import SolvedGame, solved_game
from dicebase.vocabulary import ConfigurationError

MOST_IN_P = 100_000
"""Most outcomes of a game whose dynamics are given as `P`."""


class LegalActions(spaces.Discrete):
    """Numbers of actions; a sample is legal in the present state, whose mask the environment sets. After `seed` it is
    legal at the first state, because Gymnasium's checker then resets the environment."""

    mask: np.ndarray | None = None
    first: np.ndarray | None = None

    def seed(self, seed: Any = None) -> Any:
        self.mask = self.first if seed is not None else self.mask
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        if mask is None and probability is None:
            mask = self.mask
        return super().sample(mask, probability)


class TableEnv(gymnasium.Env):
    """A table of one player. The observation is the number of the state, and that of the end is one higher than all
    others; `info` has `action_mask`, `position` (text) and, after a step, `regret`. Rewards are in the unit of the
    table, and negative if less is better. An illegal action raises ConfigurationError.

    `reset(options={"position": text})` starts at a position of the table.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium's interface

    def __init__(
        self, table: str, results: str = "results", render_mode: str | None = None, **parameters: int | str
    ) -> None:
        self.game: SolvedGame = solved_game(table, results, **parameters)
        if self.game.players > 1:
            raise ConfigurationError(f"{table}: has two players; use dicebase.environments.aec_env or spiel_game")
        self.render_mode, self.end, self.state = render_mode, len(self.game.names), -1
        self.optimal_value, self.regret = self.game.optimal_value, self.game.regret
        self.observation_space = spaces.Discrete(self.end + 1)
        self.action_space = LegalActions(len(self.game.actions))
        self.action_space.first = self.action_space.mask = self.game.mask(self.game.start)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[int, dict]:
        super().reset(seed=seed)
        position = (options or {}).get("position")
        self.state = self.game.start if position is None else self.game.state(position)
        info = self._info()
        self.action_space.first = self.action_space.mask
        return self.state, info

    def step(self, action: int) -> tuple[int, float, bool, bool, dict]:
        if self.state < 0:
            raise ConfigurationError(f"{self.game.table}: play has ended; call reset")
        k = self.game.index(self.state, int(action))
        o = self.game.roll(k, self.np_random)
        self.state = int(self.game.next[o])
        return self._seen(self.state), self._reward(o), self.state < 0, False, self._info(float(self.game.regrets[k]))

    def render(self) -> str | None:
        return self._position() if self.render_mode == "ansi" else None

    @property
    def P(self) -> dict[int, dict[int, list[tuple[float, int, float, bool]]]]:
        """The dynamics as {state: {legal action: [(probability, next observation, reward, terminated)]}}. Raises
        ConfigurationError for a large game."""
        game = self.game
        if len(game.next) > MOST_IN_P:
            raise ConfigurationError(
                f"{game.table}: P is for at most {MOST_IN_P:,} outcomes; there are {len(game.next):,}"
            )
        found: dict = {self.end: {0: [(1.0, self.end, 0.0, True)]}}
        for s in range(self.end - (self.game.start < self.end - 1)):  # without the start of play, if it is skipped
            found[s] = {
                game.number[k]: [
                    (float(game.chance[o]), self._seen(int(game.next[o])), self._reward(o), bool(game.next[o] < 0))
                    for o in game.outcomes(k)
                ]
                for k in range(game.first[s], game.first[s + 1])
            }
        return found

    def _seen(self, state: int) -> int:
        return state if state >= 0 else self.end

    def _reward(self, o: int) -> float:
        return float(self.game.reward[o] * self.game.sense[0])

    def _position(self) -> str:
        return self.game.names[self.state] if self.state >= 0 else "end"

    def _info(self, regret: float | None = None) -> dict:
        self.action_space.mask = self.game.mask(self.state)
        said = {"action_mask": self.action_space.mask, "position": self._position()}
        return said if regret is None else said | {"regret": regret}
