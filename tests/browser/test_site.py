"""The built book as a reader's browser sees it, served and from disk, wide and on a phone.

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
from urllib.parse import unquote, urldefrag, urljoin, urlparse

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
MOST_BYTES = 2_000_000
# In one call, for speed: what a page shows and where it leads.
LOOK = """() => ({
  title: document.title.trim(),
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


@pytest.fixture(scope="session")
def browser(site: Path) -> Iterator[Browser]:
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
        _settle(page)
        self.seen = page.evaluate(LOOK)
        self.spread = {}
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(100)
            self.spread[width] = page.evaluate(SPREAD)
        page.close()


def _settle(page: Page) -> None:
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


def faults(pages: dict[str, Visit], of: str) -> Iterator[str]:
    for name, visit in pages.items():
        for fault in globals()[f"_{of}"](visit):
            yield f"{name}: {fault}"


def _complaints(visit: Visit) -> list[str]:
    return visit.complaints


def _strangers(visit: Visit) -> list[str]:
    return [
        url
        for url in visit.requests
        if urlparse(url).scheme in ("http", "https", "ws", "wss")
        and urlparse(url).netloc != urlparse(visit.url).netloc
    ]


def _pictures(visit: Visit) -> list[str]:
    images = visit.seen["images"]
    return [f"no alternative text: {image['src']}" for image in images if not image["alt"]] + [
        f"not loaded: {image['src']}" for image in images if not image["ok"]
    ]


def _charts(visit: Visit) -> list[str]:
    charts, specs = visit.seen["charts"], visit.seen["specs"]
    missing = [f"{specs} charts are specified, {len(charts)} drawn"] if specs > len(charts) else []
    empty = [f"a chart without marks: {c['id']}" for c in charts if not c["marks"]]
    unsaid = [f"a chart without a description: {c['id']}" for c in charts if not c["label"]]
    return missing + empty + unsaid


def _formulae(visit: Visit) -> list[str]:
    seen = visit.seen
    unset = seen["formulae"] - seen["set"]
    return ([f"{unset} formulae are not set"] if unset > 0 else []) + (
        [f"{seen['math_errors']} formulae are faulty"] if seen["math_errors"] else []
    )


def _overflow(visit: Visit) -> list[str]:
    return [
        f"{s['wide']} px wide in a window of {s['room']} px"
        for s in visit.spread.values()
        if s["wide"] > s["room"]
    ]


def _titles(visit: Visit) -> list[str]:
    return [] if visit.seen["title"] else ["no title"]


@pytest.mark.parametrize(
    "of", ["complaints", "strangers", "pictures", "charts", "formulae", "overflow", "titles"]
)
def test_no_page_is_at_fault(visits: dict[str, Visit], of: str) -> None:
    found = list(faults(visits, of))
    assert not found, "\n".join(found)


def test_no_page_is_heavy(site: Path) -> None:
    # Its charts bring their data along.
    heavy = {name: (site / name).stat().st_size for name in names(site)}
    assert not {name: size for name, size in heavy.items() if size > MOST_BYTES}


def test_every_internal_link_and_anchor_resolves(visits: dict[str, Visit], site: Path) -> None:
    broken = []
    for name, visit in visits.items():
        here = urlparse(visit.url).netloc
        for link in visit.seen["links"]:
            url, anchor = urldefrag(urljoin(visit.url, link))
            if urlparse(url).netloc != here:
                continue
            target = unquote(urlparse(url).path).lstrip("/") or "index.html"
            if not (site / target).is_file():
                broken.append(f"{name}: {link} leads nowhere")
                continue
            ids = visits[target].seen["ids"] if target in visits else []
            if anchor and target in visits and unquote(anchor) not in ids:
                broken.append(f"{name}: {link} has no such place")
    assert not broken, "\n".join(broken)


def test_from_disk_every_page_works_without_a_server(site: Path, browser: Browser) -> None:
    wrong = []
    for name in names(site):
        # Search needs a server: it fetches pages to quote from them.
        if name == "search.html":
            continue
        visit = Visit(browser, (site / name).as_uri())
        for of in (_complaints, _strangers, _charts, _formulae):
            wrong += [f"{name}: {fault}" for fault in of(visit)]
    assert not wrong, "\n".join(wrong)


def test_the_address_of_the_book_opens_its_first_page(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("article h1")
    assert page.locator("article h1").first.inner_text().strip(), "the first page has no heading"
    page.close()


def test_search_finds_the_word_of_the_book(browser: Browser, address: str, site: Path) -> None:
    assert (site / "searchindex.js").is_file(), "the search index is missing"
    page = browser.new_page()
    page.goto(f"{address}/search.html?q=MDAD")
    page.wait_for_selector("#search-results .search li a", timeout=10_000)
    assert page.locator("#search-results .search li a").count(), "search finds no page on MDAD"
    page.close()
