"""The charts of agreement and of a group's pairs answer to the keyboard, offline, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
import pytest
from browsing import browser
from playwright.sync_api import Browser, Page

from mbnb.publish.charts.explore import explore_agreement
from mbnb.publish.charts.explore_pairs import explore_pairs

__all__ = ["browser"]

# A name with signs that Vega's expressions would take for a path.
STRANGER = "my.own[1] selector"
NAMES = ["Alpha", "Beta", "Gamma's"]


def cells(selectors: list[str], sizes: list[int]) -> pd.DataFrame:
    rows = [(name, "weighted-mean", size, 300) for name in selectors for size in sizes]
    return pd.DataFrame(rows, columns=["selector", "estimator", "size", "n_source"])


def agreement_chart() -> alt.LayerChart:
    table = cells(["uniform", STRANGER], [10, 250])
    told = table.assign(mdad=[12.0, 2.0, np.nan, 1.5], low=1.0, high=14.0, threshold=0.8)
    gaps = pd.DataFrame({"gap": 0.5 * np.arange(40)})
    curve = table.merge(gaps, how="cross").assign(pairs=100)
    curve["agreement"] = np.minimum(1, 0.5 + curve["gap"] / 40)
    return explore_agreement(curve, told, threshold=0.8)


def pairs_chart() -> alt.LayerChart:
    table = cells(["uniform", "diversity"], [10, 100])
    told = table.assign(mdad=[np.nan, 1.0, 5.0, 0.5], low=1.0, high=2.0, threshold=0.8)
    first = pd.DataFrame({"first": ["Alpha", "Alpha", "Beta"]})
    first["second"] = ["Beta", "Gamma's", "Gamma's"]
    pairs = table.merge(first, how="cross").assign(n_trials=50)
    pairs["agreement"] = np.where(pairs["size"] == 10, 0.5, [1.0, 0.9, 0.6] * 4)
    return explore_pairs(pairs, pd.Series([30.0, 28.0, 27.0], index=NAMES), told)


@pytest.fixture(params=[1100, 390], ids=["wide", "phone"])
def visit(
    request: pytest.FixtureRequest, browser: Browser, tmp_path: Path
) -> Iterator[tuple[Page, list[str]]]:
    context = browser.new_context(viewport={"width": request.param, "height": 900}, offline=True)
    page, complaints = context.new_page(), []
    page.on("console", lambda m: m.type == "error" and complaints.append(m.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page, complaints
    context.close()


def opened(page: Page, chart: alt.LayerChart, folder: Path) -> None:
    file = folder / "chart.html"
    chart.save(file, inline=True, embed_options={"renderer": "svg", "actions": False})
    page.goto(file.as_uri())
    page.wait_for_selector("svg .mark-text text, svg .role-title text")


def words(page: Page) -> str:
    page.wait_for_timeout(200)
    # What is seen: a text of opacity 0 says nothing.
    return "\n".join(
        page.eval_on_selector_all(
            "svg text",
            "texts => texts.filter(t => t.getAttribute('opacity') !== '0').map(t => t.textContent)",
        )
    )


def test_the_slider_moves_the_size_and_the_menu_shows_one_selector(
    visit: tuple[Page, list[str]], tmp_path: Path
) -> None:
    page, complaints = visit
    opened(page, agreement_chart(), tmp_path)
    said = words(page)
    assert "MDAD at 10 items (points)" in said and "Uniform random: 12" in said
    assert "2.5" not in said and f"{STRANGER}: not reached" in said
    lines = page.locator("svg .mark-line path")
    assert lines.count() == 2, "the stranger's name leads to its column"
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    said = words(page)
    assert "MDAD at 250 items (points)" in said and "Uniform random: 2" in said
    page.get_by_label("Show:").select_option("Uniform random")
    said = words(page)
    assert "Uniform random: 2" in said and f"{STRANGER}: 1.5" not in said
    assert not complaints, complaints
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room, "the page scrolls sideways"


def test_counts_of_pairs_follow_size_selector_and_model(
    visit: tuple[Page, list[str]], tmp_path: Path
) -> None:
    page, complaints = visit
    opened(page, pairs_chart(), tmp_path)
    said = words(page)
    assert "Uniform random, 10 items" in said and "none of 3 pairs right in ≥ 80 %" in said
    assert page.locator("svg .mark-symbol.role-mark path").count() == 0, "no gap is above it"
    page.get_by_label("100", exact=True).check()
    said = words(page)
    assert "Uniform random, 100 items" in said
    assert "2 of 3 (67 %) pairs right in ≥ 80 % of trials" in said
    # Gaps of 3, 2 and 1 points, the MDAD 1.
    assert "2 of 3 (67 %) pairs: gap above MDAD (1)" in said
    assert page.locator("svg .mark-symbol.role-mark path").count() == 2
    page.get_by_label("Selector:").select_option("Diversity")
    assert "3 of 3 (100 %) pairs: gap above MDAD (0.5)" in words(page)
    page.get_by_label("Pairs of:").select_option("2")
    assert "Rank 2 alone: 1 of 2 (50 %)" in words(page)
    # Beside the ring, which lies over the middle of the cell.
    page.locator("svg .mark-rect path").first.hover(position={"x": 4, "y": 4})
    assert "Alpha" in page.locator("#vg-tooltip-element").inner_text()
    assert not complaints, complaints
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room, "the page scrolls sideways"
