"""The contract of a rules file (docs/games/adding_a_game.md); rules that break it are refused with a one-line message.

`check_class` checks the class when a table is looked up by name. Solver and certifier each call `check_rules` first: it
asks for every way the dice can fall, and asks again in another order, because answers must not change. The certifier
calls `check_again` at the end.
"""

import random
from abc import ABCMeta
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, fields, replace
from functools import cached_property
from inspect import get_annotations, getattr_static, getfile, isfunction
from typing import Any

from dicebase.vocabulary.contracts.authors import answered
from dicebase.vocabulary.contracts.board_contract import ASKED_AGAIN, check_positions, first_positions
from dicebase.vocabulary.contracts.conditions import (
    CHOICE,
    LARGEST,
    NAME,
    WORDS,
    check_weights,
    is_free,
    is_text,
    is_whole,
    need,
)
from dicebase.vocabulary.contracts.sheet_contract import check_scorecard, check_sheet
from dicebase.vocabulary.contracts.turn_contract import check_turn
from dicebase.vocabulary.errors import ConfigurationError, nearest
from dicebase.vocabulary.parameters import Definition, Parameter
from dicebase.vocabulary.rules.boards import Board, PositionRules
from dicebase.vocabulary.rules.dealer import DealerGame, check_dealer
from dicebase.vocabulary.rules.draws import Draw, check_draw
from dicebase.vocabulary.rules.hidden import Hidden
from dicebase.vocabulary.rules.rulebook import Rulebook, Throw
from dicebase.vocabulary.rules.sheets import Scorecard, Sheet
from dicebase.vocabulary.rules.turns import RepeatedTurn, Turn

OF_THE_CLASS = {"title": str, "citation": str, "stop": str, "total": str, "keeps": bool, "defaults": Mapping}
OURS = {"family", "dice_fall", "question", "answer", "objective", "fresh", "fill", "scored", "may_stop", "least_bank"}
OURS |= {"dice_in", "mode_at", "called", "seen", "reward_factor"}
FOLLOWING = {"odds", "games", "gains", "above", "least", "spread"}  # derived by Scorecard
ASKED = 30  # repeat at least this many questions; if the rules have few, repeat each several times


def check_class(cls: type[Rulebook]) -> None:
    """Raise ConfigurationError unless a class is a valid `Rules` class of a rules file."""
    place = f"{cls.__module__.rpartition('.')[2]}.py"
    need(NAME.fullmatch(place[:-3]), f"{place}: a file's name is small letters, digits and _ ({NAME.pattern})")
    kinds = (Turn, Throw, Scorecard, Sheet, Draw, DealerGame, Board, Hidden)
    families = [family for family in kinds if issubclass(cls, family)]
    need(
        len(families) == 1,
        f"{place}: Rules must be one of {', '.join(kind.__name__ for kind in kinds)}, and one of them alone",
    )
    made = vars(cls).get("__dataclass_params__")
    need(made and made.frozen and made.eq, f"{place}: Rules must be a dataclass, @dataclass(frozen=True)")
    plain = type(cls) is ABCMeta and cls.__getattribute__ is object.__getattribute__ and cls.__new__ is object.__new__
    methods = cls.__init__, cls.__eq__, cls.__hash__  # dataclass compiles them from strings
    made = all(isfunction(method) and getfile(method) == "<string>" for method in methods)
    need(made and plain and not hasattr(cls, "__getattr__"), f"{place}: Rules must do what Python's dataclasses do")
    words, parameters = _words(base for base in cls.__mro__ if _is_ours(base)), _own_fields(cls)
    if issubclass(cls, Scorecard):
        words -= FOLLOWING
    for name in _words(base for base in cls.__mro__ if not _is_ours(base)) - parameters.keys() - (words - OURS):
        repeated = issubclass(cls, Turn) and name in _words([RepeatedTurn])
        known = "; it is one of RepeatedTurn" if repeated else nearest(name, words - OURS)
        hint = f"{known}; a helper's name begins with '_'"
        need(False, f"{place}: '{name}' is not a word of rules and must be left out{hint}")
    for name, parameter in parameters.items():
        wrong = "is called as a word of rules" if name in OURS else _wrong_parameter(parameter)
        need(not wrong, f"{place}: parameter '{name}' {wrong}")
    for name, kind in OF_THE_CLASS.items():
        said = getattr_static(cls, name, None)
        if name in words:
            need(isinstance(said, kind) and name not in parameters, f"{place}: '{name}' must be a {kind.__name__}")
        need(kind is not str or name not in words or is_text(said), f"{place}: '{name}' must be a line of text")
    for name in words - OURS - OF_THE_CLASS.keys():
        said = getattr_static(cls, name, None)
        method = callable(getattr(next(base for base in cls.__mro__ if _is_ours(base)), name, None))
        wraps = name != families[0].dice_fall or getattr(said, "is_asked_once", False)
        constant = method or _is_constant(cls, name) or not hasattr(said, "__get__")
        need(wraps and constant, f"{place}: '{name}' must be {'a method' if method else 'an attribute'} of Rules")
        need(not method or (callable(said) and name not in parameters), f"{place}: '{name}' must be a method of Rules")
    if issubclass(cls, Turn):
        first = cls.stop.split()[0].split("-")[0] if WORDS.fullmatch(cls.stop) else "roll"
        need(first not in ("roll", "keep", "mixed"), f"{place}: stop '{cls.stop}' must be letters, and not 'roll'")
        free = is_free(cls.total) and cls.total not in parameters
        need(free, f"{place}: total '{cls.total}' cannot be the name of a column")


