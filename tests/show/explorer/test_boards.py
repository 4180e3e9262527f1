"""Positions of boards and score sheets in the explorer: tiles, dice, squares, piles and boxes are set by controls."""

import json
import re
import threading

import pytest

import dicebase
from dicebase.show.explorer.site import write_explorer
from dicebase.show.http import app
from support import grids
from support.explorer_pages import PHONE, actions, best, choose, ranking, said, scrolls, show

UR = {"pieces": 2, "before": 1, "middle": 2, "after": 1, "dice": 2}
LAYERED = {"tables": {"royal_ur_layers": [UR], "royal_ur_duel": [UR | {"pieces": 1}]}}


def drag(page, piece, to):
    """Drag what lies on a place of a board to another place."""
    boxes = [page.get_by_role("button", name=name).bounding_box() for name in (piece, to)]
    (x, y), (u, v) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + u) / 2, (y + v) / 2)
    page.mouse.move(u, v)
    page.mouse.up()


def test_a_board_opens_at_its_first_decision(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4})
    assert "position=1234+7&" in page.url
    assert actions(page) == best(db, "shut_the_box_score", tiles=4, open="1234", roll_total=7)
    aims = page.get_by_label("Aim").locator("option").all_text_contents()
    assert aims == ["Least expected sum of the tiles left open", "Chance to shut the box"]


def test_tiles_are_shut_and_opened(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4, "open": "1234", "roll_total": 5})
    page.get_by_role("checkbox", name="2").press("Space")
    page.wait_for_url("**position=134+5&**")
    assert actions(page) == best(db, "shut_the_box_score", tiles=4, open="134", roll_total=5)
    for tile in "13":
        page.locator(".tile", has_text=tile).click()
    page.wait_for_url("**position=4+5&**")
    page.locator(".say .none", has_text="Roll total: 5 is not possible").wait_for()
    page.get_by_role("group", name="Nearest: Roll total").get_by_role("button", name="4").click()
    page.wait_for_url("**position=4+4&**")
    assert actions(page) == ["shut 4"]
    assert scrolls(page) <= 0


def test_a_roll_is_chosen_by_its_faces(page, address, db):
    show(page, address, "cards_up_turns", {"cards": 4, "sides": 2, "up": "124", "roll": "21"})
    assert "position=124+12&" in page.url
    page.get_by_role("button", name="Die 1: 1").press("ArrowUp")
    page.wait_for_url("**position=124+22&**")
    known = best(db, "cards_up_turns", cards=4, sides=2, up="124", roll="22")
    page.locator(f"tr[data-action='{known[-1]}']").wait_for()
    assert actions(page) == known


def test_checkers_move_from_point_to_point(page, address, db):
    show(page, address, "bear_off_rolls", {"checkers": 2, "board": "100100", "roll": "13"})
    drag(page, "Board, point 4: 1", "Board, point 6: 0")
    page.wait_for_url("**position=100001+**")
    page.get_by_role("button", name="Board, point 6: 1").wait_for()
    known = best(db, "bear_off_rolls", checkers=2, board="100001", roll="13")
    page.locator(f"tr[data-action='{known[-1]}']").wait_for()
    assert actions(page) == known


def test_pieces_are_moved_and_placed(page, address, db):
    given = {"before": 1, "middle": 2, "after": 1, "dice": 2, "to_enter": 0, "opponent_to_enter": 1, "roll": 1}
    show(page, address, "royal_ur_duel", {**given, "board": "x....."})
    page.get_by_role("button", name="Square 1, a rosette: my piece").press("Enter")
    page.get_by_role("button", name="Square 3: empty").click()
    page.wait_for_url("**position=..x...+**")
    assert actions(page) == best(db, "royal_ur_duel", **given, board="..x...")
    page.get_by_role("button", name="Square 3: my piece").click()
    page.get_by_role("group", name="What lies on the square").get_by_role("button", name="empty").click()
    page.wait_for_url("**position=......+**")
    page.locator(".say .none", has_text="To enter: 0 is not possible").wait_for()
    drag(page, "Opponent to enter: 1", "Square 5, a rosette: empty")
    page.wait_for_url("**position=....o.+0+0+1&**")


