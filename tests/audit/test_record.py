"""A printed number agrees with ours if ours rounds to it; words, whole numbers and fractions must be equal."""

import pytest

from dicebase.audit.record import Ours, agrees, text


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.5", Ours(0.54999, ""), True),
        ("0.5", Ours(0.55001, ""), False),
        ("0.50", Ours(0.54999, ""), False),
        ("3.99e18", Ours(3.9852e18, ""), True),
        ("3.99e18", Ours(3.98e18, ""), False),
        ("4/7", Ours(4 / 7, ""), False),  # a double equals a fraction only within its error bound
        ("4/7", Ours(4 / 7, "", 1e-15), True),
        ("4/7", Ours(0.5714, "", 1e-15), False),
        ("1", Ours(0.9999999, ""), False),  # a number below 1 never rounds to certainty
        ("1", Ours(1.0, ""), True),
        ("-0.0649", Ours(-0.06491, ""), True),
        ("r", Ours("r", ""), True),
        ("r", Ours("m5", ""), False),
        ("2", Ours((1, 2), ""), True),
        ("3", Ours((1, 2), ""), False),
    ],
)
def test_a_number_agrees_if_ours_rounds_to_it(printed, ours, same):
    assert agrees(printed, ours) is same


def test_values_have_one_format():
    values = [7, "s", (2, 3), 0.1, 1.0, 1e-24, 5.872018918465641]
    assert [text(x) for x in values] == ["7", "s", "2 or 3", "0.1", "1", "1e-24", "5.87201891846564"]
