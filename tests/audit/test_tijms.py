"""The section on Hog of docs/why/audit.md says what the tests compute."""

import re

import numpy as np
import pytest

from reference import hog as paper
from reference.hog_simultaneous import Simultaneous
from support.audit_page import FINDINGS, PAGE, table
from support.commands import ROOT
from support.hog_rounds import throw
from support.printed import read

pytestmark = pytest.mark.usefixtures("default_results")  # of `make check`, as all that pages say
SECTION = " ".join(PAGE.split("## Tijms and van der Wal, Hog\n")[1].split())
GAME = (ROOT / "docs/games/hog.md").read_text(encoding="utf-8")


def test_the_computed_numbers_are_those_of_the_rationals(audited):
    low = Simultaneous(9, 5)  # nine points to go are enough for all of the twelve
    _, _, best = paper.reach(40, 4, 10)
    chosen = {17: best[4, 17], 22: best[4, 22]}
    of_paper = [row for (source, *_), row in audited.items() if source == "Tijms and van der Wal (2005)"]
    differing = [row for row in of_paper if row["verdict"] not in ("agrees", "illegible")]
    assert len(differing) == 15
    for row in differing:
        if score := re.search(r"reach_then_(\d+)_dice", row["cell"]):
            assert [int(row["ours"])] == chosen[int(score[1])]
        else:
            places = re.findall(r"G-(\d+)", row["cell"]) or ["1", "3"]
            dice = int(re.search(r"(\d)[ _]dice", row["cell"])[1])
            mix = low.mix[9 - int(places[0]), 9 - int(places[1])]
            assert float(row["ours"]) == pytest.approx(float(mix[dice - 1]), abs=1e-12)


def test_what_is_lost_is_counted():
    lost = {n: sum(r["legible"] == "no" for r in read(f"tijms_table_{n}")) for n in (3, 5)}
    assert f"in which {lost[3]} of the {len(read('tijms_table_3'))} cells" in SECTION
    assert f"{lost[5]} of the {len(read('tijms_table_5'))} numbers" in SECTION


def test_the_numbers_of_the_explanations_are_computed():
    _, Q, _ = paper.reach(40, 4, 10)
    said = [f"{float(Q[4, i][d]):.5f}" for i, d in ((17, 4), (17, 5), (22, 3), (22, 4))]
    assert [number for number in said if number not in FINDINGS] == []


def mixing(target: int, dice: int) -> list[int] | None:
    """How many states have a mix, and how far at most one and both players are from the target there."""
    from dicebase.solvers.throws.simultaneous import solve_simultaneous  # QuantEcon takes a second to load

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
    rows = [[int(entry) for entry in row.values()] for row in table("Where players randomise", GAME)]
    assert [mixing(150, dice) for dice in (1, 2, 3)] == [None] * 3
    assert rows == [[dice, *mixing(150, dice)] for dice in range(4, 21)]


@pytest.mark.parametrize("dice", range(4, 11))
def test_with_up_to_ten_dice_nobody_randomises_beyond_150_points(dice):
    assert mixing(400, dice) == mixing(150, dice)
