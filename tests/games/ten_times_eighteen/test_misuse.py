"""Wrong dice, slots and multipliers: one error of one line, which names the entry and the value."""

import pytest
import yaml

from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import SliceFiles
from dicebase.vocabulary import ConfigurationError
from support import commands
from support.commands import error_of

SCORE, VERSUS = "ten_times_eighteen_score", "ten_times_eighteen_versus"


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
    ("{}", f"{PLACE}: needs exactly"),
    ("{dice: 1}", f"{PLACE}: needs exactly"),
    ("{faces: {1: 1}}", f"{PLACE}: needs exactly"),
    ("{dice: 1, faces: {1: 1}, sides: 6}", f"{PLACE}: needs exactly"),
    ("{dice: 0, faces: {1: 1}}", f"{PLACE}.dice: 0 is not a whole number from 1 to 20"),
    ("{dice: 21, faces: {1: 1}}", f"{PLACE}.dice: 21 is not"),
    ("{dice: -1, faces: {1: 1}}", f"{PLACE}.dice: -1 is not"),
    ("{dice: 2.0, faces: {1: 1}}", f"{PLACE}.dice: 2.0 is not"),
    ("{dice: true, faces: {1: 1}}", f"{PLACE}.dice: True is not"),
    ("{dice: two, faces: {1: 1}}", f"{PLACE}.dice: 'two' is not"),
    ("{dice: 1, faces: {}}", f"{PLACE}.faces: is empty; give at least one face"),
    ("{dice: 1, faces: }", f"{PLACE}.faces: is empty"),
    ("{dice: 1, faces: [1, 2]}", f"{PLACE}.faces: is empty"),
    ("{dice: 1, faces: {1.5: 1}}", f"{PLACE}.faces: 1.5 is not a whole number"),
    ("{dice: 1, faces: {six: 1}}", f"{PLACE}.faces: 'six' is not a whole number"),
    ("{dice: 1, faces: {--1: 1}}", f"{PLACE}.faces: '--1' is not a whole number"),
    ("{dice: 1, faces: {'²': 1}}", f"{PLACE}.faces: '²' is not a whole number"),
    ("{dice: 1, faces: {true: 1}}", f"{PLACE}.faces: True is not a whole number"),
    ("{dice: 1, faces: {1: 0}}", f"{PLACE}.faces.1: weight 0 is not a whole number above 0"),
    ("{dice: 1, faces: {1: 1, 2: -3}}", f"{PLACE}.faces.2: weight -3 is not"),
    ("{dice: 1, faces: {1: 0.5, 2: 0.5}}", f"{PLACE}.faces.1: weight 0.5 is not"),
    ("{dice: 1, faces: {1: 1, 2: true}}", f"{PLACE}.faces.2: weight True is not"),
    ("{dice: 1, faces: {1: one}}", f"{PLACE}.faces.1: weight 'one' is not"),
    ("{dice: 1, faces: {1: }}", f"{PLACE}.faces.1: weight None is not"),
]


@pytest.mark.parametrize(("definition", "message"), DICE)
def test_dice_that_are_none_are_refused_by_their_place(definition, message):
    assert message in refusal({"distribution": "mine"}, f"{{distribution: {{mine: {definition}}}}}")


@pytest.mark.parametrize(
    "name",
    ["no_such", "", "3", "d6", "3d", "0d6", "3d0", "21d6", "3d101", "3D6", "03d6", "-3d6", "3d-6"],
)
def test_a_distribution_nobody_defines_is_refused_by_its_name(name):
    assert f"distribution: '{name}' is not defined, nor dice such as '3d6' (at most 20d100)" in refusal(
        {"distribution": name}
    )


def test_a_name_is_that_of_the_configuration_before_it_is_dice():
    with pytest.raises(ConfigurationError, match=r"distribution\.two_d: needs exactly"):
        planned({"distribution": "two_d"}, "{distribution: {two_d: {}}}")
    assert planned({"distribution": "20d100", "slots": 1}).slices


@pytest.mark.parametrize("slots", [0, -1, 1001, 2.5, "ten", True, ""])
def test_slots_out_of_range_are_refused_by_their_place(slots):
    message = refusal({"slots": slots})
    assert f"tables.{SCORE}[0].slots: {slots!r} is not allowed; give a whole number from 1 to 1000" in message


WRONG = ["", "1,2", "1,2,3,4", "3,2,1", "1,3,2", "1,2,2.5", "1,2,x", "1,,3", "1;2;3", "1..3", "1..n,4", "none", "5"]


@pytest.mark.parametrize("text", [*WRONG, ",1,2,3"])
def test_multipliers_that_fall_or_are_too_few_or_no_numbers_are_refused(text):
    message = refusal({"slots": 3, "multipliers": text})
    assert f"multipliers: '{text}' is not 3 whole numbers that never fall, nor '1..n'" in message


@pytest.mark.parametrize(
    "listed", ["[1, 2]", "[1, 3, 2]", "[1, 2, 2.5]", "[1, 2, two]", "5", "[1, 2, true]", "[1, 2, ]"]
)
def test_multipliers_of_the_configuration_are_checked_in_the_same_way(listed):
    message = refusal({"slots": 3, "multipliers": "mine"}, f"{{multipliers: {{mine: {listed}}}}}")
    assert "multipliers: 'mine' is not 3 whole numbers that never fall" in message


def test_multipliers_that_are_no_list_are_refused():
    refusal({"slots": 3, "multipliers": "mine"}, "{multipliers: {mine: '135'}}")


