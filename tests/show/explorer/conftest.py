"""One browser per module, and one page for all tests with the same options. Both are closed after the module, because
the event loop of the browser disturbs other tests."""

import os
import threading
from functools import partial
from http.server import ThreadingHTTPServer

import pytest

import dicebase
from support import explorer_site
from support.every_table import every_table
from support.explorer_pages import CHROMIUM, PHONE, Quiet


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    with dicebase.open(every_table(tmp_path_factory)) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return explorer_site.site(tmp_path_factory) / "data"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server of the folder above the explorer."""
    folder = explorer_site.site(tmp_path_factory)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/explorer/"
    server.shutdown()


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright import sync_api
    except ImportError:
        explorer_site.without("Playwright")
    if CHROMIUM is None:
        explorer_site.without("Chromium (apt-get install chromium)")
    with sync_api.sync_playwright() as driver:
        # Chromium has no sandbox for root.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(browser):
    """A function that returns (page, its console messages, its requests), one page per set of options."""
    opened = {}

    def of(options):
        if repr(options) not in opened:
            page, said, asked = browser.new_context(**options).new_page(), [], []
            page.set_default_timeout(10_000)
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("request", lambda sent: asked.append(sent.url))
            opened[repr(options)] = page, said, asked
        return opened[repr(options)]

    return of


@pytest.fixture
def page(pages, address, request):
    """A page that must not write to the console or request any other address; `request.param` are its options."""
    page, said, asked = pages(getattr(request, "param", {"viewport": PHONE}))
    said.clear()
    asked.clear()
    yield page
    assert said == []
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
