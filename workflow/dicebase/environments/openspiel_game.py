"""Tables as games of OpenSpiel, with chance as moves of their own.

A Python game registers under `python_dicebase`: pyspiel.load_game("python_dicebase", {"table": "pig_turn"}).
"""

from typing import Any

import pyspiel

from dicebase.environments.game import SolvedGame, solved_game
from dicebase.vocabulary import pairs

LONGEST = 1_000_000
"""The stated length of games that can last for ever."""

KIND: dict[str, Any] = {
    "short_name": "python_dicebase",
    "long_name": "A table of dicebase",
    "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
    "chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    "information": pyspiel.GameType.Information.PERFECT_INFORMATION,
    "utility": pyspiel.GameType.Utility.ZERO_SUM,
    "reward_model": pyspiel.GameType.RewardModel.REWARDS,
    "max_num_players": 2,
    "min_num_players": 1,
    "provides_information_state_string": True,
    "provides_information_state_tensor": False,
    "provides_observation_string": True,
    "provides_observation_tensor": False,
    "parameter_specification": {"table": "pig_turn", "results": "results", "parameters": ""},
}


class SpielGame(pyspiel.Game):
    """A table. `parameters` are words, such as "sides=6 dice=1".

    If values of two players are probabilities of winning, the winner gets 1 and the loser -1, because OpenSpiel's
    solvers need games that sum to zero: a value v of the table is 2 v - 1 here. If less is better, returns are
    negative.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        table, results = given.pop("table", "pig_turn"), given.pop("results", "results")
        words = given.pop("parameters", "")
        self.solved: SolvedGame = solved_game(table, results, **given, **pairs(words.split(), table))
        two = self.solved.players > 1
        self.scale = 1 + self.solved.total
        most = float(abs(self.solved.reward).max()) * self.scale * (1 if self.solved.total else LONGEST)
        info = {
            "num_distinct_actions": len(self.solved.actions),
            "max_chance_outcomes": int((self.solved.begin[1:] - self.solved.begin[:-1]).max()),
            "num_players": 1 + two,
            "min_utility": -most,
            "max_utility": most,
            "max_game_length": LONGEST,
        }
        kind = KIND | {"max_num_players": 1 + two, "min_num_players": 1 + two}
        if not two:
            kind["utility"] = pyspiel.GameType.Utility.GENERAL_SUM
        else:
            info["utility_sum"] = 0.0
        super().__init__(pyspiel.GameType(**kind), pyspiel.GameInfo(**info), params or {})

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        return _Observer()


class SpielState(pyspiel.State):
    """A position, or an action whose outcome chance has not decided yet (`fallen`, an index in SolvedGame.q)."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.solved, self.scale = game.solved, game.scale
        self.position = self.solved.start
        self.maximiser = 0  # the player who wants the most
        self.earned, self.last = 0.0, 0.0  # by player 0, in all and by the last outcome
        self.fallen = len(self.solved.q) - 1 if self.position == len(self.solved.names) - 1 else -1

    def current_player(self) -> int:
        if self.position < 0:
            return pyspiel.PlayerId.TERMINAL
        if self.fallen >= 0:
            return pyspiel.PlayerId.CHANCE
        return (
            self.maximiser if self.solved.sense[self.position] > 0 or self.solved.players == 1 else 1 - self.maximiser
        )

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.solved.legal(self.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, float(self.solved.chance[o])) for i, o in enumerate(self.solved.outcomes(self.fallen))]

    def _apply_action(self, action: int) -> None:
        self.last = 0.0
        if self.fallen < 0:
            self.fallen = self.solved.index(self.position, action)
            if len(self.solved.outcomes(self.fallen)) > 1:
                return
            action = 0
        o = self.solved.outcomes(self.fallen)[action]
        self.last = self._paid(o)
        self.earned += self.last
        if self.solved.sign[o] < 0:
            self.maximiser = 1 - self.maximiser
        self.position, self.fallen = int(self.solved.next[o]), -1

    def _paid(self, o: int) -> float:
        """Return what an outcome pays player 0."""
        if self.solved.players == 1:
            return float(self.solved.reward[o] * self.solved.sense[0])
        mine, theirs = self.solved.payoffs(o)
        paid = (mine - theirs) * self.scale / 2
        return paid if self.maximiser == 0 else -paid

    def _action_to_string(self, player: int, action: int) -> str:
        return f"outcome {action}" if player == pyspiel.PlayerId.CHANCE else self.solved.actions[action]

    def is_terminal(self) -> bool:
        return self.position < 0

    def rewards(self) -> list[float]:
        return [self.last, -self.last][: self.solved.players]

    def returns(self) -> list[float]:
        return [self.earned, -self.earned][: self.solved.players]

    def __str__(self) -> str:
        """Return all that values depend on: what player 0 has earned, the player to move, the position, the action."""
        if self.position < 0:
            return f"{self.earned:.10g} end"
        chosen = f", {self.solved.actions[self.solved.number[self.fallen]]}" if self.fallen >= 0 else ""
        return f"{self.earned:.10g} player {self.maximiser}: {self.solved.names[self.position]}{chosen}"


class _Observer:
    """Both players see the position."""

    tensor, dict = None, {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Do nothing, because there is no tensor."""

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


pyspiel.register_game(pyspiel.GameType(**KIND), SpielGame)