@pytest.mark.parametrize("text", ["1,2,3", "0,0,0", "-3,-1,7", "5,5,5"])
def test_multipliers_may_repeat_be_nought_or_negative(text):
    assert planned({"slots": 3, "multipliers": text}).slices


def test_spaces_make_no_other_variant():
    plans = [
        planned({"slots": 3, "distribution": d, "multipliers": m}) for d, m in ((" 3d6", "1, 2, 5"), ("3d6", "1,2,5"))
    ]
    assert plans[0].slices.keys() == plans[1].slices.keys()


def test_a_rank_table_has_no_multipliers():
    message = refusal({"slots": 3, "multipliers": "1,2,3"}, table="ten_times_eighteen_rank")
    assert "tables.ten_times_eighteen_rank[0]: 'multipliers' is no parameter of ten_times_eighteen_rank" in message


@pytest.mark.parametrize("faces", ["{'1': 2, '01': 3}", "{1: 2, '1': 3}", "{0: 2, '-0': 3}"])
def test_a_face_that_is_there_twice_is_refused(faces):
    refusal({"distribution": "mine"}, f"{{distribution: {{mine: {{dice: 1, faces: {faces}}}}}}}")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (SCORE, ["21 slots", "GB", "at most 20", "ten_times_eighteen_rank"]),
        ("ten_times_eighteen_distribution", ["21 slots", "up to 14"]),
    ],
)
def test_too_many_slots_are_refused_by_the_variant(table, words):
    message = refusal({"slots": 21}, table=table)
    assert f"{table} distribution=3d6 slots=21 multipliers=1..n: slots: " in message
    assert [word for word in words if word not in message] == []


def test_the_size_of_forty_slots_is_that_of_its_sets():
    # 2^40 sets of 140 bytes.
    assert "some 1.54e+05 GB of memory" in refusal({"slots": 40})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["slots=21"], "slots: 21 slots have"),
        (["slots=0"], f"{SCORE}.slots: 0 is not allowed"),
        (["distribution=no_such"], "distribution: 'no_such' is not defined"),
        (["slots=3", "multipliers=3,2,1"], "multipliers: '3,2,1' is not 3 whole numbers that never fall"),
        (["slot=3"], "'slot' is no parameter of ten_times_eighteen_score; did you mean 'slots'?"),
    ],
)
def test_the_command_refuses_them_too_and_writes_nothing(capsys, tmp_path, words, message):
    config = commands.ROOT / "config" / "config.yaml"
    assert message in error_of(capsys, "solve", SCORE, *words, "-o", tmp_path / "mine", "--config", config)
    assert not list(tmp_path.rglob("*.parquet")) and not list(tmp_path.rglob("*.duckdb"))


TOO_LARGE = "{distribution: {mine: {dice: 20, faces: {1: 100000000000000000000, 2: 1}}}}"


def test_weights_too_large_for_doubles_are_refused():
    message = refusal({"distribution": "mine", "slots": 3}, TOO_LARGE)
    assert "the weights of 'mine' sum to more than 1e300" in message


def test_scores_too_large_for_their_column_are_refused():
    definitions = "{distribution: {mine: {dice: 1, faces: {3000000000: 1, 2: 1}}}}"
    message = refusal({"distribution": "mine", "slots": 1}, definitions)
    assert "scores reach 3000000000; at most 2147483647 can be stored" in message


@pytest.mark.parametrize(
    ("table", "entry", "words"),
    [
        (SCORE, {"distribution": "20d100", "slots": 18}, "slots and 2e+09 placements are solved so"),
        ("ten_times_eighteen_distribution", {"distribution": "20d100", "slots": 12}, "at most 0.5 GB is solved"),
        ("ten_times_eighteen_exceed", {"distribution": "20d20", "slots": 14}, "at most 0.5 GB is solved"),
        ("ten_times_eighteen_exceed", {"slots": 2, "multipliers": "0,0"}, "no roll scores in any slot"),
        ("ten_times_eighteen_exceed", {"slots": 2, "multipliers": "-1,2"}, "a roll that loses points"),
        (VERSUS, {"slots": 14, "distribution": "3d20"}, "at most 0.5 GB is solved"),
        (VERSUS, {"slots": 3, "multipliers": "full"}, "is a formula"),
        (VERSUS, {"slots": 3, "multipliers": "3,2,1"}, "whole numbers that never fall"),
        (f"{VERSUS}_matchups", {"slots": 13}, "at most 0.5 GB is solved"),
        (f"{VERSUS}_matchups", {"slots": 2, "distribution": "20d100"}, "are solved for sums below"),
        (f"{VERSUS}_matchups", {"slots": 3, "multipliers": "full"}, "is a formula"),
    ],
)
def test_what_would_take_too_much_or_says_nothing_is_refused_when_it_is_planned(table, entry, words):
    assert words in refusal(entry, "{multipliers: {full: {points: 'min(slot * roll, 9)'}}}", table)


def test_scores_beyond_the_range_of_doubles_are_not_listed(tmp_path):
    from dicebase.certify.slices import certify_slice

    rare = f"{{distribution: {{mine: {{dice: 1, faces: {{1: 1, 2: {10**30}}}}}}}}}"
    (piece,) = planned({"distribution": "mine", "slots": 11}, rare, "ten_times_eighteen_distribution").slices.values()
    steps.solve(tmp_path, piece.key)
    (certificate,) = certify_slice(SliceFiles(tmp_path, piece.table.name, piece.name), None, None)
    assert certificate.error_bound < 1e-12
