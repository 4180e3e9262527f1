"""Positions of boards as people set them in the explorer: tiles, dice, squares, columns by the values there are."""

import json
import re
import threading

import pytest

import dicebase
from dicebase.show.explorer.site import write_explorer
from dicebase.show.http import app
from support import grids
from support.explorer_pages import PHONE, ranking, scrolls, show

UR = {"pieces": 2, "before": 1, "middle": 2, "after": 1, "dice": 2}
LAYERED = {"tables": {"royal_ur_layers": [UR], "royal_ur_duel": [UR | {"pieces": 1}]}}


def said(page):
    return page.locator(".say").inner_text()


def best(db, table, **position):
    return [a["action"] for a in db.lookup(table, **position)["actions"]]


def test_a_table_opens_where_play_first_has_a_choice(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4})
    assert "open=1234&roll_total=7" in page.url and [a for a, *_ in ranking(page)] == best(
        db, "shut_the_box_score", tiles=4, open="1234", roll_total=7
    )
    assert page.get_by_label("Aim").locator("option").all_inner_texts() == [
        "Least expected sum of the tiles left open",
        "Chance to shut the box",
    ]


def test_tiles_are_shut_and_opened_and_what_is_no_position_is_said(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4, "open": "1234", "roll_total": 5})
    page.get_by_role("checkbox", name="2").press("Space")
    page.wait_for_url("**open=134&roll_total=5")
    assert [a for a, *_ in ranking(page)] == best(db, "shut_the_box_score", tiles=4, open="134", roll_total=5)
    for tile in "13":
        page.locator(".tile", has_text=tile).click()
    page.wait_for_url("**open=4&roll_total=5")
    page.locator(".say .none", has_text="Roll total: 5 is not possible").wait_for()
    page.get_by_role("group", name="Nearest: Roll total").get_by_role("button", name="4").click()
    page.wait_for_url("**open=4&roll_total=4")
    assert [a for a, *_ in ranking(page)] == ["shut 4"]
    assert scrolls(page) <= 0


def test_dice_that_fell_are_chosen_by_their_faces(page, address, db):
    show(page, address, "cards_up_turns", {"cards": 4, "sides": 2, "up": "124", "roll": "21"})
    assert "roll=12" in page.url
    page.get_by_role("radio", name="12").press("ArrowRight")
    page.wait_for_url("**roll=22")
    known = best(db, "cards_up_turns", cards=4, sides=2, up="124", roll="22")
    page.locator(f"tr[data-action='{known[-1]}']").wait_for()
    assert [a for a, *_ in ranking(page)] == known


def test_pieces_of_a_point_are_made_more_and_fewer(page, address, db):
    show(page, address, "bear_off_rolls", {"checkers": 2, "board": "100100", "roll": "13"})
    page.get_by_role("button", name="Board 4: less").click()
    page.get_by_role("button", name="Board 6: more").click()
    page.wait_for_url("**board=100001&**")
    assert page.locator(".count").all_inner_texts()[5].split() == ["6", "−", "1", "+"]
    known = best(db, "bear_off_rolls", checkers=2, board="100001", roll="13")
    page.locator(f"tr[data-action='{known[-1]}']").wait_for()
    assert [a for a, *_ in ranking(page)] == known


def test_pieces_change_squares_or_are_laid(page, address, db):
    given = {"before": 1, "middle": 2, "after": 1, "dice": 2, "to_enter": 0, "opponent_to_enter": 1, "roll": 1}
    show(page, address, "royal_ur_duel", {**given, "board": "x....."})
    assert "my piece" in page.locator(".legend").inner_text()
    page.get_by_role("button", name="Square 1, a rosette: my piece").press("Enter")
    assert not page.locator(".legend").is_visible()
    page.get_by_role("button", name="Square 3: empty").click()
    page.wait_for_url("**board=..x...&**")
    assert [a for a, *_ in ranking(page)] == best(db, "royal_ur_duel", **given, board="..x...")
    page.get_by_role("button", name="Square 3: my piece").click()
    page.get_by_role("group", name="What lies on the square").get_by_role("button", name="empty").click()
    page.wait_for_url("**board=......&**")
    page.locator(".say .none", has_text="To enter: 0 is not possible").wait_for()


