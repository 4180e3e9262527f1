"""Compiled positions of large games by layer and number. Each file has the name of its game's rules file and a class
`Compiled` (vocabulary/layers.py)."""
