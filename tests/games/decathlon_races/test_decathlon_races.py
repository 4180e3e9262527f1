"""The races of the Decathlon: printed values, and another solver, which uses the distribution of a set's points."""

from fractions import Fraction
from typing import ClassVar

import pytest

from reference.decathlon import MAXJIANG, PRINTED, race
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved

RACES = {
    "400_metres": (4, 2, 5),
    "1500_metres": (8, 1, 5),
    "100_metres": (2, 4, 5),
    "110_metre_hurdles": (1, 5, 5, False),
}


class TestDecathlonRaces(BoardRulesContract):
    game = "decathlon_races"
    match = "points"
    small: ClassVar = {"points": [{"event": "400_metres"}, {"event": "1500_metres"}]}
    published = (Published(MAXJIANG, {"event": "400_metres"}, PRINTED["event=400_metres"]),)


@pytest.mark.parametrize(
    "event", ["400_metres", "1500_metres", *(pytest.param(e, marks=pytest.mark.slow) for e in [*RACES][2:])]
)
def test_a_race_is_solved_in_rationals(event):
    exact = Fraction(solved("decathlon_races_points", {"event": event}).certificate.exact)
    assert exact == race(*RACES[event])
    assert abs(exact - Fraction(PRINTED[f"event={event}"])) <= Fraction(1, 2 * 10**9)


def test_sixes():
    points = [
        build("decathlon_races_points", {"event": event}).afterstate((2, 0, "11666"), "freeze") for event in RACES
    ]
    assert points == [(1, 0, -16)] * 3 + [(1, 0, 20)]


def test_without_rethrows_a_set_is_frozen():
    assert build("decathlon_races_points", {}).actions((2, 0, "11")) == ["freeze"]
