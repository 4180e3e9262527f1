"""The explorer in Chromium: every table, links, keyboard, touch, telephone and accessibility."""

import re

import pytest

from dicebase.tables.names import find_table
from support import explorer_site
from support.every_table import positions
from support.explorer_pages import DECIDED, DESK, PHONE, QUESTION, actions, best, ranking, scrolls, show, violations

EXACT = 1e-12


def shape(table, roll):
    match = find_table(table).match_class
    return find_table(table).rules_class.family, match.layout, match.value.unit, roll


SHOWN = {shape(*case): case for case in reversed(DECIDED)}.values()
"""A case of each family, layout, unit and notation of rolls. test_explorer.py compares the page's answers about all
tables with the catalogue's."""


@pytest.mark.parametrize(
    ("table", "roll"),
    [
        pytest.param(*case, id=case[0] + "-roll" * case[1], marks=[pytest.mark.slow] * (case not in SHOWN))
        for case in DECIDED
    ],
)
def test_the_link_of_a_position_shows_the_ranking_of_the_catalogue(page, address, db, table, roll):
    asked = [p for p in positions(db, table, roll)[1] if len((db.get(table, **p) or {"actions": ()})["actions"]) > 1]
    position = (asked or positions(db, table)[1])[len(asked) // 2]
    show(page, address, table, position)
    known = db.lookup(table, **position)
    shown = ranking(page)
    assert [action for action, *_ in shown] == [a["action"] for a in known["actions"]]
    for (_, value, regret), a in zip(shown, known["actions"], strict=True):
        assert abs(value - a["value"]) <= EXACT and abs(regret - a["regret"]) <= EXACT
    assert page.locator("[role=status] .headline").inner_text()
    assert f"dicebase lookup {table} " in page.locator("footer code").text_content()
    unmapped = ("boards", "hidden", "sheets", "dealer", "draws")
    if table != "hog_turn" and db.solved(table).table.rules_class.family not in unmapped:
        page.locator("figure").first.wait_for()
        names = page.locator(".position :is(label[for], legend)").evaluate_all("all => all.map(n => n.firstChild.data)")
        axes = [*(name.strip() for name in names), "Action", "better by"]
        for drawn in page.locator("figure svg[role=img]").all_text_contents():
            assert sum(axis in drawn for axis in axes) >= 2
    text = page.locator("body").inner_text()
    assert not re.search(r"\de[-−+]\d|[a-z]_[a-z]|Infinity|NaN|undefined", text)
    assert scrolls(page) <= 0
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(".say .headline").bounding_box()
    assert box["y"] + box["height"] < PHONE["height"], "a telephone shows the best action without scrolling"


def test_a_question_is_asked_with_controls_only(page, address, db):
    page.goto(address)
    page.get_by_role("link", name="Ten Thousand").click()
    page.get_by_text("Options").click()
    page.get_by_label("Aim").select_option("Duel")
    for label, value in (("My points", 350), ("Opponent’s points", 400), ("Points on the table this turn", 200)):
        box = page.get_by_role("spinbutton", name=label)
        box.fill(str(value))
        box.press("Enter")
    page.get_by_role("radio", name="1 die").check()
    known = best(db, "ten_thousand_duel", **QUESTION)
    page.wait_for_url("**position=350+400+200+1&**")
    page.locator(".headline", has_text=known[0].capitalize()).wait_for()
    assert actions(page) == known
    # The address holds the position.
    assert "position=350+400+200+1&" in page.url and "target=1000" in page.url
    before = ranking(page)
    page.reload()
    assert ranking(page) == before


def test_a_new_address_in_the_same_page_is_followed(page, address, db):
    show(page, address, "pig_duel", {"target": 20, "me": 5, "opponent": 5, "turn_total": 4})
    ranking(page)
    page.evaluate("location.hash = '#hog_race?score=11'")
    page.wait_for_url("**hog_race?position=11&**")
    page.get_by_role("row", name="3 dice").wait_for()
    page.evaluate("location.hash = '#hog_race?max_dice=3&target=20&score=11'")
    page.wait_for_function("document.querySelectorAll('.answer tbody tr').length === 3")
    assert actions(page) == best(db, "hog_race", score=11, **db.tables("hog_race")[0]["parameters"])


def test_a_click_on_the_map_opens_its_position(page, address):
    show(page, address, "pig_duel", {"target": 20, "me": 1, "opponent": 1, "turn_total": 4})
    page.locator("figure svg[role=img]").nth(1).click()
    page.wait_for_function("!location.hash.includes('position=1+1+')")
    assert len(ranking(page)) == 2


def test_a_page_opened_as_a_file_explains_itself(browser, tmp_path_factory):
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"file://{explorer_site.site(tmp_path_factory)}/index.html")
    said = page.get_by_role("alert")
    said.wait_for()
    assert "Open it from a server" in said.inner_text()
    context.close()


def test_an_unreachable_position_is_answered_with_a_note(page, address, db):
    position = QUESTION | {"turn_total": 50, "dice": 1}
    assert db.get("ten_thousand_duel", **position) is None
    show(page, address, "ten_thousand_duel", position)
    assert len(ranking(page)) == 2
    assert "no turn comes to exactly this" in page.locator(".say").inner_text()


def test_the_page_works_with_the_keyboard_only(page, address):
    show(page, address, "ten_thousand_duel", QUESTION)
    page.get_by_role("slider", name="My points").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**position=400+**")
    page.get_by_role("radio", name="1 die").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**position=400+400+200+2&**")
    assert page.evaluate("document.activeElement.type") == "radio"
    page.get_by_label("Which dice to keep?").focus()
    page.keyboard.press("Space")
    for face in (5, 1):
        page.get_by_role("button", name=f"Add a {face}").press("Enter")
    page.wait_for_url("**+-+15&**")


