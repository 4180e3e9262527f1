"""Wrong dice, slots and multipliers: one error of one line, which names the entry and the value."""

import pytest
import yaml

from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles
from dicebase.vocabulary import ConfigurationError

SCORE = "ten_times_eighteen_score"


def planned(entry, definitions="{}", table=SCORE):
    """The plan of one entry, given as text."""
    return make_plan({"definitions": {"ten_times_eighteen": yaml.safe_load(definitions)}, "tables": {table: [entry]}})


def refusal(entry, definitions="{}", table=SCORE):
    with pytest.raises(ConfigurationError) as error:
        planned(entry, definitions, table)
    assert "\n" not in str(error.value)
    return str(error.value)


PLACE = "definitions.ten_times_eighteen.distribution.mine"
DICE = [
    ("5", f"{PLACE}: needs exactly 'dice' and 'faces'"),
    ("{dice: 1, faces: {1: 1}, sides: 6}", f"{PLACE}: needs exactly"),
    ("{dice: 0, faces: {1: 1}}", f"{PLACE}.dice: 0 is not a whole number from 1 to 20"),
    ("{dice: 21, faces: {1: 1}}", f"{PLACE}.dice: 21 is not"),
    ("{dice: 1, faces: {}}", f"{PLACE}.faces: is empty; give at least one face"),
    ("{dice: 1, faces: [1, 2]}", f"{PLACE}.faces: is empty"),
    ("{dice: 1, faces: {1.5: 1}}", f"{PLACE}.faces: 1.5 is not a whole number"),
    ("{dice: 1, faces: {'²': 1}}", f"{PLACE}.faces: '²' is not a whole number"),
    ("{dice: 1, faces: {true: 1}}", f"{PLACE}.faces: True is not a whole number"),
    ("{dice: 1, faces: {1: 0}}", f"{PLACE}.faces.1: weight 0 is not a whole number above 0"),
    ("{dice: 1, faces: {1: 1, 2: true}}", f"{PLACE}.faces.2: weight True is not"),
]


@pytest.mark.parametrize(("definition", "message"), DICE)
def test_wrong_dice_are_refused_with_their_place(definition, message):
    assert message in refusal({"distribution": "mine"}, f"{{distribution: {{mine: {definition}}}}}")


@pytest.mark.parametrize(
    "name", ["no_such", "", "3", "d6", "3d", "0d6", "3d0", "21d6", "3d101", "3D6", "03d6", "-3d6", "3d-6"]
)
def test_an_undefined_distribution_is_refused_by_name(name):
    assert f"distribution: '{name}' is not defined, nor dice such as '3d6' (at most 20d100)" in refusal(
        {"distribution": name}
    )


def test_a_defined_name_takes_precedence_over_dice():
    with pytest.raises(ConfigurationError, match=r"distribution\.two_d: needs exactly"):
        planned({"distribution": "two_d"}, "{distribution: {two_d: {}}}")
    assert planned({"distribution": "20d100", "slots": 1}).slices


WRONG = ["", "1,2", "1,2,3,4", "3,2,1", "1,3,2", "1,2,2.5", "1,2,x", "1,,3", "1;2;3", "1..3", "1..n,4", "none", "5"]


@pytest.mark.parametrize("text", [*WRONG, ",1,2,3"])
def test_wrong_multipliers_are_refused(text):
    message = refusal({"slots": 3, "multipliers": text})
    assert f"multipliers: '{text}' is not 3 whole numbers that never fall, nor '1..n'" in message


@pytest.mark.parametrize(
    "listed", ["[1, 2]", "[1, 3, 2]", "[1, 2, 2.5]", "[1, 2, two]", "5", "[1, 2, true]", "[1, 2, ]"]
)
def test_multipliers_of_the_configuration_are_checked_in_the_same_way(listed):
    message = refusal({"slots": 3, "multipliers": "mine"}, f"{{multipliers: {{mine: {listed}}}}}")
    assert "multipliers: 'mine' is not 3 whole numbers that never fall" in message


