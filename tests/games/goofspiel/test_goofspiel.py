"""Goofspiel: both players have the same cards and choose at once, so the value is 0."""

from typing import ClassVar

from support.contract import HiddenRulesContract, Published


class TestGoofspiel(HiddenRulesContract):
    game = "goofspiel"
    small: ClassVar = [{"cards": 2}]
    published = (Published("by symmetry", {"cards": 3}, 0),)
