"""Ten Times Eighteen: values its paper prints, and closed forms."""

from fractions import Fraction

import pytest

from support.contract import Contract, Published

LOADED = {"dice": 2, "faces": {**dict.fromkeys(range(1, 12), 1), 12: 2}}
DEFINITIONS = {"distribution": {"loaded": LOADED}}


class TestTenTimesEighteen(Contract):
    game = "ten_times_eighteen"
    match = "score"
    definitions = DEFINITIONS
    published = (
        Published("Böcker (2015), sections 4 and 6", {}, "642.2393504256"),
        Published("Böcker (2015), section 9", {"distribution": "loaded", "slots": 5}, "231.11229"),
        # A single slot takes every roll.
        Published("one slot, by hand", {"slots": 1}, Fraction(21, 2)),
        # A 1 goes to slot 1 and a 2 to slot 2; the other slot expects a roll of 3/2: 1 + 3 or 4 + 3/2 points.
        Published("a coin and two slots, by hand", {"distribution": "1d2", "slots": 2}, Fraction(19, 4)),
    )


@pytest.mark.parametrize("match", ["rank", "distribution"])
def test_ranks_and_distributions_have_the_same_values(match):
    contract = TestTenTimesEighteen()
    contract.match = match
    contract.test_a_value_is_known_from_elsewhere()
