"""The built book for those who read it by keyboard, screen reader, in the dark or on a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from browsing import WIDTHS, address, browser, names, settle, site
from playwright.sync_api import Browser, Page

__all__ = ["address", "browser", "site"]

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
# Of axe's four degrees the upper two, and what it calls moderate but a reader of headings is not.
GRAVE, ORDER = ("serious", "critical"), ("heading-order", "page-has-heading-one", "image-alt")
MODES = ("light", "dark")
# Where to put what the browser saw, if anywhere.
SHOTS = "MBNB_SHOTS"
RUN = """() => axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(
    v => ({id: v.id, impact: v.impact, where: v.nodes.map(n => n.html.slice(0, 160))})))"""
# What a keyboard reaches: tabindex -1 takes an element out of its way.
UNREACHED = """() => [...document.querySelectorAll(
    "article a[href], article button, article input, article select, article summary")].filter(
    e => e.tabIndex < 0 && e.offsetParent !== null && !e.closest("[aria-hidden=true]")).map(
    e => e.outerHTML.slice(0, 160))"""


@pytest.fixture(scope="module", params=MODES)
def pages(
    request: pytest.FixtureRequest, site: Path, browser: Browser, address: str
) -> Iterator[tuple[str, Page, list[str]]]:
    page = browser.new_page(
        color_scheme=request.param, viewport={"width": WIDTHS[0], "height": 900}
    )
    yield request.param, page, names(site)
    page.close()


def test_every_page_is_free_of_grave_faults(
    pages: tuple[str, Page, list[str]], address: str
) -> None:
    """axe-core finds nothing serious: contrast, names of controls, labels, landmarks."""
    mode, page, every = pages
    found = []
    for name in every:
        page.goto(f"{address}/{name}")
        settle(page)
        page.add_script_tag(path=AXE)
        for fault in page.evaluate(RUN):
            if fault["impact"] in GRAVE or fault["id"] in ORDER:
                found.append(f"{name} ({mode}): {fault['id']}: {fault['where'][0]}")
        found += [f"{name}: no keyboard reaches {one}" for one in page.evaluate(UNREACHED)]
    assert not found, "\n".join(found)


def test_every_page_is_looked_at_on_a_phone_and_in_a_window(
    pages: tuple[str, Page, list[str]], address: str
) -> None:
    """Screenshots are kept where `MBNB_SHOTS` says; none is blank, none wider than its window."""
    mode, page, every = pages
    folder = os.environ.get(SHOTS)
    found = []
    for name in every:
        page.goto(f"{address}/{name}")
        settle(page)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            shot = page.screenshot(
                path=Path(folder, f"{name.replace('/', '-')}-{width}-{mode}.png")
                if folder
                else None
            )
            if len(set(shot)) < 50:
                found.append(f"{name} ({mode}, {width} px) is blank")
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{name} ({mode}): {wide} px wide in a window of {width} px")
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    assert not found, "\n".join(found)
