"""A score sheet on a telephone: filled in, asked, and played with a coach."""

import re

from support.explorer_pages import choose, ranking, scrolls, show

FRESH = {"open": 15, "upper": 0, "bonus": 0}


def known(db, **position):
    actions = db.lookup("yahtzee_score", rules="pocket", **position)["actions"]
    return [[a["action"], a["value"], a["regret"]] for a in actions]


def test_a_sheet_is_filled_in_and_asked(page, address, db):
    show(page, address, "yahtzee_score", {"rules": "pocket", **FRESH, "roll": "331", "rerolls_left": 2})
    assert "position=15+0+0+133+2&" in page.url and ranking(page) == known(db, **FRESH, roll="133", rerolls_left=2)
    page.get_by_role("radio", name="0").press("Space")
    page.wait_for_url("**position=15+0+0+133+0&**")
    page.get_by_role("row", name="Threes").get_by_role("button", name="+6").click()
    page.wait_for_url("**position=13+6+0+-+-&**")
    assert ranking(page) == known(db, open="twos,three_of_a_kind,run", upper=6)
    assert page.locator("code").text_content().endswith("yahtzee_score '13 6 0 - -' rules=pocket")
    page.get_by_label("Twos").select_option("4")
    page.get_by_label("Three of a kind").select_option("20")
    page.wait_for_url("**position=8+8+1+**")
    assert page.locator(".sheets .sum").inner_text() == "Points: 35, with the bonus of 5"
    assert ranking(page) == known(db, open="run", upper=8, bonus=1) and scrolls(page) <= 0
    page.get_by_role("button", name="New sheet").click()
    page.wait_for_url("**position=15+0+0+**")


def test_a_sheet_is_played_with_a_coach(page, address):
    show(page, address, "yahtzee_score", {"rules": "pocket"}, play=True)
    page.get_by_role("button", name=re.compile("^Keep the")).first.click()
    choose(page, page.get_by_role("button", name="Roll 2 dice"))
    page.get_by_text("1 reroll left").wait_for()
    # Filling a box now means keeping all dice until the last roll.
    for name in ("Twos", "Threes", "Three of a kind"):
        choose(page, page.get_by_role("row", name=name, exact=False).get_by_role("button").last)
    # The last box is the only choice.
    choose(page, page.get_by_role("row", name="Run", exact=False).get_by_role("button").last)
    moves = page.locator(".log .move").all_inner_texts()
    assert [m for m in moves if not m.startswith("keep")] == ["twos", "threes", "three of a kind", "run"]
    points = page.locator(".side strong").inner_text()
    assert page.locator(".log .end").inner_text() == f"The sheet is full: {points} point{'s' * (points != '1')}."
    assert re.search(r"Over: \d+ of \d+ decisions were the best", page.locator(".sum").inner_text())
    assert scrolls(page) <= 0
