"""Questions to the explorer in Chromium: wrong links, typed numbers, unsolved variants, and what an answer explains."""

import pytest

from support.explorer_pages import DECIDED, QUESTION, actions, best, ranking, said, scrolls, show

SMALL = {"sides": 6, "dice": 1, "target": 20, "me": 3, "opponent": 5, "turn_total": 4}


def test_wrong_links_are_explained(page, address):
    show(page, address, "ten_million", {})
    alert = page.locator("[role=alert]")
    assert "There is no table ten_million on this page." in alert.inner_text() and page.locator(".games a").count()
    show(page, address, "pig_duel", {"dice": 2, "target": 10, "me": 3})
    assert ranking(page)
    show(page, address, "pig_duel", SMALL | {"me": "many"})
    assert "me=many is not a whole number" in alert.inner_text() and "+5+4&" in page.url
    show(page, address, "pig_duel", SMALL | {"you": 4})
    assert "There is no you in this table." in alert.inner_text()
    show(page, address, "hog_hidden", {"throw": 99, "score": 5})
    assert "99 is not possible" in said(page)
    show(page, address, "ten_thousand_duel", {"rules": "pocket", "target": 1000, "me": 5000, "roll": "1"})
    assert "5,000 is not possible; the match ends at 1,000." in said(page)
    assert "Infinity" not in page.locator("body").inner_text() and "position=5000+" in page.url


def test_an_impossible_number_stays_and_its_neighbours_are_offered(page, address):
    show(page, address, "ten_thousand_duel", QUESTION)
    box = page.get_by_role("spinbutton", name="My points")
    box.fill("325")
    box.press("Enter")
    page.wait_for_url("**position=325+**")
    assert "My points: 325 is not possible; it goes in steps of 50." in said(page)
    assert box.input_value() == "325" and not page.locator(".answer tbody tr").count()
    near = page.get_by_role("group", name="Nearest: My points").get_by_role("button")
    assert near.all_inner_texts() == ["300", "350"]
    near.nth(1).click()
    page.wait_for_url("**position=350+**")
    assert ranking(page) and box.input_value() == "350"
    show(page, address, "ten_thousand_turn", {"rules": "pocket", "turn_total": 0, "roll": "5,1,1"})
    assert ranking(page) and "position=0+115&" in page.url
    show(page, address, "pig_turn", {"sides": 6, "dice": 1, "turn_total": 1})
    assert "1 is not possible; no play leads there." in said(page)
    show(page, address, "ten_thousand_turn", {"rules": "pocket", "turn_total": 0, "roll": "111111"})
    assert "6 dice cannot be rolled here" in said(page) and "position=0+111111&" in page.url


def test_a_possible_number_is_answered_while_it_is_typed(page, address):
    show(page, address, "pig_duel", SMALL)
    box = page.get_by_role("spinbutton", name="My points")
    box.click()
    page.keyboard.type("1")
    page.wait_for_url("**position=1+5+4&**")
    page.keyboard.type("1")
    page.wait_for_url("**position=11+5+4&**")
    assert ranking(page) and box.input_value() == "11"
    page.evaluate("history.back()")
    page.wait_for_url("**position=3+5+4&**")


def test_an_unsolved_variant_stays_and_the_nearest_solved_one_is_offered(page, address):
    for table, given, first in (
        ("pig_turn", {"sides": 7}, "Sides of a die: 6"),
        ("pig_duel", {"target": 250}, "Play to: 20"),
        ("ten_thousand_duel", {"rules": "pocket", "target": 1200}, "Play to: 1000"),
    ):
        show(page, address, table, given)
        assert "Not solved: " in said(page) and all(f"{name}={value}" in page.url for name, value in given.items())
        near = page.get_by_role("group", name="Nearest").get_by_role("button")
        assert near.first.inner_text() == first and not page.locator(".answer").count()
        near.first.click()
        page.locator(".answer tbody tr").first.wait_for()


def test_back_returns_and_a_button_copies_the_link(page, address):
    show(page, address, "pig_duel", SMALL)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    more = page.get_by_role("button", name="My points: more")
    more.click()
    page.wait_for_url("**position=4+5+4&**")
    more.click()
    page.wait_for_url("**position=5+5+4&**")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.evaluate("history.back()")
    page.wait_for_url("**position=4+5+4&**")
    page.wait_for_function("document.querySelector('.me input[type=number]').value === '4'")
    page.evaluate("history.back()")
    page.wait_for_url("**position=3+5+4&**")


def test_digit_keys_enter_dice(page, address, db):
    show(page, address, "ten_thousand_turn", {"rules": "pocket", "turn_total": 0, "roll": ""})
    for key in ("5", "2", "6", "Backspace", "1"):
        page.keyboard.press(key)
    page.wait_for_url("**position=0+125&**")
    assert actions(page) == best(db, "ten_thousand_turn", rules="pocket", turn_total=0, roll="125")
    page.get_by_role("spinbutton").fill("100")
    page.get_by_role("spinbutton").press("Enter")
    page.wait_for_url("**position=100+125&**")


