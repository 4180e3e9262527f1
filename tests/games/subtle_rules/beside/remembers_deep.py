"""A module beside the rules that imports a module with a memory."""

from dicebase.games import remembers


def remembered(key, value):
    return remembers.remembered(("deep", key), value)
