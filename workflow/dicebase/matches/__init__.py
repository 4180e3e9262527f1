"""One file per match format: it makes a Game from the rules of a turn, a throw, a sheet or a board.

A format is found by its file's name. The file ends with FORMATS = {class of rules: class of the Listing, usually a
Game}. A format's class takes the rules first, then its own parameters.
"""

LEAST = 1e-250
"""Distributions leave out rows with a smaller probability."""
