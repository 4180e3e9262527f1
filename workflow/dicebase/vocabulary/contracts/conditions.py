"""Conditions used in the checks of rules files."""

import re
from collections.abc import Collection

from dicebase.vocabulary.errors import ConfigurationError, shown

NAME = re.compile("[a-z][a-z0-9_]*")
CHOICE = re.compile(r"\w[\w.+:-]*", re.ASCII)  # part of a file's name
WORDS = re.compile(r"[^\W\d_]+([ -][^\W\d_]+)*")
_RESERVED = """
table slice parameters definitions store value unit error_bound error_bound_proof exact states actions residual games
simulated simulated_low simulated_high solver seconds continuation note citation name slice_by roll rolled number action
q_value regret probability optimal undecided margin reachable sense value_is
transitions
"""
RESERVED = frozenset(_RESERVED.split())
"""Names with a meaning in files, views, lookups or the configuration; no parameter or column may have them."""

LARGEST = 2**31 - 1  # the largest integer that a column holds
MOST_WEIGHT = 2**53  # limit on the sum of a throw's weights, so that doubles hold it exactly


def need(holds: object, what: str) -> None:
    """Raise ConfigurationError with the text `what` unless a condition holds."""
    if not holds:
        raise ConfigurationError(what)


def is_whole(number: object, low: int, high: float = LARGEST) -> bool:
    """Whether a value is a plain Python integer within limits."""
    return type(number) is int and low <= number <= high


def check_whole(place: str, number: object, low: int, high: int) -> None:
    """Raise ConfigurationError, which names the place in the configuration, unless a value is an integer in range."""
    need(is_whole(number, low, high), f"{place}: {shown(number)} is not a whole number from {low} to {high}")


def check_choice(place: str, said: object, allowed: Collection[str]) -> None:
    """Raise ConfigurationError, which names the place in the configuration, unless a value is one of those allowed."""
    need(said in [*allowed], f"{place}: {shown(said)} is not one of {', '.join(allowed)}")


def check_line(place: str, text: object) -> None:
    """Raise ConfigurationError, which names the place in the configuration, unless a value is a line of text."""
    need(isinstance(text, str) and text.isprintable(), f"{place}: {shown(text)} is not a line of text")


def check_weights(place: str, weights: dict[int, int], low: int) -> None:
    """Check that a value is {number: positive weight}, with numbers in rising order from `low`."""
    rising = type(weights) is dict and all(is_whole(x, low) for x in weights) and [*weights] == sorted(weights)
    need(rising and weights, f"{place}: {weights!r:.80} is not a dict of whole numbers from {low}, in rising order")
    positive = all(is_whole(w, 1, 10**300) for w in weights.values()) and sum(weights.values()) <= 10**300
    need(positive, f"{place}: a weight is not a whole number from 1, or they sum to more than 1e300")


def is_text(text: object) -> bool:
    return type(text) is str and text == " ".join(text.split()) != "" and text.isprintable()


def is_free(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name not in RESERVED