@pytest.mark.parametrize("text", ["1,2,3", "0,0,0", "-3,-1,7", "5,5,5"])
def test_multipliers_may_repeat_and_be_zero_or_negative(text):
    assert planned({"slots": 3, "multipliers": text}).slices


def test_spaces_do_not_make_another_variant():
    plans = [
        planned({"slots": 3, "distribution": d, "multipliers": m}) for d, m in ((" 3d6", "1, 2, 5"), ("3d6", "1,2,5"))
    ]
    assert plans[0].slices.keys() == plans[1].slices.keys()


@pytest.mark.parametrize("faces", ["{'1': 2, '01': 3}", "{1: 2, '1': 3}", "{0: 2, '-0': 3}"])
def test_a_repeated_face_is_refused(faces):
    refusal({"distribution": "mine"}, f"{{distribution: {{mine: {{dice: 1, faces: {faces}}}}}}}")


DEFINITIONS = """
distribution:
  heavy: {dice: 20, faces: {1: 100000000000000000000, 2: 1}}
  high: {dice: 1, faces: {3000000000: 1, 2: 1}}
multipliers: {full: {points: "min(slot * roll, 9)"}}
"""
TOO_MUCH = [
    # 2^21 sets, and 16 rolls times 21 slots in half of them.
    ("score", {"slots": 21}, "multipliers=1..n: slots: 21 slots have 2.1e+06 sets of free slots and 3.52e+08"),
    ("score", {"slots": 40}, "about 1.54e+05 GB of memory"),  # 2^40 sets of 140 bytes
    ("score", {"slots": 1000, "distribution": "20d100"}, "slots: 1000 slots"),
    ("score", {"slots": 18, "distribution": "20d100"}, "slots and 2e+09 placements are solved by sets"),
    ("score", {"slots": 3, "distribution": "heavy"}, "the weights of 'heavy' sum to more than 1e300"),
    ("score", {"slots": 1, "distribution": "high"}, "scores reach 3000000000; at most 2147483647 can be stored"),
    ("distribution", {"slots": 21}, "21 slots; the exact distribution is solved for up to 14"),
    ("distribution", {"slots": 12, "distribution": "20d100"}, "at most 0.5 GB is solved"),
    ("distribution", {"slots": 3, "multipliers": "full"}, "is a formula"),
    ("exceed", {"slots": 14, "distribution": "20d20"}, "at most 0.5 GB is solved"),
    ("exceed", {"slots": 2, "multipliers": "0,0"}, "no roll scores in any slot"),
    ("exceed", {"slots": 2, "multipliers": "-1,2"}, "rolls can lose points"),
    ("exceed", {"slots": 3, "multipliers": "full"}, "is a formula"),
    ("versus", {"slots": 14, "distribution": "3d20"}, "at most 0.5 GB is solved"),
    ("versus", {"slots": 3, "multipliers": "full"}, "is a formula"),
    ("versus", {"slots": 3, "multipliers": "3,2,1"}, "whole numbers that never fall"),
    ("versus_matchups", {"slots": 13}, "at most 0.5 GB is solved"),
    ("versus_matchups", {"slots": 2, "distribution": "20d100"}, "are solved for sums below"),
    ("versus_matchups", {"slots": 3, "multipliers": "full"}, "is a formula"),
]


@pytest.mark.parametrize(("match", "entry", "message"), TOO_MUCH)
def test_a_variant_that_is_too_large_or_without_meaning_is_refused_when_it_is_planned(match, entry, message):
    assert message in refusal(entry, DEFINITIONS, f"ten_times_eighteen_{match}")


def test_scores_beyond_the_range_of_doubles_are_not_listed(tmp_path):
    from dicebase.certify.slices import certify_slice

    rare = f"{{distribution: {{mine: {{dice: 1, faces: {{1: 1, 2: {10**30}}}}}}}}}"
    (piece,) = planned({"distribution": "mine", "slots": 11}, rare, "ten_times_eighteen_distribution").slices.values()
    steps.solve(tmp_path, piece.key)
    (certificate,) = certify_slice(SliceFiles(tmp_path, piece.table.name, piece.name), None, None)
    assert certificate.error_bound < 1e-12
