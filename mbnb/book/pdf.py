"""A PDF of the book: Chromium prints the site's pages joined into one; changes no page."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from mbnb.book.one_page import Entry, join_pages
from mbnb.data.errors import InputError

PDF = "micro-benchmark-book.pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A root user has no sandbox; nothing foreign is opened, and the browser is to ask nobody.
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
JOINED = ".one-page.html"
FOOT = (
    '<div style="width:100%;text-align:center;font-size:8px;color:#555">'
    '<span class="pageNumber"></span></div>'
)
WAIT_MS = 180_000


def find_browser() -> str:
    """The Chromium to print with.

    Raises
    ------
    InputError
        If there is none, or the library that drives it is missing.
    """
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        raise InputError(
            "a PDF needs the package playwright; install it with `pip install 'mbnb[pdf]'`."
        ) from None
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise InputError(
            f"a PDF needs Chromium, and none of {', '.join(BROWSERS)} is installed; install "
            "Debian’s package chromium or another of these."
        )
    return found


def print_book(site: Path, entries: Sequence[Entry], notice: str, target: Path) -> None:
    """Print a built site into one PDF with an outline, page numbers and working links.

    Parameters
    ----------
    site : Path
        A built site.
    entries : sequence of Entry
        Its pages, in the order of the book.
    notice : str
        What the title page says about the edition.
    target : Path
        The PDF.

    Raises
    ------
    InputError
        If there is no browser to print with.
    """
    from playwright.sync_api import sync_playwright

    browser = find_browser()
    joined = site / JOINED
    joined.write_text(join_pages(site, entries, notice), encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
            page = started.new_page(viewport={"width": 760, "height": 1000}, color_scheme="light")
            page.goto(joined.resolve().as_uri(), timeout=WAIT_MS)
            page.wait_for_function(
                "() => [...document.querySelectorAll('.vega-embed')].every("
                "e => e.querySelector('svg, canvas'))",
                timeout=WAIT_MS,
            )
            page.evaluate("() => window.MathJax && MathJax.startup && MathJax.startup.promise")
            page.set_default_timeout(WAIT_MS)
            page.pdf(
                path=str(target),
                format="A4",
                print_background=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOT,
                prefer_css_page_size=True,
                outline=True,
                tagged=True,
            )
            started.close()
    finally:
        joined.unlink(missing_ok=True)
