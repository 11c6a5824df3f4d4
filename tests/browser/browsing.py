"""A browser, the built book and visits to its pages, for the tests beside this file.

Without a built book (`MBNB_SITE`) or a browser these tests are skipped, saying so. The fixtures
are here and not in a conftest.py, whose name would hide the one a folder above.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

SITE_VARIABLE = "MBNB_SITE"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# What a browser does for itself would be taken for a request of the page.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDTHS = (1280, 390)
# In one call, for speed: what a page shows and where it leads.
LOOK = """() => ({
  title: document.title.trim(),
  text: [...document.querySelectorAll("article p, article li, article td, article figcaption")]
    .filter(e => !e.closest("pre, code")).map(e => {
      const prose = e.cloneNode(true);
      prose.querySelectorAll("pre, code").forEach(one => one.remove());
      return prose.textContent;
    }).join(" "),
  ids: [...document.querySelectorAll("[id]")].map(e => e.id),
  links: [...document.querySelectorAll("a[href]")].map(e => e.href),
  images: [...document.querySelectorAll("article img")].map(
    e => ({src: e.src, alt: (e.alt || "").trim(), ok: e.complete && e.naturalWidth > 0})),
  charts: [...document.querySelectorAll(".vega-embed")].map(
    e => ({id: e.id, marks: e.querySelectorAll("svg .mark-group path, svg .role-mark *").length,
           label: [e, ...e.querySelectorAll("[aria-roledescription=visualization]")].map(
             one => one.getAttribute("aria-label") || "").join("")})),
  specs: document.body.innerHTML.split("maybeLoadScript(\\"vega\\"").length - 1,
  formulae: document.querySelectorAll(".math").length,
  set: document.querySelectorAll(".math mjx-container").length,
  math_errors: document.querySelectorAll("[data-mjx-error], mjx-merror").length,
})"""
SPREAD = """() => ({wide: document.documentElement.scrollWidth, room: window.innerWidth})"""


@pytest.fixture(scope="session")
def site() -> Path:
    given = os.environ.get(SITE_VARIABLE)
    if not given:
        pytest.skip(f"no built book to look at: set {SITE_VARIABLE} to the folder with index.html")
    folder = Path(given).resolve()
    assert (folder / "index.html").is_file(), f"{folder} has no index.html"
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        except Error as error:
            pytest.skip(f"no Chromium to look with ({str(error).splitlines()[0]})")
        yield started
        started.close()


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The book served on this machine alone."""

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Visit:
    """One page opened once: what it holds, what it asked for, what it complained of."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page = browser.new_page(viewport={"width": WIDTHS[0], "height": 900})
        page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda r: self.complaints.append(f"{r.url}: {r.failure}"))
        page.goto(url)
        page.wait_for_load_state("load")
        settle(page)
        self.seen = page.evaluate(LOOK)
        self.spread = {}
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(100)
            self.spread[width] = page.evaluate(SPREAD)
        page.close()


def settle(page: Page) -> None:
    """Wait until charts are drawn and formulae set, but not for ever."""
    drawn = """() => [...document.querySelectorAll(".vega-embed")].every(
        e => e.querySelector("svg, canvas"))"""
    page.wait_for_function(drawn, timeout=10_000)
    page.evaluate("() => window.MathJax && MathJax.startup && MathJax.startup.promise")


def names(site: Path) -> list[str]:
    """Every page but `index.html`, which only leads to the first and has a test of its own."""
    return sorted(
        path.relative_to(site).as_posix()
        for path in site.rglob("*.html")
        if "_static" not in path.relative_to(site).parts and path != site / "index.html"
    )


@pytest.fixture(scope="module")
def visits(site: Path, browser: Browser, address: str) -> dict[str, Visit]:
    return {name: Visit(browser, f"{address}/{name}") for name in names(site)}
