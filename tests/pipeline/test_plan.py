"""What a configuration asks for: variants, slices and their names."""

import pytest
import yaml

from dicebase.pipeline.plan import make_plan, make_slice, slice_name
from dicebase.vocabulary import ConfigurationError, MissingTableError

POCKET = {"dice": 2, "combinations": {"1": 100}}


def plan(text, definitions=None):
    return make_plan({"tables": yaml.safe_load(text), "definitions": definitions or {}})


def variants(text, definitions=None):
    return {key: [tuple(v.values()) for v in s.variants] for key, s in plan(text, definitions).slices.items()}


def test_lists_multiply_out():
    found = variants("pig_turn: [{sides: [4, 6, 8], dice: [1, 2], slice_by: []}]")
    assert found == {("pig_turn", "all"): [(4, 1), (4, 2), (6, 1), (6, 2), (8, 1), (8, 2)]}


def test_a_range_includes_both_ends():
    (found,) = variants("pig_turn: [{sides: {from: 2, to: 5}, slice_by: []}]").values()
    assert found == [(2, 1), (3, 1), (4, 1), (5, 1)]


def test_a_range_has_steps():
    (found,) = variants("pig_turn: [{sides: {from: 2, to: 9, step: 3}, slice_by: []}]").values()
    assert [sides for sides, _ in found] == [2, 5, 8]


def test_a_range_of_one_value_and_whole_numbers_written_with_a_point_are_fine():
    (found,) = variants("pig_turn: [{sides: {from: 6.0, to: 6.0}, slice_by: []}]").values()
    assert found == [(6, 1)] and type(found[0][0]) is int


def test_a_missing_parameter_has_its_default():
    assert variants("forbidden_multiple_turn: [{}]") == {
        ("forbidden_multiple_turn", "multiple=10_sides=6_dice=1"): [(10, 6, 1)]
    }


def test_a_number_may_be_written_as_text():
    assert variants("pig_turn: [{sides: '8'}]") == {("pig_turn", "sides=8_dice=1"): [(8, 1)]}


def test_without_slice_by_every_variant_is_a_job():
    found = variants("pig_turn: [{sides: [4, 6], dice: [1, 2]}]")
    assert [name for _, name in found] == ["sides=4_dice=1", "sides=4_dice=2", "sides=6_dice=1", "sides=6_dice=2"]
    assert all(len(points) == 1 for points in found.values())


def test_slice_by_names_what_a_job_has_in_common():
    assert variants("pig_turn: [{sides: [4, 6], dice: [1, 2], slice_by: [dice]}]") == {
        ("pig_turn", "dice=1"): [(4, 1), (6, 1)],
        ("pig_turn", "dice=2"): [(4, 2), (6, 2)],
    }


def test_a_slice_is_named_in_the_order_of_the_table_whatever_the_entry_says():
    one = plan("forbidden_multiple_turn: [{slice_by: [dice, sides]}]")
    assert list(one.slices) == [("forbidden_multiple_turn", "sides=6_dice=1")]
    assert slice_name({"a": 1, "b": "x"}) == "a=1_b=x" and slice_name({}) == "all"


def test_entries_that_share_their_outer_parameters_share_a_slice():
    found = variants("pig_turn: [{sides: [8, 4], slice_by: [dice]}, {sides: 6, slice_by: [dice]}]")
    assert found == {("pig_turn", "dice=1"): [(4, 1), (6, 1), (8, 1)]}


def test_the_order_of_a_configuration_changes_no_key():
    one = plan("pig_turn: [{sides: [4, 6], slice_by: []}, {sides: 8, dice: 2}]")
    other = plan("pig_turn: [{dice: 2, sides: 8}, {slice_by: [], sides: [6, 4]}]")
    assert {k: s.key for k, s in one.slices.items()} == {k: s.key for k, s in other.slices.items()}
    assert one.digest("catalog") == other.digest("catalog")


def test_a_slice_carries_the_definitions_it_uses_and_no_others():
    defined = {"ten_thousand": {"rules": {"pocket": POCKET, "unused": {"nonsense": True}}}}
    (found,) = plan("ten_thousand_turn: [{rules: pocket}]", defined).slices.values()
    assert found.definitions == {"rules": {"pocket": POCKET}}


@pytest.mark.parametrize(
    "entries",
    [
        "[{sides: 6}, {sides: {from: 5, to: 7}}]",
        "[{sides: 6}, {}]",
        "[{sides: [6, '6']}]",
        "[{sides: 6}, {sides: 6, slice_by: []}]",
    ],
)
def test_a_variant_asked_for_twice_is_refused_with_both_places(entries):
    with pytest.raises(ConfigurationError, match=r"tables\.pig_turn\[\d\]: \{'sides': 6, 'dice': 1\} is already in"):
        plan(f"pig_turn: {entries}")


def test_the_plan_refuses_a_slice_that_nobody_asked_for():
    one = plan("pig_turn: [{}]")
    assert one.find("pig_turn", "sides=6_dice=1").name == "sides=6_dice=1"
    with pytest.raises(MissingTableError, match="does not ask for pig_turn/sides=7_dice=1"):
        one.find("pig_turn", "sides=7_dice=1")


def test_rules_that_refuse_a_variant_stop_the_plan():
    table = plan("pig_turn: [{}]").find("pig_turn", "sides=6_dice=1").table
    assert make_slice(table, "x", [{"sides": 8, "dice": 1}, {"sides": 4, "dice": 1}], {}).variants[0]["sides"] == 4
    with pytest.raises(ConfigurationError, match=r"definitions\.ten_thousand\.rules\.r"):
        plan("ten_thousand_turn: [{rules: r}]", {"ten_thousand": {"rules": {"r": {}}}})


def test_a_slice_too_large_for_a_command_line_is_refused():
    entry = "{multiple: {from: 2, to: 1000}, sides: {from: 2, to: 20}, slice_by: [%s]}"
    with pytest.raises(ConfigurationError, match=r"tables\.forbidden_multiple_turn: slice 'all' has 18981 variants"):
        plan(f"forbidden_multiple_turn: [{entry % ''}]")
    assert len(plan(f"forbidden_multiple_turn: [{entry % 'sides'}]").slices) == 19