def _own_fields(cls: type[Rulebook]) -> dict[str, Field]:
    """The dataclass fields that the author declared."""
    made = {"objective", "reward_factor"} if issubclass(cls, PositionRules) else set()
    return {f.name: f for f in fields(cls) if f.name not in made or f.metadata}


def _is_ours(base: type) -> bool:
    return base.__module__.startswith(("dicebase.vocabulary.", "abc", "builtins"))


def _words(bases: Iterable[type]) -> set[str]:
    """Return the public names that the classes define."""
    return {n for base in bases for n in (*vars(base), *get_annotations(base)) if not n.startswith("_")}


def _wrong_parameter(field: Field) -> str:
    """The error in a dataclass field that declares a parameter, in words; empty if it is correct."""
    said, default = dict(field.metadata), field.default
    if not is_free(field.name):
        return "cannot be the name of a column"
    if not is_text(said.get("description")) or said.keys() - set(Parameter.__dataclass_fields__):
        return "must be parameter(default, description, limits): otherwise no variant can choose it"
    if not (field.init and field.compare and field.hash is not False):
        return "must tell variants apart"
    if type(default) is int:
        limits = said.get("low"), said.get("high")
        holds = all(is_whole(x, -LARGEST) for x in limits) and limits[0] <= default <= limits[1]
        return "" if holds and not said.get("choices") else "needs whole numbers low and high, and a default in between"
    if type(default) is Definition:
        return "" if said.get("defined") is True else "must be defined"
    choices = said.get("choices")
    named = type(choices) is dict and all(type(x) is str and CHOICE.fullmatch(x) for x in choices)
    texts = named and all(map(is_text, choices.values()))
    return "" if texts and default in choices else "needs choices, texts with their meanings, and a default among them"


def check_columns(parameters: Iterable[str], columns: Iterable[str]) -> None:
    """Raise ConfigurationError if a name occurs twice among a table's parameters and columns."""
    for name, times in Counter([*parameters, *columns]).items():
        need(times == 1, f"'{name}' is the name of two columns: of parameters, or of a parameter and a position")


def check_made(rules: Rulebook, chosen: Mapping[str, object]) -> None:
    """Raise ConfigurationError if rules changed the parameters that they were made with."""
    for name, value in chosen.items():
        need(getattr(rules, name) == value, f"'{name}' is changed by Rules when it is made")
    need(not isinstance(rules, Scorecard) or is_whole(rules.slots, 1), "slots: is not a whole number from 1")
    if isinstance(rules, PositionRules):
        answered("what the class says", check_positions, rules)


