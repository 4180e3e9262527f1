"""Check the values of parameters, and write each in its one spelling."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

from dicebase.vocabulary import ConfigurationError, Parameter, nearest, shown

Definitions = Mapping[str, Mapping[str, Any]]
"""The definitions that the names of a game's parameters stand for: {parameter: {name: definition}}."""


def one_spelling(value: object) -> str:
    """The canonical form of a text parameter: '1, 2' becomes '1,2', YAML's 5 becomes '5', and its true `yes`."""
    text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
    return ",".join(part.strip() for part in text.split(","))


def checked_value(p: Parameter, value: object, definitions: Definitions, place: str) -> int | str:
    """Return a parameter's value as tables store it; raises ConfigurationError, which names `place`, if it is not
    allowed or not defined."""
    if p.kind is int:
        written = isinstance(value, str) and len(value) < 20 and value.isascii() and value.removeprefix("-").isdecimal()
        if whole := written or (isinstance(value, Integral) and not isinstance(value, bool)):
            value = int(value)
        allowed = whole and (p.low is None or value >= p.low) and (p.high is None or value <= p.high)
    else:
        value, allowed = one_spelling(value), True
    if not allowed or (p.choices and value not in p.choices):
        raise ConfigurationError(f"{place}: {shown(value)} is not allowed; give {p.allowed}")
    if p.defined and not p.text and value not in definitions.get(p.name, {}):
        hint = nearest(str(value), definitions.get(p.name, {}))
        raise ConfigurationError(f"{place}: {shown(value)} is not defined; give {p.allowed}{hint}")
    return value
