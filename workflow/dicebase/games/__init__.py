"""One file per game, with the rules of play and nothing else.

A game is found by the name of its file, here or in a folder named in the environment variable DICEBASE_GAMES (several
folders are separated as in PATH). Its class `Rules` is a frozen dataclass whose fields are the parameters.
"""

import os

__path__ = [*__path__, *filter(None, os.environ.get("DICEBASE_GAMES", "").split(os.pathsep))]