def test_dice_are_entered_by_clicks(page, address, db):
    show(page, address, "ten_thousand_turn", {"turn_total": 0, "roll": "", "rules": "pocket"})
    assert "Add the dice you rolled" in page.locator(".say").inner_text()
    for face in (5, 1, 2):
        page.get_by_role("button", name=f"Add a {face}").click()
    assert actions(page) == best(db, "ten_thousand_turn", rules="pocket", turn_total=0, roll="125")
    page.get_by_role("button", name="Take away the 5").click()
    page.get_by_role("button", name="Take away the 1").click()
    for face in (3, 4):
        page.get_by_role("button", name=f"Add a {face}").click()
    page.get_by_text("scores nothing: the turn is lost").wait_for()


def test_a_hand_is_typed_or_chosen_by_its_cards(page, address, db):
    show(page, address, "video_poker_return", {"pays": "short_deck"})
    known = best(db, "video_poker_return", hand="Jh Jd As Tc Kd", pays="short_deck")
    box = page.get_by_role("textbox")
    box.fill("10♣, jh AS Kd jd")
    box.press("Enter")
    page.wait_for_url("**position=%22Tc+Jh+As+Kd+Jd%22**")
    page.locator(f"tr[data-action='{known[0]}']").wait_for()
    page.get_by_role("button", name="Take away the 10 of clubs").click()
    page.locator(".say .none", has_text="Add the cards that you were dealt: 1 more.").wait_for()
    page.get_by_role("button", name="Add the 10 of clubs").click()
    page.wait_for_url("**position=%22Jh+As+Kd+Jd+Tc%22**")
    found = ranking(page)
    assert {frozenset(action.split()): cost for action, _, cost in found} == {
        frozenset(a["action"].split()): a["regret"]
        for a in db.lookup("video_poker_return", hand="Jh Jd As Tc Kd", pays="short_deck")["actions"]
    }
    held = page.locator(".held.lifted").evaluate_all("all => all.map(n => n.ariaLabel)")
    assert held == ["Take away the J of hearts", "Take away the J of diamonds"] and found[0][0] == "Jh Jd"
    box.fill("Jh Jd As Tc Jh")
    box.press("Enter")
    page.locator(".say .none", has_text="Jh is in the hand twice.").wait_for()
    show(page, address, "blackjack_return", {"hand": "10 6", "dealer": "10"})
    page.get_by_role("textbox").fill("6 K 2")
    page.get_by_role("textbox").press("Enter")
    page.get_by_role("group", name="Dealer").get_by_role("button", name="Add the 7").click()
    page.wait_for_url("**position=%2210+6+2%22+7&**")
    assert actions(page) == best(db, "blackjack_return", hand="10 6 2", dealer="7")
    assert scrolls(page) <= 0


DARK, LIGHT = {"viewport": PHONE, "color_scheme": "dark"}, {"viewport": DESK, "color_scheme": "light"}
ROLL = {"rules": "pocket", "turn_total": 0, "roll": "125"}
SEEN = {
    "ask": ("ten_thousand_duel", QUESTION, False),
    "play": ("ten_thousand_duel", QUESTION, True),
    "roll": ("ten_thousand_turn", ROLL, False),
    "card": ("ten_times_eighteen_score", {"slots": 4, "free": 7, "roll_total": 9}, False),
    "tiles": ("shut_the_box_score", {"tiles": 4}, False),
    "squares": ("royal_ur_duel", {"dice": 2}, False),
    "home": ("", {}, False),
    "piles": ("bear_off_rolls", {"checkers": 2}, False),
    "tracks": ("cant_stop_turns", {}, False),
    "camps": ("risk_win", {}, False),
    "scale": ("decathlon_shot_put_points", {}, False),
    "sheet": ("yahtzee_score", {"rules": "pocket"}, False),
    "unsolved": ("pig_turn", {"sides": 7}, False),
    "covered": ("liars_dice_duel", {"faces": 2, "wild": "none"}, True),
    "cards": ("kuhn_poker_duel", {"player": 2, "card": "J", "history": "check"}, False),
    "hand": ("video_poker_return", {"pays": "short_deck"}, False),
    "mix": ("hog_simultaneous", {"target": 10, "max_dice": 4, "me": 3, "opponent": 5}, False),
}
LOOKS = [(LIGHT, name) for name in SEEN] + [
    (DARK, name) for name in ("ask", "play", "squares", "home", "sheet", "cards", "hand")
]
FIRST = [(LIGHT, "ask"), (LIGHT, "squares"), (DARK, "home"), (DARK, "play"), (DARK, "sheet")]
"""The pages that `make test` looks at."""


@pytest.mark.parametrize(
    ("page", "name"),
    [pytest.param(*look, marks=[pytest.mark.slow] * (look not in FIRST)) for look in LOOKS],
    indirect=["page"],
    ids=lambda x: x if isinstance(x, str) else x["color_scheme"],
)
def test_the_page_is_accessible(page, address, tmp_path_factory, name):
    table, given, play = SEEN[name]
    show(page, address, table, given, play)
    waited = {"home": ".game", "unsolved": ".near button"}.get(name, ".moves button" if play else ".answer tbody tr")
    page.locator(waited).first.wait_for()
    if name == "squares":
        page.locator(".place").first.click()
    if play:
        page.locator(".moves button").first.click()
        page.locator(".log li").first.wait_for()
    assert violations(page, tmp_path_factory) == []
