"""The section on Hog of docs/audit.md says what the tests compute."""

import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import tijms
from dicebase.solve.simultaneous import solve_simultaneous
from hog_rounds import throw
from printed import agrees, read
from reference import hog as paper
from reference.hog_simultaneous import Simultaneous
from test_audit import PAGE, ROOT, table

SECTION = PAGE.split("## Tijms and van der Wal, Hog\n")[1]
CELLS = {
    "Table 1, one throw": tijms.table_1,
    "Table 2, fewest throws": tijms.table_2,
    "Table 3, best chances within L throws": tijms.table_3,
    "Table 4, the same number of dice again and again": tijms.table_4,
    "Table 5, optimal mixes": tijms.table_5,
    "numbers of the text": tijms.numbers,
}
NAMES = {
    "TW section 3.2, a score of 17": "reach_then_17_dice",
    "TW section 3.2, a score of 22": "reach_then_22_dice",
    "TW section 4.1, the example, 5 dice": "example_5_dice",
}


def name_of(row):
    """The cell that a row of the page is about."""
    return NAMES.get(row["Place"]) or row["Place"].removeprefix("TW Table 5, ")


def test_every_place_is_counted_as_the_tests_count_it():
    rows = {row["Place"]: row for row in table("TW: what agrees")}
    assert list(rows) == list(CELLS)
    for place, row in rows.items():
        counted = Counter(c.agrees for c in CELLS[place]())
        numbers = (counted.total(), counted[True], counted[False])
        assert tuple(int(row[name]) for name in ("Cells", "Agree", "Differ")) == numbers, place


def test_the_listed_disagreements_are_all_there_are():
    differing = {c.cell: c for c in tijms.all_cells() if not c.agrees}
    rows = {name_of(row): row for row in table("TW: what differs")}
    assert rows.keys() == differing.keys() and len(rows) == 15
    for name, row in rows.items():
        assert row["Printed"] == differing[name].printed and not agrees(row["Printed"], differing[name].computed)
        assert agrees(row["Computed"], differing[name].computed)


def test_the_computed_numbers_are_those_of_the_rationals():
    low = Simultaneous(9, 5)  # nine points to go are enough for all of the twelve
    _, _, best = paper.reach(40, 4, 10)
    chosen = {17: best[4, 17], 22: best[4, 22]}
    for row in table("TW: what differs"):
        if score := re.search(r"a score of (\d+)", row["Place"]):
            assert [int(row["Computed"])] == chosen[int(score[1])]
        else:
            places = re.findall(r"G-(\d+)", row["Place"]) or ["1", "3"]
            dice = int(re.search(r"(\d) dice", row["Place"])[1])
            mix = low.mix[9 - int(places[0]), 9 - int(places[1])]
            assert agrees(row["Computed"], mix[dice - 1])


def test_what_is_lost_is_counted():
    lost = {n: sum(r["legible"] == "no" for r in read(f"tijms_table_{n}")) for n in (3, 5)}
    assert f"in which {lost[3]} of the {len(read('tijms_table_3'))} cells" in SECTION
    assert f"{lost[5]} of the {len(read('tijms_table_5'))} numbers" in SECTION.replace("\n", " ")


def test_the_numbers_of_the_explanations_are_computed():
    _, Q, _ = paper.reach(40, 4, 10)
    said = [f"{float(Q[4, i][d]):.5f}" for i, d in ((17, 4), (17, 5), (22, 3), (22, 4))]
    assert [number for number in said if number not in SECTION] == []


def mixing(target: int, dice: int) -> list[int] | None:
    """How many states have a mix, and how far at most one and both players are from the target there."""
    reach = 6 * dice + 1
    q = np.zeros((dice, reach))
    for d in range(dice):
        q[d, : 6 * d + 7] = throw(d + 1)
    stage = solve_simultaneous(q, target, False, lambda done, of: None)
    used = stage.mix > 0
    mixed = used.sum(axis=2) > 1
    # Strictly complementary, so no other mix is optimal.
    assert np.where(used, stage.mix, stage.value[:, :, None] - stage.q).min(axis=2)[mixed].min(initial=1) > 1e-7
    missing = target - np.argwhere(mixed)
    return [len(missing), int(missing.max()), int(missing.min(axis=1).max())] if len(missing) else None


def test_where_players_randomise_is_what_the_page_says():
    rows = [[int(entry) for entry in row.values()] for row in table("TW: statements and formulas", 2)]
    assert [mixing(150, dice) for dice in (1, 2, 3)] == [None] * 3
    assert rows == [[dice, *mixing(150, dice)] for dice in range(4, 21)]


@pytest.mark.parametrize("dice", range(4, 11))
def test_with_up_to_ten_dice_nobody_randomises_beyond_150_points(dice):
    assert mixing(400, dice) == mixing(150, dice)


def test_every_statement_is_held_by_a_test_that_exists():
    text = (ROOT / "tests" / "games" / "test_tijms.py").read_text(encoding="utf-8")
    rows = table("TW: statements and formulas")
    assert len(rows) == 5 and {row["Test"] for row in rows} <= set(re.findall(r"^def (test_\w+)\(", text, re.M))
    assert Fraction(-6) == -1 / paper.gains(1)[0]
