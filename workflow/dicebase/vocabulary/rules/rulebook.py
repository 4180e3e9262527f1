"""Rulebook, the base class of all rules, and Throw, the rules of throws."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, wraps
from types import MappingProxyType
from typing import Any, ClassVar

from dicebase.vocabulary.contracts.authors import answered
from dicebase.vocabulary.words import in_lines


class Rulebook(ABC):
    """The base class of all rules.

    Rules answer each question once: the first answer of a property and of the method `dice_fall` is kept.
    """

    dice_fall: ClassVar[str] = ""  # the name of the method that states the outcomes of the dice
    # The package of its solvers, rows and checks, a key of families.FAMILIES.
    family: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    # The choices within a definition that the explorer can edit and solve: {parameter: {switch: {choice: its meaning},
    # or the meaning of a number}}.
    switches: ClassVar[Mapping[str, Mapping[str, Mapping[str, str] | str]]] = MappingProxyType({})
    # Default values of a match format's parameters, if this game's usual ones differ.
    defaults: ClassVar[Mapping[str, int | str]] = MappingProxyType({})

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, said in list(vars(cls).items()):
            if getattr(said, "__isabstractmethod__", False):
                continue
            if isinstance(said, property) and said.fget:
                constant = cached_property(said.fget)
                constant.__set_name__(cls, name)
                setattr(cls, name, constant)
            elif name == cls.dice_fall and callable(said):
                setattr(cls, name, _asked_once(said))

    def in_words(self, parameter: str) -> list[str]:
        """The content of the definition that a parameter names, line by line; rules may word it better."""
        return in_lines(getattr(self, parameter).content)

    def question(self, *question: Any) -> tuple:
        """Return the part of a question on which the method `dice_fall` may depend; each part is asked about once."""
        return question

    def answer(self, rule: Callable, *question: Any) -> Any:
        """Call the author's method."""
        return rule(self, *question)


def _asked_once(rule: Callable) -> Callable:
    @wraps(rule)
    def dice_fall(self: Rulebook, *question: Any) -> Any:
        answers = vars(self).setdefault("_answers", {})
        place = (rule.__qualname__, *(question := self.question(*question)))
        if place not in answers:
            answers[place] = answered(f"{self.dice_fall}{question}", self.answer, rule, *question)
        return answers[place]

    dice_fall.is_asked_once = True
    return dice_fall


class Throw(Rulebook):
    """The rules of a turn with one decision: choose a throw, then bank its points."""

    family, dice_fall = "throws", "gains"

    choices: tuple[int, ...]  # the numbers of dice that a player may throw
    wipes: bool = False  # whether a throw that gains 0 also loses all banked points

    @abstractmethod
    def gains(self, choice: int) -> dict[int, int]:
        """Return {points gained: weight} of a throw, in rising order; 0 must not be the only gain."""
