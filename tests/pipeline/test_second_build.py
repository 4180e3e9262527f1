"""`verify --values` names the variants and rows whose values differ from another build."""

import json
import re
import shutil

import pytest

from dicebase.cli import main
from dicebase.pipeline.checks.second_build import compare_values, write_values
from dicebase.tables.layout import SliceFiles, slices_in
from dicebase.vocabulary import DicebaseError
from support.every_table import every_table
from support.faults import rewrite


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """(a build, its values)."""
    results, values = every_table(tmp_path_factory), tmp_path_factory.mktemp("values") / "values.json"
    write_values(results, values)
    return results, values


def problems(results, values):
    return [f"{place}: {problem}" for place, problem in compare_values(results, values) if problem]


def test_every_variant_is_compared_and_the_same_build_agrees(first):
    results, values = first
    found = list(compare_values(results, values))
    assert not any(problem for _, problem in found)
    committed = json.loads(values.read_text())
    assert [place for place, _ in found] == [
        f"{table}: values of {len(variants)} of {len(variants)} variants" for table, variants in committed.items()
    ]
    assert committed.keys() == {table for table, _ in slices_in(results)}


@pytest.fixture
def second(first, tmp_path):
    """A function that returns the problems found if one value of a second build differs by `by`."""

    def change(table, name, row, by):
        results = shutil.copytree(first[0], tmp_path / "results")

        def changed(rows):
            rows[row]["value"] += by
            return rows

        rewrite(SliceFiles(results, table, name).rows, changed)
        return problems(results, first[1])

    return change


@pytest.mark.parametrize("row, variant, total", [(0, 4, 0), (3, 4, 4), (-1, 6, 26)])
def test_a_rational_value_that_differs_in_the_last_bit_is_named(second, row, variant, total):
    (problem,) = second("pig_turn", "dice=1", row, 2e-15)
    place, row, what = problem.split(": ")
    assert (place, what) == (f"pig_turn sides={variant} dice=1", "has another value elsewhere")
    first, more = re.fullmatch(r"row turn_total=(\d+)(?:, or one of the (\d) after it)?", row).groups(default="0")
    assert int(first) <= total <= int(first) + int(more)


@pytest.mark.parametrize("bounds, named", [(1.9, False), (2.5, True), (float("nan"), True)])
def test_other_values_may_differ_by_the_sum_of_both_error_bounds(second, first, bounds, named):
    variant, said = next(iter(json.loads(first[1].read_text())["pig_duel"].items()))
    row = said["rows"] // 20  # in the middle of the first part
    found = second("pig_duel", "all", row, bounds * said["error_bound"])
    assert len(found) == named
    if named:
        assert re.match(rf"pig_duel {variant}: row me=\d opponent=\d turn_total=\d: .*, but 0\..* elsewhere", found[0])


def test_missing_rows_are_named(first, tmp_path):
    results = shutil.copytree(first[0], tmp_path / "results")
    rewrite(SliceFiles(results, "hog_race", "all").rows, lambda rows: rows[:-1])
    (problem,) = problems(results, first[1])
    assert problem == "hog_race sides=6 max_dice=5 target=20: has 19 rows, but 20 elsewhere"


def test_the_command_compares_with_the_committed_values(results, capsys):
    assert main(["verify", str(results), "--values"]) == 0
    out = capsys.readouterr().out
    assert "pig_turn: values of 6 of 6 variants: holds" in out
    assert "ten_thousand_turn" not in out  # has no committed values


def test_a_comparison_without_committed_values_is_refused(results, tmp_path):
    (tmp_path / "values.json").write_text("{}")
    with pytest.raises(DicebaseError, match=r"none of its variants is in values\.json"):
        list(compare_values(results, tmp_path / "values.json"))
