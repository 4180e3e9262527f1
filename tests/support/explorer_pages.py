"""The explorer in Chromium: its pages, and what stands on them."""

import shutil
from http.server import SimpleHTTPRequestHandler

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1200, "height": 900}


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
    """Open a position by its link, in the page that is there if it is."""
    query = "&".join(f"{name}={value}" for name, value in given.items())
    place = f"#{table}{'/play' if play else ''}?{query}"
    if page.url.startswith(address):
        page.evaluate(GO, place)
    else:
        page.goto(address + place)
    page.wait_for_selector("main[aria-busy=false]")


def ranking(page):
    """[(action, value, regret)] as they stand on the page."""
    rows = page.locator(".answer tbody tr")
    rows.first.wait_for()
    return rows.evaluate_all(
        "rows => rows.map(r => [r.dataset.action, Number(r.dataset.value), Number(r.dataset.regret)])"
    )


def scrolls(page):
    """The width by which the page exceeds the window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
