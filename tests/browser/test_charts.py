"""The book's charts answer to a hand, and their data can be had."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from browsing import address, browser, names, settle, site
from playwright.sync_api import Browser, Locator, Page

__all__ = ["address", "browser", "site"]

DRAWN = "e => e.querySelector('svg').outerHTML"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1280, "height": 900})


def _touch(control: Locator) -> bool:
    """Give a control another value than it has, as a hand or a key would; False if it has none."""
    kind = control.evaluate("e => e.tagName === 'SELECT' ? 'select' : e.type")
    if kind == "select":
        values = control.evaluate("e => [...e.options].map(o => o.value)")
        other = [value for value in values if value != control.input_value()]
        if other:
            control.select_option(other[-1])
        return bool(other)
    if kind == "range":
        before = control.input_value()
        for key in ("End", "Home"):
            control.focus()
            control.press(key)
            if control.input_value() != before:
                return True
        return False
    if kind in ("radio", "checkbox"):
        if control.is_checked():
            return False
        control.check()
        return True
    control.fill("a")
    return True


def test_every_control_of_a_chart_changes_the_chart(site: Path, page: Page, address: str) -> None:
    dead, touched = [], 0
    for name in names(site):
        page.goto(f"{address}/{name}")
        settle(page)
        for chart in page.locator(".vega-embed").all():
            controls = chart.locator("input, select").all()
            answers = []
            for control in controls:
                before = chart.evaluate(DRAWN)
                if not control.is_visible() or not _touch(control):
                    continue
                page.wait_for_timeout(200)
                answers.append(chart.evaluate(DRAWN) != before)
            touched += len(answers)
            # Two choices may look alike on some data; a chart of which none does anything is dead.
            if answers and not any(answers):
                dead.append(f"{name}: {chart.get_attribute('id')} does not answer")
    assert touched, "no chart of the book has a control"
    assert not dead, "\n".join(dead)


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
