"""Looks at pages of the built site in a browser as wide as a desktop's and a phone's, in light and dark colours: what axe finds wrong, and
what is wider than the screen.

    python tests/docs/accessible.py SITE              # the few pages that stand for their kinds
    python tests/docs/accessible.py SITE --all        # every page, for half an hour in each of the four ways on two busy cores
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
FAULTS_ONLY = {"resultTypes": ["violations"]}  # what passes need not be told, which takes longer than looking
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
ALL_BUT_CONTRAST = {"runOnly": RULES, "rules": {"color-contrast": {"enabled": False}}, **FAULTS_ONLY}
CONTRAST = {"runOnly": ["color-contrast"], **FAULTS_ONLY}
# Contrast takes axe six times as long as all else, for each word of code is an element. What looks alike has the same contrast: so the
# first element with text of each look is marked, by its own colour, size and weight and by all that lies behind it.
MARK_LOOKS = r"""() => {
  const behind = new Map([[null, ""]]);
  const ground = (element) => {
    if (!behind.has(element)) {
      const style = getComputedStyle(element);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity].join();
      behind.set(element, ground(element.parentElement) + (own === "rgba(0, 0, 0, 0),none,1" ? "" : ";" + own));
    }
    return behind.get(element);
  };
  const looks = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("");
    if (!/[\p{L}\p{N}]/u.test(text + (element.placeholder ?? "")) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const look = [style.color, style.fontSize, style.fontWeight, style.textShadow, ground(element)].join("|");
    if (!looks.has(look)) element.dataset.look = looks.size;
    looks.add(look);
  }
}"""
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
    page.evaluate(MARK_LOOKS)
    looked_at = axe.run(page, options=ALL_BUT_CONTRAST), axe.run(page, context="[data-look]", options=CONTRAST)
    for violation in (each for results in looked_at for each in results.response["violations"]):
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
                page.set_default_navigation_timeout(300_000)  # milliseconds
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
