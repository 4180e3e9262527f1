"""Boards that break a law far from the start: a lawful file with one line changed gets no certificate.

The solver reads the first 200 positions before it solves a board; here they are lawful. Most of the changes return a
value that is equal to a lawful value but not the same, such as True for 1, which a dict takes for the same key.
"""

import re

import pytest

from .test_broken_boards import change, check_refused  # noqa: F401, fixtures
from .test_broken_rules import GAME, HERE, play  # noqa: F401, the fixture

LAWFUL = (HERE / "lawful/road.py").read_text()
ACTIONS, AFTER, END = '["one die", "both dice"]', "return there, int(there > FAR)", "(1, None, square % 7, 1)"
STATE = "(weight, (square, late, roll), 0, 1)"


def often(lawful, other, on="square"):
    """A line of code that behaves differently far from the start, in every other square."""
    return f"({other} if {on} > FAR and {on} % 2 else {lawful})"


def after(other):
    return AFTER, f"return {often('(there, int(there > FAR))', other, 'there')}"


def outcome(other, lawful=STATE):
    return lawful, often(lawful, other)


def actions(other):
    return ACTIONS, often(ACTIONS, other, "state[0]")


TRUE_BY_ONE_DIE = "(True if there > FAR and action == 'one die' else int(there > FAR))"
NO_STATE, TWO = "is no plain tuple of (int, int, str)", "are equal but have different bytes"
TWO_STATES = f"{NO_STATE}|{TWO}"
# (old text, new text, the message or a pattern of both possible messages)
KINDS, NO_TEXT = "not int, str, bool, None or a tuple of these", "is not a plain str of Python"
CHANGES = {
    "a roll out of order": (*outcome("(weight, (square, late, roll[::-1]), 0, 1)"), "sorted digits, '12'"),
    "a roll with a blank": (*outcome("(weight, (square, late, ' '.join(roll)), 0, 1)"), "sorted digits, '11'"),
    "a float in an afterstate": (*after("(there, 1.0)"), f"1.0 is of the type float, {KINDS}"),
    "half in an afterstate": (*after("(there, (0.5, 1))"), f"0.5 is of the type float, {KINDS}"),
    "minus nothing in an afterstate": (*after("(there, -0.0)"), f"-0.0 is of the type float, {KINDS}"),
    "a rational in an afterstate": (*after("(there, Fraction(1))"), f"is of the type Fraction, {KINDS}"),
    "a number of NumPy in an afterstate": (*after("(there, np.int64(1))"), f"is of the type int64, {KINDS}"),
    "another whole number in an afterstate": (*after("(there, Whole(1))"), f"is of the type Whole, {KINDS}"),
    "a name in an afterstate": (*after("(there, Number.ONE)"), f"is of the type Number, {KINDS}"),
    "another tuple for an afterstate": (*after("Place(there, 1)"), f"is of the type Place, {KINDS}"),
    "a set in an afterstate": (*after("(there, frozenset({1}))"), f"is of the type frozenset, {KINDS}"),
    "True in an afterstate": (AFTER, f"return there, {TRUE_BY_ONE_DIE}", TWO),
    "True deep in an afterstate": (AFTER, f"return there, (('x', ({TRUE_BY_ONE_DIE},)), None)", TWO),
    "very deep tuples": (*after("(there, reduce(lambda deep, _: (deep,), range(3000), 0))"), "100 nested tuples"),
    "a float for a state": (*outcome("(weight, (float(square), late, roll), 0, 1)"), NO_STATE),
    "True in a state": (*outcome("(weight, (square, True, roll), 0, 1)"), TWO_STATES),
    "True for 1 in a state": (
        STATE, "(weight, (square, late and (roll == '11' or square % 5 > 0), roll), 0, 1)", TWO_STATES),
    "another text in a state": (*outcome("(weight, (square, late, Text(roll)), 0, 1)"), NO_STATE),
    "another tuple for a state": (*outcome("(weight, Place(square, roll), 0, 1)"), NO_STATE),
    "a weight of True": (*outcome("(True, *(weight, (square, late, roll), 0, 1)[1:])"), "weight is not a whole number"),
    "a weight with a point": (*outcome("(float(weight), (square, late, roll), 0, 1)"), "weight is not a whole number"),
    "a weight of NumPy": (*outcome("(np.int64(weight), (square, late, roll), 0, 1)"), "weight is not a whole number"),
    "a rational weight": (*outcome("(Fraction(weight), (square, late, roll), 0, 1)"), "weight is not a whole number"),
    "a reward with a point": (*outcome("(weight, (square, late, roll), 0.0, 1)"), "a reward is "),
    "a sign of True": (*outcome("(weight, (square, late, roll), 0, True)"), "a sign is not 1"),
    "a sign with a point": (*outcome("(weight, (square, late, roll), 0, 1.0)"), "a sign is not 1"),
    "another text for an action": (*actions('["one die", Text("both dice")]'), NO_TEXT),
    "a name for an action": (*actions('["one die", Named.BOTH]'), NO_TEXT),
    "a text of NumPy for an action": (*actions('["one die", np.str_("both dice")]'), NO_TEXT),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGES.values(), ids=map(re.compile(r"\W+").sub, ["_"] * 99, CHANGES))
def test_broken_laws_far_from_the_start_are_refused(case, check_refused):  # noqa: F811
    check_refused(LAWFUL, f"{GAME}_points", *case)
