"""A configuration becomes a plan: variants, slices and their names."""

import pytest
import yaml

from dicebase.pipeline.plan import make_plan, make_slice
from dicebase.vocabulary import ConfigurationError, MissingTableError

POCKET = {"dice": 2, "combinations": {"1": 100}}


def plan(text, definitions=None):
    return make_plan({"tables": yaml.safe_load(text), "definitions": definitions or {}})


MULTIPLE = "forbidden_multiple_turn"
# (entries of the table, {slice: its variants})
ENTRIES = [
    ("pig_turn", "{sides: [4, 6], dice: [1, 2], slice_by: []}", {"all": [(4, 1), (4, 2), (6, 1), (6, 2)]}),
    ("pig_turn", "{sides: {from: 2, to: 5}, slice_by: []}", {"all": [(2, 1), (3, 1), (4, 1), (5, 1)]}),
    ("pig_turn", "{sides: {from: 2, to: 9, step: 3}, slice_by: []}", {"all": [(2, 1), (5, 1), (8, 1)]}),
    ("pig_turn", "{sides: {from: 6.0, to: 6.0}, slice_by: []}", {"all": [(6, 1)]}),
    ("pig_turn", "{sides: '8'}", {"sides=8_dice=1": [(8, 1)]}),
    (MULTIPLE, "{}", {"multiple=10_sides=6_dice=1": [(10, 6, 1)]}),
    # Without slice_by every variant is a slice of its own.
    ("pig_turn", "{sides: [4, 6]}", {"sides=4_dice=1": [(4, 1)], "sides=6_dice=1": [(6, 1)]}),
    ("pig_turn", "{sides: [4, 6], dice: [1, 2], slice_by: [dice]}", {f"dice={d}": [(4, d), (6, d)] for d in (1, 2)}),
    # A slice is named in the order of the table's parameters, and entries may share one.
    (MULTIPLE, "{slice_by: [dice, sides]}", {"sides=6_dice=1": [(10, 6, 1)]}),
    (
        "pig_turn",
        "{sides: [8, 4], slice_by: [dice]}, {sides: 6, slice_by: [dice]}",
        {"dice=1": [(4, 1), (6, 1), (8, 1)]},
    ),
]


@pytest.mark.parametrize(("table", "entries", "slices"), ENTRIES, ids=range(len(ENTRIES)))
def test_entries_become_slices_of_variants(table, entries, slices):
    found = plan(f"{table}: [{entries}]").slices
    assert {name: [tuple(v.values()) for v in s.variants] for (_, name), s in found.items()} == slices
    assert all(type(value) is int for s in found.values() for v in s.variants for value in v.values())
    assert all(of == table for of, _ in found)


def test_the_order_of_entries_does_not_change_the_keys():
    one = plan("pig_turn: [{sides: [4, 6], slice_by: []}, {sides: 8, dice: 2}]")
    other = plan("pig_turn: [{dice: 2, sides: 8}, {slice_by: [], sides: [6, 4]}]")
    assert {k: s.key for k, s in one.slices.items()} == {k: s.key for k, s in other.slices.items()}
    assert one.digest("catalog") == other.digest("catalog")


def test_a_slice_has_only_the_definitions_that_it_uses():
    defined = {"ten_thousand": {"rules": {"pocket": POCKET, "unused": {"nonsense": True}}}}
    (found,) = plan("ten_thousand_turn: [{rules: pocket}]", defined).slices.values()
    assert found.definitions == {"rules": {"pocket": POCKET}}


@pytest.mark.parametrize(
    "entries",
    ["{sides: 6}, {sides: {from: 5, to: 7}}", "{sides: 6}, {}", "{sides: [6, '6']}", "{sides: 6}, {slice_by: []}"],
)
def test_a_repeated_variant_is_refused_with_both_places(entries):
    with pytest.raises(ConfigurationError, match=r"tables\.pig_turn\[\d\]: \{'sides': 6, 'dice': 1\} is already in"):
        plan(f"pig_turn: [{entries}]")


def test_the_plan_refuses_an_unknown_slice_and_a_variant_that_the_rules_refuse():
    one = plan("pig_turn: [{}]")
    table = one.find("pig_turn", "sides=6_dice=1").table
    with pytest.raises(MissingTableError, match="does not ask for pig_turn/sides=7_dice=1"):
        one.find("pig_turn", "sides=7_dice=1")
    assert make_slice(table, "x", [{"sides": 8, "dice": 1}, {"sides": 4, "dice": 1}], {}).variants[0]["sides"] == 4
    with pytest.raises(ConfigurationError, match=r"definitions\.ten_thousand\.rules\.r"):
        plan("ten_thousand_turn: [{rules: r}]", {"ten_thousand": {"rules": {"r": {}}}})


def test_the_plan_refuses_a_slice_of_too_many_variants(monkeypatch):
    monkeypatch.setattr("dicebase.pipeline.plan.MAX_KEY", 2000)
    entry = "{multiple: {from: 2, to: 31}, sides: {from: 2, to: 11}, slice_by: [%s]}"
    with pytest.raises(ConfigurationError, match=r"tables\.forbidden_multiple_turn: slice 'all' has 300 variants"):
        plan(f"forbidden_multiple_turn: [{entry % ''}]")
    assert len(plan(f"forbidden_multiple_turn: [{entry % 'sides'}]").slices) == 10