Asked = tuple[Mapping[Any, Any], Callable[[Any, Any], Any]]
"""({question: first answer}, function that asks rules a question); later answers are compared with the first one."""


def check_rules(rules: Rulebook, copy: Rulebook | None = None) -> None:
    """Ask the rules all questions and check the answers; raises ConfigurationError if one breaks the contract.

    copy : the same rules without shared memory. It is asked the same questions in reverse order and must agree.
    """
    check_class(type(rules))
    answered("to ask the rules", _check, rules, copy or replace(rules))


def check_again(rules: Rulebook, copy: Rulebook) -> None:
    """Ask a fresh copy of the rules in random order. Raises ConfigurationError if an answer differs."""
    for first, ask in answered("to ask the rules", lambda: [*_asked(rules)]):
        for question in random.sample([*first], min(len(first), ASKED_AGAIN)):
            _compare(copy, question, first, ask)


def _check(rules: Rulebook, copy: Rulebook) -> None:
    cls, own = type(rules), {f.name for f in fields(rules)}
    for name in vars(rules).keys() - own:
        need(name.startswith("_") or _is_constant(cls, name), f"'{name}' is changed by Rules when it is made")
    for first, ask in _asked(rules):
        for again in [copy] + [replace(rules)] * (1 + ASKED // max(1, len(first))):
            for name in [n for n in vars(again) if n == "_answers" or _is_constant(cls, n)]:
                del vars(again)[name]
            for question in reversed(first):
                _compare(again, question, first, ask)


def _asked(rules: Rulebook) -> Iterator[Asked]:
    """Check everything that the rules state, and yield the questions with their first answers."""
    if isinstance(rules, PositionRules):
        yield from first_positions(rules)
        return
    if isinstance(rules, Turn):
        questions, ask = check_turn(rules)
    elif isinstance(rules, Throw):
        questions, ask = _check_throw(rules)
    elif isinstance(rules, Draw):
        questions, ask = check_draw(rules), lambda asked, hand: (asked.ranks, asked.payouts, asked.rank(hand))
    elif isinstance(rules, DealerGame):
        questions, ask = check_dealer(rules), DealerGame.answers
    elif isinstance(rules, Sheet):
        questions, ask = check_sheet(rules), lambda asked, dice: (asked.boxes, asked.entries(dice))
    else:
        questions = check_scorecard(rules)
        ask = lambda asked, slot: (asked.weights, [asked.gain(slot, roll) for roll in asked.weights])  # noqa: E731
    yield {question: ask(rules, question) for question in questions}, ask


def _compare(again: Rulebook, question: Any, first: Mapping[Any, Any], ask: Callable[[Any, Any], Any]) -> None:
    if ask(again, question) != first[question]:
        raise ConfigurationError(
            f"when asked again, the rules give another answer for {question}: an answer must not depend on other "
            "questions, or on the order of a set or a hash of texts"
        )


def _is_constant(cls: type, name: str) -> bool:
    return type(getattr_static(cls, name, None)) is cached_property


def _check_throw(rules: Throw) -> tuple[Sequence, Callable[[Any, Any], Any]]:
    choices = rules.choices
    distinct = type(choices) is tuple and all(is_whole(c, 1, 255) for c in choices) and [*choices] == sorted({*choices})
    need(distinct and choices, f"choices: {choices!r:.80} are not rising numbers of dice from 1 to 255, in a tuple")
    need(type(rules.wipes) is bool, f"wipes: {rules.wipes!r} is not a bool")
    for choice in choices:
        gains = rules.gains(choice)
        check_weights(f"gains({choice})", gains, 0)
        need(gains.keys() != {0}, f"gains({choice}): the throw can gain nothing but 0")
    return choices, lambda asked, choice: (asked.choices, asked.wipes, asked.gains(choice))
