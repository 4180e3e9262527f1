"""docs/audit.md says what the tests compute: every count, every disagreement, and a test for every statement."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import crocce_mordecki as cm
import forbidden_page
from printed import agrees, cell, decimals, read
from reference import ten_thousand as paper

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")


def table(heading, number=1):
    """The rows of the first table below a heading, or of a later one, as dicts."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.split(f"## {heading}\n")[1] + "\n", re.M)
    rows = [line.strip("|").split("|") for line in blocks[number - 1].splitlines()]
    names, _, *rows = [[entry.strip() for entry in row] for row in rows]
    return [dict(zip(names, row, strict=True)) for row in rows]


# --- what agrees -------------------------------------------------------------------------------------------------

CELLS = {
    "Table 1, scores of combinations": cm.table_1,
    "Table 4, values of restricted games": cm.table_4,
    "Table 5, scores and frequencies of configurations": cm.table_5,
    "Table 6, values and optimal actions": cm.table_6,
    "numbers of the text": cm.numbers,
    "output, values and policy": forbidden_page.values,
    "output, thresholds": forbidden_page.thresholds,
    "output, iterations and deltas": forbidden_page.numbers,
}


def test_every_place_is_counted_as_the_tests_count_it():
    rows = {row["Place"]: row for row in table("What agrees")}
    assert rows.keys() == CELLS.keys()
    for place, row in rows.items():
        counted = Counter(c.agrees for c in CELLS[place]())
        assert (int(row["Cells"]), int(row["Agree"]), int(row["Differ"])) == (
            counted.total(),
            counted[True],
            counted[False],
        ), place


def test_table_6_has_the_cells_the_page_says():
    statuses = Counter(row["status"] for row in read("crocce_mordecki_table6"))
    assert statuses.total() == 252 and "Table 6 has 252 cells" in PAGE
    assert 2 * 252 - statuses["unreachable"] == len(list(cm.table_6()))


# --- what differs ------------------------------------------------------------------------------------------------


def of(cells, name):
    """(printed, computed) of one cell."""
    found = next(c for c in cells if c.cell == name)
    return found.printed, found.computed


def note_on_two_dice():
    """The note says s for n = 2 and other i; the published state of (3, [1,0,0], 2) has another action."""
    actions = {action for _, action in cm.published(3, (1, 0, 0), 2)}
    assert len(actions) == 1
    return "s", actions.pop()


DIFFERENCES = {
    "CM Table 4, actions s, r, m5": lambda: of(cm.table_4(), "m5"),
    "CM Table 6, tau = 0, n = 5": lambda: of(cm.table_6(), "tau = 0, n5 value"),
    "CM Table 6, last row, n = 2, [2,0,0] and [1,1,0]": lambda: of(cm.table_6(), "tau = 3, n2_200_110 action"),
    "CM Table 6, notes, n = 2, other i, at (3, [1,0,0], 2)": note_on_two_dice,
    "CM section 5.2, base of the difference equation": lambda: of(cm.numbers(), "pig_difference_equation_base"),
}

# What two independent programs give, and the paper does not.
WITNESSES = {
    "CM Table 4, actions s, r, m5": lambda: paper.restricted_value(["m5"]),
    "CM Table 6, tau = 0, n = 5": lambda: paper.algorithm_4_2()[2],
    "CM Table 6, last row, n = 2, [2,0,0] and [1,1,0]": lambda: paper.algorithm_4_2()[1][3, (2, 0, 0), 2],
    "CM Table 6, notes, n = 2, other i, at (3, [1,0,0], 2)": lambda: paper.algorithm_4_2()[1][3, (1, 0, 0), 2],
    "CM section 5.2, base of the difference equation": lambda: bisected(),
}


def bisected():
    """The root of x^2 + ... + x^6 = 6 by Newton's method in rationals, from above."""
    x = Fraction(2)
    for _ in range(12):
        f, slope = sum(x**k for k in range(2, 7)) - 6, sum(k * x ** (k - 1) for k in range(2, 7))
        x = (x - f / slope).limit_denominator(10**25)
    return x


@pytest.mark.parametrize("row", table("What differs"), ids=lambda row: row["Place"])
def test_a_listed_disagreement_is_one(row):
    printed, computed = DIFFERENCES[row["Place"]]()
    witness = WITNESSES[row["Place"]]()
    assert row["Printed"] == printed
    assert not cell(row["Place"], "", printed, computed).agrees
    if isinstance(computed, str):
        assert row["Computed"] == computed == witness
    else:
        # Roots are only known to the digits of their bisections; the rest is equal as a rational.
        assert computed == witness or abs(computed - witness) < Fraction(1, 10**19)
        assert agrees(row["Computed"], computed) and agrees(row["Computed"], witness)


def test_no_disagreement_is_missing_from_the_page():
    listed = [row["Place"] for row in table("What differs")]
    assert listed == list(DIFFERENCES)
    differing = {c.cell for part in CELLS.values() for c in part() if not c.agrees}
    # The two cells of the last row are one printed letter; the note is no cell.
    assert differing == {
        "m5",
        "tau = 0, n5 value",
        "tau = 3, n2_200_110 action",
        "tau = 4, n2_200_110 action",
        "pig_difference_equation_base",
    }


def test_the_numbers_of_the_explanations_are_computed():
    readings = paper.restricted_value(["m5"], compose=True), paper.grouped_algorithm(("0", "5"))[2]
    values = [*(decimals(value, 6) for value in readings)]
    for tau in (3, 4):
        q = cm.q_values(tau, (2, 0, 0), 2)
        values += [decimals(q["m5"], 3), decimals(q["r"], 3)]
        assert q["m5"] == cm.rolled()[tau - 1, 3]
    values += [decimals(cm.rolled()[3, 2], 3), decimals(sum(Fraction("1.0646") ** k for k in range(2, 7)), 3)]
    values += [decimals(cm.rolled("stop_roll")[0, 5], 6)]
    explained = PAGE.split("## What differs")[1]
    assert [value for value in values if value not in explained] == []


# --- statements --------------------------------------------------------------------------------------------------


def test_every_statement_is_held_by_a_test_that_exists():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "games").glob("test_*.py")))
    defined = set(re.findall(r"^def (test_\w+)\(", tests, re.M))
    rows = table("Statements and formulas")
    assert rows and {row["Test"] for row in rows if row["Test"]} <= defined
    # A table's number is all that needs none.
    assert [row["Place"] for row in rows if not row["Test"]] == ["CM sections 2.1 and 3.2"]
