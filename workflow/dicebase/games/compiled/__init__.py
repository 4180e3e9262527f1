"""Positions of large games by layers and numbers, compiled: a file beside the rules of a game, of the same name, with a
class `Compiled` (vocabulary/layers.py)."""
