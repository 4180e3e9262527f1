"""The version of dicebase."""

__version__ = "0.1.0"
