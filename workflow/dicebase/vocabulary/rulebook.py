"""Rulebook, the base class of all rules, and the rules of throws."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, wraps
from types import MappingProxyType
from typing import Any, ClassVar

from dicebase.vocabulary.authors import answered
from dicebase.vocabulary.words import in_lines


class Rulebook(ABC):
    """What the rules of every game say of themselves.

    Whatever rules are asked they are asked once: the first answer stands, of properties and of the method `dice_fall`.
    """

    dice_fall: ClassVar[str] = ""  # the method that says how the dice can fall
    family: ClassVar[
        str
    ]  # the package of its solvers, rows and checks: turns, throws, sheets, sheets.one_roll or boards
    title: ClassVar[str]
    citation: ClassVar[str]
    # What definitions of a parameter may choose, {parameter: {switch: {choice: in words}, or of a number in words}},
    # where the explorer can solve a turn by a definition that is edited there.
    switches: ClassVar[Mapping[str, Mapping[str, Mapping[str, str] | str]]] = MappingProxyType({})
    # Of a match format's parameters, where the game is known by another value.
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
        """What the name that a parameter has stands for, line by line; rules that know better say it better."""
        return in_lines(getattr(self, parameter).content)

    def question(self, *question: Any) -> tuple:
        """A question as it tells apart what the method `dice_fall` may tell apart."""
        return question

    def answer(self, rule: Callable, *question: Any) -> Any:
        """What an author's method says."""
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
    """The rules of a turn of one decision: choose a throw, and what falls is banked."""

    family, dice_fall = "throws", "gains"

    choices: tuple[int, ...]  # how many dice one may throw
    wipes: bool = False  # whether a throw of nothing loses the points banked before as well

    @abstractmethod
    def gains(self, choice: int) -> dict[int, int]:
        """{points gained: weight} of a throw, in rising order; 0 is a throw of nothing, which may happen and must
        not be certain."""
