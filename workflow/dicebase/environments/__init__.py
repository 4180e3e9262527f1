"""Games with a known optimum for players that learn: docs/use/environments.md.

    import dicebase.environments, gymnasium
    env = gymnasium.make("dicebase/pig_turn-v1", sides=6)

Importing this package registers every versioned table with Gymnasium, if it is installed. The other functions import
their library when they are called. `results` is the folder with the tables, by default `results`.
"""

from importlib.util import find_spec
from typing import Any

from dicebase.environments.versions import VERSION
from dicebase.environments.versions import versions as _versions


def solved_game(table: str, results: str = "results", **parameters: int | str) -> Any:
    """Return a SolvedGame (dicebase/environments/game.py): states, actions, values, regrets, no library."""
    from dicebase.environments.game import solved_game

    return solved_game(table, results, **parameters)


def aec_env(table: str, results: str = "results", **parameters: int | str) -> Any:
    """Return a duel as an AEC environment of PettingZoo. Raises ConfigurationError for a table of one player."""
    from dicebase.environments.pettingzoo_env import DuelEnv

    return DuelEnv(table, results, **parameters)


def spiel_game(table: str, results: str = "results", **parameters: int | str) -> Any:
    """Return a table of one or two players as a game of OpenSpiel."""
    from dicebase.environments.openspiel_game import SpielGame

    return SpielGame({"table": table, "results": results} | parameters)


def load_environment(table: str, results: str = "results", count: int = 100, **parameters: int | str) -> Any:
    """Return an environment of verifiers: `count` positions in words, rewarded by 1 - regret / range."""
    from dicebase.environments.verifiers_taskset import load

    return load(table, results, count, parameters)


if find_spec("gymnasium"):
    import gymnasium

    for _name in _versions():
        _table = _name.removesuffix(VERSION)
        _id = f"dicebase/{_name}"
        if _id not in gymnasium.registry:
            _point = "dicebase.environments.gymnasium_env:TableEnv"
            gymnasium.register(_id, entry_point=_point, kwargs={"table": _table})
