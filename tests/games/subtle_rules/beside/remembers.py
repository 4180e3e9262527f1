"""Helpers for rules, in a module of their own, that keep state between calls."""

from functools import cache
from itertools import count

known = {}
calls = count()
settings = {}


@cache
def paid_at(at, rules=None):
    return settings["prize"] if at == settings["length"] else 1


def remembered(key, value):
    return known.setdefault(key, value)


class Registry:
    entries = {}  # noqa: RUF012

    def __init__(self, name, value):
        self.value = Registry.entries.setdefault(name, value)
