"""A helper for rules that calls another module, which keeps state between calls."""

from dicebase.games import remembers


def remembered(key, value):
    return remembers.remembered(("deep", key), value)