def test_a_position_that_is_not_there_is_kept_and_the_most_alike_are_offered(page, address):
    show(page, address, "cards_up_turns", {"cards": 4, "sides": 2, "up": "42", "roll": "12"})
    assert "Up: no play leads to 42 here." in said(page) and "up=42" in page.url
    near = page.get_by_role("group", name="Nearest: Up").get_by_role("button")
    assert near.count() == 3
    near.first.click()
    assert ranking(page)


def test_the_last_two_numbers_make_a_map(page, address, db):
    given = {"turns": 2, "turns_left": 1, "points": 20, "turn_total": 8}
    show(page, address, "think_points", given)
    best_action = best(db, "think_points", **given)[0]
    drawn = page.locator(".maps svg[role=img]").get_attribute("aria-label")
    assert drawn.startswith(f"The best action. Here: {best_action}.")


def test_a_box_is_played_with_a_coach(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4}, play=True)
    lost, made = 0.0, 0
    while not (over := page.locator(".sum", has_text="Over:")).is_visible():
        page.locator(".moves button, .sum:has-text('Over:')").first.wait_for()
        if over.is_visible():
            break
        (total,) = re.findall(r"^Roll total: (\d+)$", page.locator(".coach .headline").inner_text())
        up = "".join(page.locator(".coach .tile", has=page.locator(":checked")).all_inner_texts())
        worst = db.lookup("shut_the_box_score", tiles=4, open=up, roll_total=int(total))["actions"][-1]
        page.locator(".moves").get_by_role("button", name=worst["action"], exact=True).click()
        lost, made = lost + worst["regret"], made + 1
        page.locator(".sum", has_text=re.compile(rf"of {made} decisions?")).wait_for()
    assert re.search(rf"of {made} decisions", over.inner_text())
    assert ("gave up nothing" in over.inner_text()) == (lost == 0)
    assert page.get_by_role("log").get_by_text(re.compile(r"^It is over: \d+ points")).count() == 1
    assert scrolls(page) <= 0


@pytest.fixture(scope="module")
def layered(tmp_path_factory):
    """(the folder of a board in layers, what serves it)."""
    uvicorn = pytest.importorskip("uvicorn")
    results = grids.build_shared(tmp_path_factory.mktemp("layered") / "results", json.dumps(LAYERED))
    write_explorer(results)
    server = uvicorn.Server(uvicorn.Config(app.make_app(results), port=0, lifespan="off", log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.05)
    yield results, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/explorer/"
    server.should_exit = True
    thread.join()


def test_a_board_in_layers_is_asked_of_the_server(browser, layered):
    results, address = layered
    page = browser.new_page(viewport=PHONE)
    given = UR | {"board": "..x..o", "to_enter": 1, "opponent_to_enter": 0, "roll": 1}
    show(page, address, "royal_ur_duel", given)
    with dicebase.open(results) as db:
        for roll in (1, 2):
            page.get_by_role("radio", name=str(roll)).last.press("Space")
            page.wait_for_url(f"**roll={roll}")
            known = db.lookup("royal_ur_duel", **given | {"roll": roll})["actions"]
            page.locator(f"tr.best[data-value='{known[0]['value']!r}']").wait_for()
            assert ranking(page) == [[a["action"], a["value"], a["regret"]] for a in known]
    page.get_by_role("button", name="Square 3: my piece").click()
    page.get_by_role("button", name=re.compile("^Square 2")).click()
    page.wait_for_url("**board=.x...o&**")
    assert scrolls(page) <= 0
    page.get_by_role("radio", name="2").nth(1).press("Space")
    page.locator(".say .none", has_text="no play leads there").wait_for()
    page.route("**/v1/**", lambda route: route.fulfill(status=404, body="nothing here"))
    page.get_by_role("radio", name="0").first.press("Space")
    page.locator(".say .none", has_text="Only a server answers").wait_for()
    page.close()
