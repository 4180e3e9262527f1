"""The section on Ten Times Eighteen of docs/audit.md says what the tests compute."""

import math
import re
from collections import Counter
from fractions import Fraction

import pytest

import bocker
import bocker_numbers
from bocker import FAIR, LOADED, closest, production, ranks, scores
from printed import agrees, decimals, read
from reference import ten_times_eighteen as paper
from reference.ten_times_eighteen_scores import mean, standard_deviation
from test_audit import PAGE, ROOT, table

SECTION = PAGE.split("## Böcker, Ten Times Eighteen\n")[1]
CELLS = {
    "Table 1, probabilities of three dice": lambda: bocker.distribution("Table 1", "bocker_table1", FAIR),
    "Table 2, expected score with one slot taken": bocker.table_2,
    "Table 3, first moves and their values": bocker.table_3,
    "Table 4, expected rolls, three dice": lambda: bocker.expected_ranks("Table 4", "bocker_table4", FAIR),
    "Table 5, least, greatest, mean and median scores": bocker.table_5,
    "Table 6, probabilities of the loaded dice": lambda: bocker.distribution("Table 6", "bocker_table6", LOADED),
    "Table 7, expected rolls, loaded dice": lambda: bocker.expected_ranks("Table 7", "bocker_table7", LOADED),
    "numbers of the text and of Figure 1": bocker_numbers.numbers,
}


def test_every_place_is_counted_as_the_tests_count_it():
    rows = {row["Place"]: row for row in table("TE: what agrees")}
    assert list(rows) == list(CELLS)
    for place, row in rows.items():
        counted = Counter(c.agrees for c in CELLS[place]())
        numbers = (counted.total(), counted[True], counted[False])
        assert tuple(int(row[name]) for name in ("Cells", "Agree", "Differ")) == numbers, place


def test_the_listed_disagreement_is_the_only_one():
    (row,) = table("TE: what differs")
    (cell,) = (c for part in CELLS.values() for c in part() if not c.agrees)
    assert row["Place"] == "TE Table 7, j = 5, i = 2" and (cell.place, cell.cell) == ("Table 7", "E_5[2]")
    assert row["Printed"] == cell.printed and not agrees(cell.printed, cell.computed)
    assert cell.computed == paper.rank_table(paper.LOADED, 5)[5, 2]
    assert agrees(row["Computed"], cell.computed)


@pytest.mark.parametrize("name", ["expected_optimal", "expected_clairvoyant", "first_call_difference"])
def test_the_numbers_that_are_named_are_the_printed_ones(name):
    assert next(row["printed"] for row in read("bocker_numbers") if row["name"] == name) in SECTION


def test_the_numbers_of_the_explanations_are_computed():
    said = [decimals(ranks(LOADED)[5, 2], 3)]
    # Those that rounding brings up.
    E = {row["value"]: ranks(LOADED)[int(row["j"]), int(row["i"])] for row in read("bocker_table7")}
    said += [value for value, e in E.items() if value != "11.713" and e < Fraction(value)]
    for strategy in ("optimal", "clairvoyant"):
        chances = scores(FAIR)[strategy]
        printed = next(r["printed"] for r in read("bocker_numbers") if r["name"] == f"simulated_mean_{strategy}")
        errors = (Fraction(printed) - mean(chances)) / Fraction(standard_deviation(chances) / math.sqrt(10**6))
        said += [printed, decimals(errors, 2)]
    margin, positions = closest(set(production()))
    said += [decimals(Fraction(margin), 16), f"{len(positions)} positions"]
    said += [decimals(mean(chances), 5) for chances in scores(LOADED).values()]
    assert [number for number in said if number not in SECTION] == []


def test_every_statement_is_held_by_a_test_that_exists():
    text = (ROOT / "tests" / "games" / "test_bocker.py").read_text(encoding="utf-8")
    rows = table("TE: statements and formulas")
    assert len(rows) == 5 and {row["Test"] for row in rows} <= set(re.findall(r"^def (test_\w+)\(", text, re.M))


def test_what_the_conclusion_leaves_open_is_shown_on_the_page_of_the_game():
    page = (ROOT / "docs" / "ten_times_eighteen.md").read_text(encoding="utf-8")
    found = " ".join(row["Found"] for row in table("TE: what the conclusion leaves open"))
    numbers = re.findall(r"0\.\d+", found)
    assert len(numbers) == 2 and all(number in page for number in numbers)
    assert all(column in page for column in ("a_beats_b", "ahead_1     optimal     ahead_2"))
