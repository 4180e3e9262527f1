"""What the rules of every game say of themselves."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar


class Rulebook(ABC):
    """What the rules of every game say of themselves."""

    family: ClassVar[str]  # turns, throws or scorecards: the folder of its solvers, rows and checks
    title: ClassVar[str]
    citation: ClassVar[str]
    # Of a match format's parameters, where the game is known by another value.
    defaults: ClassVar[Mapping[str, int | str]] = MappingProxyType({})
