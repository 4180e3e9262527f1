"""A picture of the explorer at the README's position, as Chromium shows it.

python docs/pictures/explorer.py results docs/pictures/explorer.png
"""

import os
import shutil
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import sync_playwright

POSITION = "ten_thousand_turn?turn_total=0&roll=11235"


def main(results: str, path: str) -> None:
    """Draw the picture; without Chromium, leave it as it is."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print(f"{path} is not drawn again: there is no Chromium", file=sys.stderr)
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=results))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as driver:
        # Chromium's sandbox does not work for root.
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(f"http://127.0.0.1:{server.server_port}/explorer/#{POSITION}")
        page.wait_for_selector("main[aria-busy=false]")
        page.locator("figure").first.wait_for()
        page.screenshot(path=path)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