@pytest.mark.parametrize("page", [{"viewport": {"width": 1280, "height": 800}}], indirect=True)
def test_the_first_screen_shows_a_question_and_its_map(page, address):
    show(page, address, "ten_thousand_duel", {})
    page.locator(".maps figure").wait_for()
    assert "#ten_thousand_duel?position=300+400+100+2&" in page.url
    for place in (".say .headline", ".answer tbody", ".maps svg[role=img]"):
        box = page.locator(place).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 800
    assert scrolls(page) <= 0


def test_the_gallery_has_a_picture_a_sentence_and_the_value_of_every_game(page, address, db):
    page.goto("about:blank")
    page.goto(address)
    cards = page.locator(".games a")
    cards.first.wait_for()
    assert cards.count() == len({db.describe(table)["game_title"] for table, _ in DECIDED})
    assert all(cards.nth(i).locator(".picture :is(svg, .tile)").count() for i in range(cards.count()))
    names = cards.locator("strong").all_inner_texts()
    assert [name.split(",")[0] for name in names[:4]] == ["Yahtzee", "Ten Thousand", "Pig", "Backgammon's bear-off"]
    usual = db.describe("pig_duel")["example"].items()
    (value,) = (t["value"] for t in db.tables("pig_duel") if t["parameters"].items() <= usual)
    said = cards.filter(has_text="a 1 loses the turn").inner_text()
    assert f"The first player wins: {100 * value:.2f} %" in said
    links = page.locator("footer a").evaluate_all("all => all.map(a => [a.textContent, a.getAttribute('href')])")
    assert [text.split()[0] for text, _ in links] == ["Documentation", "All", "Data", "Licences"]
    for _, beside in links[2:]:
        assert page.request.get(address + beside).ok
    cards.filter(has_text="Risk").click()
    page.wait_for_url("**#risk_*")
    page.locator(".games a").first.wait_for(state="detached")


def test_a_question_fits_on_a_telephone(page, address):
    show(page, address, "ten_thousand_duel", QUESTION)
    ranking(page)
    page.evaluate("scrollTo(0, 0)")
    hidden = page.evaluate("""() => [...document.querySelectorAll(".say p, .position :is(input, button)")].filter(n => {
        const {left, top, width, height} = n.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return !there || !(n.contains(there) || there.contains(n) || n.parentElement.contains(there));
    }).map(n => n.outerHTML)""")
    assert hidden == []


def test_actions_have_their_costs_and_odds(page, address, db):
    show(page, address, "ten_thousand_duel", QUESTION)
    known = db.lookup("ten_thousand_duel", **QUESTION)["actions"]
    lost = f"{100 * known[1]['regret']:.2f}"
    assert f"costs {lost} percentage points." in said(page)
    table = page.locator(".answer").inner_text()
    assert (
        "Cost, percentage points" in table
        and f"\t{lost}" in table
        and "busts 66.7 %; otherwise +75 on average" in table
    )
    show(page, address, "hog_simultaneous", {"me": 3, "opponent": 9})
    head = page.locator(".answer thead")
    head.get_by_text("Win minus loss").wait_for()
    assert "Cost, percentage points" in head.inner_text()
    assert page.locator(".answer tbody td.value").first.inner_text() == f"{100 * ranking(page)[0][1]:.2f}".replace(
        "-", "−"
    )
    show(page, address, "pig_duel", SMALL)
    assert "busts 16.7 %; otherwise +4 on average" in page.get_by_role("row", name="roll").inner_text()
    show(page, address, "hog_turn", {"max_dice": 5})
    assert "scores nothing 30.6 %; otherwise +8 on average" in page.get_by_role("row", name="2 dice").inner_text()
    show(page, address, "ten_times_eighteen_exceed", {"slots": 3, "free": 7, "needed": 50, "roll_total": 11})
    assert "with this roll to place" in page.locator(".answer caption").inner_text()


def test_totals_beyond_the_stored_ones_are_answered_by_the_theorem(page, address, db):
    position = {"rules": "pocket", "moves": "all", "turn_total": 90000, "roll": "115"}
    known = db.lookup("ten_thousand_turn", **position)
    show(page, address, "ten_thousand_turn", position)
    assert known["beyond"] and actions(page) == [a["action"] for a in known["actions"]]
    assert f"Past the stored totals, by a theorem: {known['note']}." in said(page)


def test_the_page_has_the_rules_in_words_and_tables(page, address):
    show(page, address, "ten_thousand_turn", {"rules": "pocket", "moves": "stop_roll", "turn_total": 0, "roll": "115"})
    page.get_by_text("The rules", exact=True).click()
    page.get_by_text("What is chosen, and what a position is").click()
    rules = page.locator(".rules").inner_text()
    assert "if all dice of a roll score, all must be kept, and the next roll uses all dice again." in rules
    assert "pocket\n\n3 dice\n1 = 100, 5 = 50, 11 = 300\n" in rules
    assert "Dice that may be resigned\tnone\tscoring dice that may be resigned (not kept)" in rules
    assert page.get_by_label("Dice that may be resigned").locator("option").all_text_contents() == ["any", "none"]
