"""Formulas of the configuration: arithmetic of whole numbers within bounds of time, memory and depth."""

import pytest

from dicebase.vocabulary import ConfigurationError, formula


def test_a_formula_calculates_with_whole_numbers():
    points = formula("slot ** 2 * roll - min(roll, 3) // 2 if slot > 1 else abs(-roll) % 5", ("slot", "roll"), "here")
    assert [points(1, 7), points(2, 7), points(3, 1)] == [2, 27, 9]


FORBIDDEN = ["__import__('os')", "_power(2, 3)", "roll.real", "min(*roll)", "[1] * 10**9", "'a' * 10**9", "lambda: 1"]
FORBIDDEN += ["1.5", None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9**9**9", "at (1, 3): a power is too large"),
        ("(9**300)**300", "a power is too large"),
        ("(-2)**1001", "a power is too large"),
        ("2**-1", "is 0.5, not a whole number"),
        ("0**-1", "at (1, 3)"),
        ("roll // (slot - 1)", "at (1, 3)"),
        ("1+" * 20_000 + "1", "(40003 characters) is not a formula"),
        ("(" * 300 + "1" + ")" * 300, "is not a formula"),
        ("-" * 990 + "1", "is nested too deeply"),
        ("9" * 5000, "is not a formula"),
        ("min()", "at (1, 3)"),
        *((text, "is not allowed") for text in FORBIDDEN),
        ("", "is not a formula"),
    ],
)
def test_other_text_and_large_formulas_are_refused(text, words):
    with pytest.raises(ConfigurationError) as error:
        formula(text, ("slot", "roll"), "here")(1, 3)
    assert str(error.value).startswith("here: ") and words in str(error.value) and "\n" not in str(error.value)
