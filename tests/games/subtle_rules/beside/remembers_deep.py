"""Beside the rules: what it imports remembers."""

from dicebase.games import remembers


def remembered(key, value):
    return remembers.remembered(("deep", key), value)
