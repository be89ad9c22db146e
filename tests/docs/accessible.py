"""Looks at pages of the built site in a browser as wide as a desktop's and a phone's, in light and dark colours: what axe finds wrong, and
what is wider than the screen.

    python tests/docs/accessible.py SITE              # the few pages that stand for their kinds
    python tests/docs/accessible.py SITE --all        # every page: an hour or more, as axe takes minutes for the largest
    python tests/docs/accessible.py SITE learn do     # those under these folders
"""

from __future__ import annotations

import argparse
import functools
import http.server
import shutil
import sys
import threading
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

WIDTHS = {"desktop": 1280, "phone": 390}
COLOURS = ("light", "dark")
KINDS = [f"{page}index.html" for page in ("", "learn/first-model/", "do/seeing/", "look-up/coverage/", "understand/performance/")]
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]},
    "resultTypes": ["violations"],  # what passes need not be told, which takes longer than looking
}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the site, and says nothing."""

    def log_message(self, *_):
        pass


def faults(page, axe):
    """What is wrong on the page that is open, each as a line."""
    found = []
    if wider := page.evaluate(WIDER):
        found.append(f"{wider} px wider than the screen")
    for violation in axe.run(page, options=RULES).response["violations"]:
        nodes = violation["nodes"]
        first = nodes[0]["html"][:160]
        found.append(f"{violation['id']} ({violation['impact']}), {len(nodes)} times: {violation['help']}; first {first!r}")
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("site", type=Path)
    options.add_argument("folders", nargs="*")
    options.add_argument("--all", action="store_true")
    options.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome"))
    chosen = options.parse_args()
    by_size = sorted(chosen.site.rglob("index.html"), key=lambda path: path.stat().st_size)  # the largest, which take minutes, come last
    every = [str(path.relative_to(chosen.site)) for path in by_size]
    pages = every if chosen.all else [page for page in every if (page.split("/")[0] in chosen.folders if chosen.folders else page in KINDS)]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=chosen.site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    wrong = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chosen.browser, args=["--no-sandbox"])
        for name, width in WIDTHS.items():
            for colours in COLOURS:
                page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=colours)
                page.route("**/search_index.json", lambda route: route.abort())  # which would be read anew for each page
                for path in pages:
                    print(f"{path} ({name}, {colours})", file=sys.stderr, flush=True)
                    page.goto(f"http://127.0.0.1:{server.server_port}/{path.removesuffix('index.html')}")
                    for fault in faults(page, Axe()):
                        wrong += 1
                        print(f"{path} ({name}, {colours}): {fault}", flush=True)
                page.close()
        browser.close()
    print(f"{wrong} faults on {len(pages)} pages")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
