"""Long jump, discus and javelin of the Decathlon: printed values, and another solver, which freezes the best dice."""

from fractions import Fraction
from typing import ClassVar

import pytest

from reference.decathlon import MAXJIANG, PRINTED, best_of, long_jump, parity
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved

ATTEMPTS = {"discus": lambda g: parity(g, 5, odd=0), "javelin": lambda g: parity(g, 6, odd=1), "long_jump": long_jump}


def one(event):
    return {"event": event, "attempts": 1}


class TestDecathlonAttempts(BoardRulesContract):
    game = "decathlon_attempts"
    match = "points"
    small: ClassVar = {"points": [one("discus")]}
    published = (Published(MAXJIANG, one("discus"), PRINTED["event=discus attempts=1"]),)


@pytest.mark.parametrize(
    "event", ["discus", *(pytest.param(event, marks=pytest.mark.slow) for event in ("javelin", "long_jump"))]
)
def test_an_attempt_is_solved_in_rationals(event):
    exact = Fraction(solved("decathlon_attempts_points", one(event)).certificate.exact)
    assert exact == ATTEMPTS[event](Fraction)
    assert abs(exact - Fraction(PRINTED[f"event={event} attempts=1"])) <= Fraction(1, 2 * 10**9)


@pytest.mark.slow
def test_the_best_of_two_attempts_equals_an_independent_solvers():
    certificate = solved("decathlon_attempts_points", {"event": "discus", "attempts": 2}).certificate
    assert abs(certificate.value - best_of(2, 30, ATTEMPTS["discus"])) <= certificate.error_bound


def test_values_that_may_be_frozen():
    rules = build("decathlon_attempts_points", {})
    assert rules.actions((1, 0, "throw", 0, "12266")) == [
        *("freeze 2266, throw 1", "freeze 2266, stop", "freeze 266, throw 2", "freeze 266, stop"),
        *("freeze 226, throw 2", "freeze 226, stop", "freeze 66, throw 3", "freeze 66, stop"),
        *("freeze 26, throw 3", "freeze 26, stop", "freeze 22, throw 3", "freeze 22, stop"),
        *("freeze 6, throw 4", "freeze 6, stop", "freeze 2, throw 4", "freeze 2, stop"),
    ]
    assert "invalid" in rules.why_missing((1, 0, "throw", 6, "1135"))
    assert rules.afterstate((2, 7, "throw", 4, "246"), "freeze 46, stop") == (1, 14)


def test_the_run_up():
    rules = build("decathlon_attempts_points", one("long_jump"))
    assert rules.actions((1, 0, "run_up", 5, "134")) == [
        "freeze 3, throw 2",
        "freeze 3, jump",
        *rules.actions((1, 0, "run_up", 7, "134")),
    ]
    assert rules.afterstate((1, 0, "run_up", 5, "134"), "freeze 3, jump") == (1, 0, "jump", 0, 3)
    assert rules.actions((1, 0, "jump", 6, "5")) == ["freeze 5, stop"]
