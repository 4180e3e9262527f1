"""The text of an answer: regrets, mixes and ties in words."""

import pytest

from dicebase.catalog.ask.answer import Action, Answer
from dicebase.show.text import lookup_text

FIVE, ONE = ("5", 0.5, 0.0, 0.7500, True), ("1", 0.5, 0.0, 0.2496, True)
THREE, TWO = ("3", 0.5, 0.0, 0.0004, True), ("2", 0.25, 0.25, 0.0, False)
SMALL = [("a", 5.0, 0.0, 1.0, True), ("b", 5.0, 1e-9, 0.0, False)]
SAME = [("1", 0.5, 0.0, 1.0, True), ("2", 0.5, 0.0, 0.0, False)]  # equally good only against this opponent, so no tie
LAST_LINES = [
    (SMALL, "", "Best: a, 1.00e-09 points better than b."),
    (
        [FIVE, ONE, THREE, TWO],
        "dice",
        "Mix: 5 dice 75.0 %, 1 die 25.0 %, 3 dice 0.04 %; 2 dice would lose 0.250000 points.",
    ),
    ([FIVE, ONE], "", "Mix: 5 75.0 %, 1 25.0 %."),
    (SAME, "dice", "Best: 1 die; 2 dice would be as good, if the opponent's choice stayed the same."),
]


@pytest.mark.parametrize(("actions", "unit", "said"), LAST_LINES)
def test_the_last_line_is_advice(actions, unit, said):
    ranked = tuple(Action(*action, undecided=False) for action in actions)
    answer = Answer("t", {}, {}, "points", ranked[0].value, ranked, action_unit=unit)
    text = lookup_text(answer.as_dict())
    assert text.splitlines()[-1] == said
    assert ("probability" in text) == said.startswith("Mix") == ("0.7500" in text)
