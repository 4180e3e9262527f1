"""The explorer in Chromium: open a page, and read what it shows."""

import shutil
from http.server import SimpleHTTPRequestHandler

from dicebase.tables.names import find_table
from support import explorer_site
from support.every_table import CASES

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1200, "height": 900}
DECIDED = [(table, roll) for table, roll in CASES if find_table(table).match_class.layout.decides]
QUESTION = {"rules": "pocket", "target": 1000, "me": 350, "opponent": 400, "turn_total": 200, "dice": 1}


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server, without Range requests."""

    def log_message(self, *_):
        pass


GO = """hash => new Promise(done => {
    if (location.hash === hash) return done();
    addEventListener("hashchange", done, {once: true});
    location.hash = hash;
})"""


def show(page, address, table, given, play=False):
    """Open a position by its link, in the same page if it shows the explorer; wait for a game's log if it is played."""
    query = "&".join(f"{name}={value}" for name, value in given.items())
    place = f"#{table}{'/play' if play else ''}?{query}"
    if page.url.startswith(address):
        page.evaluate(GO, place)
    else:
        page.goto(address + place)
    page.wait_for_selector("main[aria-busy=false]")
    if play:
        page.locator(".log[data-steps]").wait_for()


def ranking(page):
    """[(action, value, regret)] as the page shows them."""
    rows = page.locator(".answer tbody tr")
    rows.first.wait_for()
    return rows.evaluate_all(
        "rows => rows.map(r => [r.dataset.action, Number(r.dataset.value), Number(r.dataset.regret)])"
    )


def actions(page):
    """The actions that the page shows, best first."""
    return [action for action, *_ in ranking(page)]


def best(db, table, **position):
    """The actions that a lookup returns, best first."""
    return [a["action"] for a in db.lookup(table, **position)["actions"]]


def said(page):
    return page.locator(".say").inner_text()


def scrolls(page):
    """The width by which the page exceeds the window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def violations(page, factory):
    """The rules of axe-core that the page breaks, except minor ones: [(rule, places)]."""
    axe = explorer_site.packages(factory) / "node_modules" / "axe-core" / "axe.min.js"
    # Evaluated: the page's own policy allows no foreign script element.
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(v["id"], [n["target"] for n in v["nodes"]]) for v in found if v["impact"] != "minor"]


def review(page, address, text):
    """Review a record on the page of reviews."""
    show(page, address, "review", {})
    page.get_by_label("Record as CSV").fill(text)
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator(".sums").wait_for()


def saved(page, button, path):
    """The path of the file that a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    download.value.save_as(path)
    return path


def choose(page, button):
    """Click a choice of a game with a coach, and wait until the game has gone on."""
    steps = page.locator(".log").get_attribute("data-steps")
    button.click()
    page.wait_for_function("before => document.querySelector('.log').dataset.steps !== before", arg=steps)
