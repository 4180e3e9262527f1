"""Games with the coach, the page of reviews and the puzzles, operated in Chromium."""

from urllib.parse import parse_qsl

import pytest

from support.explorer_pages import DESK, PHONE, choose, review, saved, scrolls, show, violations
from support.recorded_games import parameters

DARK, LIGHT = {"viewport": PHONE, "color_scheme": "dark"}, {"viewport": DESK, "color_scheme": "light"}

FIRST = ["ten_thousand_duel", "royal_ur_duel", "yahtzee_score"]
PLAYED = [*FIRST, "ten_times_eighteen_score", "hog_duel", "pig_race"]


def sums(page):
    """{role: (luck, loss)} as the page shows them."""
    rows = page.locator(".sums tbody tr").evaluate_all(
        "rows => rows.map(r => [r.dataset.role, r.cells[1].dataset.luck, r.cells[2].dataset.loss])"
    )
    return {int(role): (float(luck), float(loss)) for role, luck, loss in rows}


@pytest.mark.parametrize("table", [pytest.param(t, marks=[pytest.mark.slow] * (t not in FIRST)) for t in PLAYED])
def test_a_whole_game_is_played_with_its_luck_and_mistakes(page, address, db, tmp_path, table):
    show(page, address, table, parameters(table), play=True)
    buttons = page.locator(".coach .sheet button, .choices.moves > button")
    decisions = 0
    while buttons.count() and decisions < 200:
        choose(page, buttons.last if decisions % 2 else buttons.first)
        decisions += 1
    assert page.locator(".log .end").is_visible() and page.locator(".sum").inner_text().startswith("Over: ")
    known = db.review(saved(page, "Save as CSV", tmp_path / "game.csv"))
    shown = sums(page)
    assert known["ended"] and known["players"][0]["player"] == "You"
    near = 1e-9 * max(1, abs(known["expectation"]))
    for role, player in zip((1, -1), known["players"], strict=False):
        assert shown[role] == pytest.approx((player["luck"], player["loss"]), abs=near)
    # Each mistake is marked once, with one comment beside it.
    wrong = sum(bool(s["best"]) for s in known["steps"] if s["player"] == "You")
    assert page.locator(".log strong.wrong").count() == wrong == page.locator(".log .comment").count()
    assert page.get_by_text("Best: ").count() == wrong
    made = sum(s["what"] == "action" and s["player"] == "You" for s in known["steps"])
    said = f"{made - wrong} of {made} " if made else "there was nothing to decide"
    assert said in page.locator(".sum").inner_text()
    assert scrolls(page) <= 0


def test_a_decision_is_undone_and_a_new_game_begins(page, address):
    show(page, address, "pig_duel", {"target": 20}, play=True)
    undo = page.get_by_role("button", name="Undo")
    moves = page.locator(".log .move")
    assert undo.is_disabled()
    hold = page.get_by_role("button", name="hold")
    page.locator(".choices.moves button, .log .end").first.wait_for()
    while not hold.is_visible():  # the first roll may bust, and the opponent may win at once
        page.get_by_role("button", name="New game").click()
        page.locator(".choices.moves button, .log .end").first.wait_for()
    before = page.locator(".score").inner_text(), moves.count()
    choose(page, hold)
    assert moves.count() > before[1]
    choose(page, undo)
    assert (page.locator(".score").inner_text(), moves.count()) == before
    choose(page, page.get_by_role("button", name="roll", exact=True))
    assert " of 1 decision " in page.locator(".sum").inner_text()
    page.get_by_role("button", name="New game").click()
    page.wait_for_function("!document.querySelector('.sum').textContent.includes('decision')")


GAME = "pig_duel target=20\nplayer,roll,action\nAnn,5,roll\nAnn,6,hold\nBob,4,roll\nBob,1,\nAnn,6,roll\nAnn,3\n"


def test_a_game_is_reviewed_from_its_csv(page, address, db, tmp_path):
    review(page, address, GAME)
    (tmp_path / "game.csv").write_text(GAME)
    known = db.review(tmp_path / "game.csv")
    assert sums(page) == {
        role: pytest.approx((p["luck"], p["loss"]), abs=1e-12)
        for role, p in zip((1, -1), known["players"], strict=True)
    }
    worst = sorted((s for s in known["steps"] if s["best"]), key=lambda s: -s["loss"])
    assert page.locator(".worst li").count() == len(worst) > 0
    first = page.locator(".worst li").first.inner_text()
    assert (
        f"{worst[0]['player']}: {worst[0]['text']}" in first
        and f"costs {100 * worst[0]['loss']:.2f} percentage" in first
    )
    assert page.locator("figure.curve svg[role=img]").get_attribute("aria-label").startswith("Ann: chance (%) from ")
    lines = saved(page, "Save the review as CSV", tmp_path / "review.csv").read_text().splitlines()
    assert lines[0] == "line,player,what,text,luck,loss,best,expected" and len(lines) == 1 + len(known["steps"])
    page.locator(".worst a").first.click()
    page.wait_for_url("**#pig_duel?*")
    page.locator(".answer tbody tr").first.wait_for()