def test_boards_work_with_the_keyboard(page, address):
    given = {"before": 1, "middle": 2, "after": 1, "dice": 2, "to_enter": 0, "opponent_to_enter": 1, "roll": 1}
    show(page, address, "royal_ur_duel", {**given, "board": "x....."})
    page.get_by_role("button", name="Square 1, a rosette: my piece").press("ArrowUp")
    name = "() => document.activeElement.ariaLabel"
    assert page.evaluate(name) == "Square 2, a rosette: empty"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(name) == "Square 3: empty"
    for key in ("ArrowLeft", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url("**position=.x....+**")
    show(page, address, "cant_stop_turns", {"kept": "000", "climbed": "010", "roll": "-"})
    page.get_by_role("slider", name="Climbed, column 3").press("ArrowUp")
    page.wait_for_url("**position=000+020+**")
    page.get_by_role("button", name="Kept").press("Enter")
    page.get_by_role("slider", name="Kept, column 3").press("ArrowUp")
    page.wait_for_url("**position=010+020+**")


def test_a_board_points_out_the_best_action_and_the_one_under_the_pointer(page, address, db):
    show(page, address, "bear_off_rolls", {"checkers": 2, "board": "000011", "roll": "12"})
    first, second = ranking(page)[:2]
    assert page.locator(".arrow").count() == page.locator(".arrow.best").count() == first[0].count("/")
    page.locator(f"tr[data-action='{second[0]}']").focus()
    page.wait_for_function(f"document.querySelectorAll('.arrow:not(.best)').length === {second[0].count('/')}")
    show(page, address, "shut_the_box_score", {"tiles": 4, "open": "1234", "roll_total": 5})
    (tiles,) = {action.removeprefix("shut ") for action, *_ in ranking(page)[:1]}
    assert page.locator(".tile.best").all_inner_texts() == tiles.split()


def test_an_unknown_position_stays_and_similar_ones_are_offered(page, address):
    show(page, address, "cards_up_turns", {"cards": 4, "sides": 2, "up": "42", "roll": "12"})
    assert "Up: no play leads to 42 here." in said(page) and "position=42+12&" in page.url
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


def test_the_best_action_of_each_roll_is_listed(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4, "open": "1234", "roll_total": 7})
    drawn = page.locator(".ask figure", has_text="The best action, by roll total")
    drawn.wait_for()
    answers = [db.lookup("shut_the_box_score", tiles=4, open="1234", roll_total=n) for n in range(2, 11)]
    known = [f"{a['value']:.3f}  {a['actions'][0]['action']}" for a in answers]
    texts = drawn.locator("svg[role=img] text").all_text_contents()
    assert [text for text in texts if "  " in text] == known


def test_a_box_is_played_with_a_coach(page, address, db):
    show(page, address, "shut_the_box_score", {"tiles": 4}, play=True)
    lost, made = 0.0, 0
    while page.locator(".moves button").count():
        total = page.locator(".coach .headline .dice").get_attribute("aria-label")
        up = "".join(page.locator(".coach .tile .up").all_inner_texts())
        worst = db.lookup("shut_the_box_score", tiles=4, open=up, roll_total=int(total))["actions"][-1]
        *tiles, last = [page.locator(".coach .tile", has_text=tile) for tile in worst["action"].split()[1:]]
        for tile in tiles:
            tile.click()
        choose(page, last)
        lost, made = lost + worst["regret"], made + 1
    if made:
        assert f" of {made} decision" in page.locator(".sum").inner_text()
        assert ("mistakes cost nothing" in page.locator(".sum").inner_text()) == (lost == 0)
    assert page.get_by_role("log").get_by_text(re.compile(r"^It is over: \d+ points")).count() == 1
    assert scrolls(page) <= 0


def test_pieces_are_moved_in_play(page, address):
    show(page, address, "royal_ur_duel", {"before": 1, "middle": 2, "after": 1, "dice": 2}, play=True)
    while page.locator(".moves button").count():
        action = page.locator(".moves button").last.inner_text()
        piece = "To enter" if action == "enter" else f"Square {action.removeprefix('move ')}"
        choose(page, page.locator(f".coach [aria-label^='{piece}']"))
    assert re.search("(You win|The opponent wins)", page.locator(".coach .headline").inner_text())


@pytest.fixture(scope="module")
def layered(tmp_path_factory):
    """(results of a board in layers, address of their server)."""
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


def test_a_board_in_layers_is_answered_by_the_server(browser, layered):
    results, address = layered
    page = browser.new_page(viewport=PHONE)
    given = UR | {"board": "..x..o", "to_enter": 1, "opponent_to_enter": 0, "roll": 1}
    show(page, address, "royal_ur_duel", given)
    with dicebase.open(results) as db:
        for roll in (1, 2):
            page.get_by_role("radio", name=str(roll)).last.press("Space")
            page.wait_for_url(f"**position=..x..o+1+0+{roll}&**")
            known = db.lookup("royal_ur_duel", **given | {"roll": roll})["actions"]
            page.locator(f"tr.best[data-value='{known[0]['value']!r}']").wait_for()
            assert ranking(page) == [[a["action"], a["value"], a["regret"]] for a in known]
    page.get_by_role("button", name="Square 3: my piece").click()
    page.get_by_role("button", name=re.compile("^Square 2")).click()
    page.wait_for_url("**position=.x...o+**")
    assert scrolls(page) <= 0
    for square in ("Square 5", "Square 3: empty"):
        page.get_by_role("button", name="Opponent to enter: 0").click()
        page.get_by_role("button", name=square).click()
    page.locator(".say .none").wait_for()
    page.route("**/v1/**", lambda route: route.fulfill(status=404, body="nothing here"))
    page.get_by_role("radio", name="1").press("Space")
    page.locator(".say .none", has_text="Only a server answers").wait_for()
    page.close()


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
