"""The book's charts answer to a hand, and their data can be had."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import address, browser, names, settle, site
from playwright.sync_api import Browser, Locator, Page

__all__ = ["address", "browser", "site"]

DRAWN = "e => e.querySelector('svg').outerHTML"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1280, "height": 900})


def _controls(chart: Locator) -> list[list[Locator]]:
    """A chart's controls that can be seen; the buttons of one choice are one control."""
    controls: dict[str, list[Locator]] = {}
    for number, part in enumerate(chart.locator("input, select").all()):
        if part.is_visible():
            radio = part.get_attribute("type") == "radio"
            name = part.get_attribute("name") if radio else None
            controls.setdefault(name or f"part {number}", []).append(part)
    return list(controls.values())


def _moves(parts: list[Locator]) -> Iterator[None]:
    """Give a control one value after another that it does not have, as a hand or a key would."""
    first = parts[0]
    kind = first.evaluate("e => e.tagName === 'SELECT' ? 'select' : e.type")
    if kind == "select":
        for value in first.evaluate("e => [...e.options].map(o => o.value)"):
            if value != first.input_value():
                first.select_option(value)
                yield
    elif kind == "range":
        for key in ("End", "Home", "ArrowRight"):
            before = first.input_value()
            first.focus()
            first.press(key)
            if first.input_value() != before:
                yield
    elif kind == "radio":
        for part in parts:
            if not part.is_checked():
                part.check()
                yield
    elif kind == "checkbox":
        first.set_checked(not first.is_checked())
        yield
    else:
        first.fill("a")
        yield


def _answers(chart: Locator, control: list[Locator], page: Page) -> bool | None:
    """Whether a value of the control draws the chart anew; None if it has only one value."""
    moved = None
    before = chart.evaluate(DRAWN)
    for _ in _moves(control):
        page.wait_for_timeout(200)
        # Two values may look alike on some data; a control of which none does anything is dead.
        if chart.evaluate(DRAWN) != before:
            return True
        moved = False
    return moved


def _name(control: list[Locator]) -> str:
    bind = control[0].locator("xpath=ancestor::*[contains(@class, 'vega-bind')][1]")
    return bind.inner_text().split(":")[0].strip() if bind.count() else "a control without a name"


def test_every_control_of_a_chart_changes_the_chart(site: Path, page: Page, address: str) -> None:
    dead, touched = [], 0
    for name in names(site):
        page.goto(f"{address}/{name}")
        settle(page)
        for chart in page.locator(".vega-embed").all():
            for control in _controls(chart):
                answer = _answers(chart, control, page)
                touched += answer is not None
                if answer is False:
                    title = _name(control)
                    dead.append(f"{name}: “{title}” of {chart.get_attribute('id')} does nothing")
    assert touched, "no chart of the book has a control"
    assert not dead, "\n".join(dead)


def test_a_dead_control_beside_a_live_one_is_found(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(
        """<div class="vega-embed"><svg><text id="drawn">a</text></svg>
        <div class="vega-bind"><label>Size:</label>
        <input type="radio" name="size" checked><input type="radio" name="size"
         onchange="document.getElementById('drawn').textContent = 'b'"></div>
        <div class="vega-bind"><label>Selector:</label>
        <select><option>one</option><option>two</option></select></div></div>"""
    )
    chart = page.locator(".vega-embed")
    answers = {_name(control): _answers(chart, control, page) for control in _controls(chart)}
    assert answers == {"Size": True, "Selector": False}
    page.close()


def test_the_data_behind_every_figure_can_be_had(site: Path, page: Page, address: str) -> None:
    without, wrong = [], []
    for name in names(site):
        page.goto(f"{address}/{name}")
        settle(page)
        figures = page.locator("article figure").all()
        for figure in figures:
            if figure.locator("img, .vega-embed").count() == 0:
                continue
            links = figure.locator('xpath=following::a[contains(@href, ".csv")][1]')
            label = figure.get_attribute("id") or "a figure"
            if not links.count():
                without.append(f"{name}: {label} has no data")
                continue
            answer = page.request.get(links.first.evaluate("e => e.href"))
            rows = list(csv.reader(io.StringIO(answer.text()))) if answer.ok else []
            if len(rows) < 2 or len({len(row) for row in rows}) != 1:
                wrong.append(f"{name}: the data of {label} are no table")
    assert not without + wrong, "\n".join(without + wrong)


def test_a_chart_follows_its_page_when_the_window_narrows(
    site: Path, browser: Browser, address: str
) -> None:
    wide, narrow = 1280, 390
    page = browser.new_page(viewport={"width": wide, "height": 900})
    too_wide = []
    for name in names(site):
        page.set_viewport_size({"width": wide, "height": 900})
        page.goto(f"{address}/{name}")
        settle(page)
        page.set_viewport_size({"width": narrow, "height": 900})
        page.wait_for_timeout(300)
        widths = page.evaluate(
            "() => [...document.querySelectorAll('.vega-embed svg')].map(e => e.clientWidth)"
        )
        too_wide += [f"{name}: {width} pixels" for width in widths if width > narrow]
    page.close()
    assert not too_wide, "\n".join(too_wide)
