"""Compiled rules of large games: numbered positions and their moves. Each file has the name of its game's rules file
and a class `Compiled` (vocabulary/layers.py); it stands here or in the folder `compiled` beside the rules."""

import os

import dicebase.games as games

__path__ = [*__path__, *(os.path.join(folder, "compiled") for folder in games.__path__[1:])]