def test_one_click_reviews_an_example(page, address, db, tmp_path):
    show(page, address, "review", {})
    page.get_by_role("region", name="What you will see").wait_for()
    page.get_by_role("button", name="Try an example").click()
    page.locator(".sums").wait_for()
    (tmp_path / "game.csv").write_text(page.get_by_label("Record as CSV").input_value())
    known = db.review(tmp_path / "game.csv")
    assert known["ended"] and page.locator(".worst li").count() == 4
    assert {s["player"] for s in known["steps"] if s["best"]} == {"Ann", "Bob"}
    assert scrolls(page) <= 0


def test_a_wrong_record_is_explained_and_a_file_is_opened(page, address, tmp_path):
    show(page, address, "review", {})
    (tmp_path / "game.csv").write_text(GAME.replace("Bob,1,", "Bob,7,"))
    page.get_by_label("or open a file").set_input_files(tmp_path / "game.csv")
    alert = page.get_by_role("alert").filter(has_text="Line")
    alert.wait_for()
    assert "Line 6: roll '7': cannot be rolled here; rolls are 1 2 3 4 5 6." in alert.inner_text()
    assert page.get_by_label("Record as CSV").input_value().startswith("pig_duel") and not page.locator(".sums").count()
    assert scrolls(page) <= 0


def test_a_game_is_recorded_by_clicks(page, address, db, tmp_path):
    show(page, address, "review", {})
    page.get_by_label("Game and aim").select_option("pig_duel")
    page.get_by_label("Rules").locator("option").nth(1).wait_for(state="attached")
    page.get_by_role("button", name="Record by clicks").click()
    page.locator(".log[data-steps]").wait_for()
    for name in ("5", "hold", "4", "roll", "1"):
        choose(page, page.locator(".choices.moves").get_by_role("button", name=name, exact=True))
    for _ in ("1", "roll"):
        choose(page, page.get_by_role("button", name="Undo"))
    choose(page, page.locator(".choices.moves").get_by_role("button", name="hold", exact=True))
    text = page.get_by_label("Record as CSV").input_value()
    (tmp_path / "game.csv").write_text(text)
    known = db.review(tmp_path / "game.csv")
    assert [(s["player"], s["text"]) for s in known["steps"]] == [
        *(("First", t) for t in ("5", "hold")),
        *(("Second", t) for t in ("4", "hold")),
    ]
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator(".worst, .right").first.wait_for()


def test_puzzles_are_solved_and_scored_by_regret(page, address, db, tmp_path):
    show(page, address, "puzzles", {"table": "ten_thousand_duel", "date": "2026-11-26"})
    regrets, positions = [], []
    for number in range(1, 6):
        page.get_by_role("heading", name=f"Position {number} of 5").wait_for()
        assert page.locator(".stage .race .banked").count() == 2 and page.locator(".progress .now").inner_text() == str(
            number
        )
        button = page.locator(".choices.moves button").nth(number % 2)
        action = button.inner_text()
        button.click()
        page.locator(".verdict").wait_for()
        href = page.get_by_role("link", name="Open the position").get_attribute("href")
        table, query = href.lstrip("#").split("?")
        given = dict(parse_qsl(query))
        actions = db.lookup(table, given.pop("position"), **given)["actions"]
        chosen = next(a for a in actions if a["action"] == action)
        regrets.append(0 if chosen["optimal"] else chosen["regret"])
        positions.append(query)
        assert (
            page.locator(".verdict")
            .inner_text()
            .startswith("Right." if chosen["optimal"] else f"{action.capitalize()} costs")
        )
        page.get_by_text("The habit “keep the most points, and roll while ").wait_for()
        if number < 5:
            page.get_by_role("button", name="Next position").click()
    assert len(set(positions)) == 5
    score = page.locator(".score p")
    assert float(score.get_attribute("data-regret")) == pytest.approx(sum(regrets), abs=1e-12)
    assert score.inner_text().startswith(f"Done: {regrets.count(0)} of 5 right; your answers cost ")
    lines = saved(page, "Save as CSV", tmp_path / "puzzles.csv").read_text().splitlines()
    assert lines[0].startswith("date,table,parameters,position,answer,cost") and len(lines) == 6
    # Another day has other positions; the address states table and day.
    page.get_by_label("Day").fill("2026-11-27")
    page.wait_for_url("**date=2026-11-27")
    page.get_by_role("heading", name="Position 1 of 5").wait_for()
    page.get_by_label("Game and aim").select_option("hog_duel")
    page.wait_for_url("**table=hog_duel**")
    page.locator(".choices.moves button").first.wait_for()
    assert scrolls(page) <= 0


@pytest.mark.parametrize("page", [LIGHT, DARK], indirect=True, ids=["light", "dark"])
def test_reviews_and_puzzles_are_accessible(page, address, tmp_path_factory):
    review(page, address, GAME)
    assert violations(page, tmp_path_factory) == []
    show(page, address, "puzzles", {"table": "ten_thousand_duel", "date": "2026-11-26"})
    page.locator(".choices.moves button").first.click()
    page.locator(".verdict").wait_for()
    assert page.locator(".puzzles h2").bounding_box()["width"] > 300
    assert violations(page, tmp_path_factory) == []
