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

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

from mbnb.book.site import BROWSERS

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
# What a browser does for itself would be taken for a request of the page.
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
WIDTHS = (1440, 820, 390)
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
    e => ({marks: e.querySelectorAll("svg .mark-group path, svg .role-mark *").length,
           label: [...e.querySelectorAll("[aria-label]")].length})),
  specs: document.body.innerHTML.split("maybeLoadScript(\\"vega\\"").length - 1,
  formulae: document.querySelectorAll(".math").length,
  set: document.querySelectorAll(".math mjx-container").length,
  errors: document.querySelectorAll("[data-mjx-error], mjx-merror").length,
  bare: [...document.querySelectorAll("article figure")].filter(
    e => e.querySelector("img, .vega-embed") &&
         !e.closest(".cell")?.querySelector("a[href$='.csv']")
  ).map(e => e.id),
})"""
# Of axe's four degrees the upper two, and what it calls moderate but a reader of headings is not.
FAULTS = """() => axe.run(document, {preload: false}).then(r => r.violations.filter(
    v => ["serious", "critical"].includes(v.impact) ||
         ["heading-order", "page-has-heading-one", "image-alt"].includes(v.id)).map(
    v => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`))"""
# A table or picture that is cut: wider than its place, which does not scroll.
CUT = """() => [...document.querySelectorAll("article :is(table, img, svg)")].filter(e => {
    for (let p = e.parentElement; p && p.tagName !== "ARTICLE"; p = p.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(p).overflowX)) return false;
    }
    return e.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
  }).map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="session")
def site() -> Path:
    given = os.environ.get("MBNB_SITE")
    if not given:
        pytest.skip("no built book to look at: set MBNB_SITE to the folder with index.html")
    folder = Path(given).resolve()
    assert (folder / "index.html").is_file(), f"{folder} has no index.html"
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
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
    """One page opened once: what it holds, what it asked for, what is wrong with it."""

    def __init__(self, browser: Browser, url: str, *, thorough: bool = True) -> None:
        self.url = url
        self.faults: list[str] = []
        self.requests: list[str] = []
        page = browser.new_page(viewport={"width": WIDTHS[0], "height": 900})
        page.on("console", lambda m: m.type == "error" and self.faults.append(m.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("response", lambda r: r.status >= 400 and self.faults.append(f"{r.status} {r.url}"))
        page.on("requestfailed", lambda r: self.faults.append(f"{r.url}: {r.failure}"))
        page.goto(url)
        page.wait_for_load_state("load")
        settle(page)
        self.seen = page.evaluate(LOOK)
        if thorough:
            page.add_script_tag(path=AXE)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": WIDTHS[0], "height": 900})
                self.faults += [f"{scheme}: {fault}" for fault in page.evaluate(FAULTS)]
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 900})
                    page.wait_for_timeout(150)
                    self._look_at(page, f"{width}-{scheme}")
        page.close()

    def _look_at(self, page: Page, how: str) -> None:
        wide, room = page.evaluate(
            "() => [document.documentElement.scrollWidth, window.innerWidth]"
        )
        if wide > room:
            self.faults.append(f"{how}: {wide} px wide in a window of {room} px")
        self.faults += [f"{how}: cut off: {one}" for one in page.evaluate(CUT)]
        if folder := os.environ.get("MBNB_SHOTS"):
            name = self.url.partition("//")[2].partition("/")[2].replace("/", "-")
            page.screenshot(path=Path(folder, f"{name}-{how}.png"), full_page=True)


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


@pytest.fixture(scope="session")
def visits(site: Path, browser: Browser, address: str) -> dict[str, Visit]:
    return {name: Visit(browser, f"{address}/{name}") for name in names(site)}
