"""The page of `mbnb report` in a browser, from disk and without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browsing import browser
from click.testing import CliRunner
from conftest import make_matrix
from playwright.sync_api import Browser, Page

from mbnb.cli import main
from mbnb.data.folder import write_folder

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[2]

COLOURS = """() => [...document.querySelectorAll(".vega-embed .mark-symbol path")].map(
    e => e.getAttribute("fill"))"""
CLOSE, PICKED = "#9b1c31", "#1f2933"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "report.html"
    words = ["report", "simulated:gpqa", "--out", str(out), "--trials", "2", "--sizes", "10,100"]
    done = CliRunner().invoke(main, [*words, "--selectors", "uniform,confidence"])
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="module")
def visit(file: Path, browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 900}, offline=True)
    page = context.new_page()
    page.on("console", lambda m: m.type == "error" and complaints.append(m.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda r: (
            r.url in (file.as_uri(),)
            or r.url.startswith("data:")
            or complaints.append(f"asked for {r.url}")
        ),
    )
    page.goto(file.as_uri())
    page.wait_for_selector(".vega-embed svg", timeout=10_000)
    yield page, complaints
    context.close()


def test_the_page_opens_from_disk_without_a_complaint(visit: tuple[Page, list[str]]) -> None:
    page, complaints = visit
    assert page.locator("h1").count() == 1
    assert page.locator("main .vega-embed svg").count() == 1, "the chart is drawn"
    broken = "() => [...document.images].filter(e => !e.naturalWidth || !e.alt).length"
    assert page.evaluate(broken) == 0, "every picture is there and has words for it"
    assert complaints == []


def test_links_within_the_page_lead_somewhere(visit: tuple[Page, list[str]]) -> None:
    page, _ = visit
    lost = """() => [...document.querySelectorAll('a[href^="#"]')].map(a => a.hash.slice(1))
        .filter(id => id && !document.getElementById(decodeURIComponent(id)))"""
    assert page.evaluate(lost) == []


def test_a_model_that_is_pointed_at_lights_up_those_it_is_tied_with(
    visit: tuple[Page, list[str]],
) -> None:
    page, complaints = visit
    marks = page.locator(".vega-embed .mark-symbol path")
    page.locator(".vega-embed").scroll_into_view_if_needed()
    page.get_by_label("100", exact=True).check()
    marks.nth(6).hover(force=True)  # what is nearest to the pointer is picked
    page.wait_for_function(f"() => ({COLOURS})()[6] === '{PICKED}'", timeout=5_000)
    few = page.evaluate(COLOURS).count(CLOSE)
    page.get_by_label("10", exact=True).check()
    page.wait_for_timeout(300)
    many = page.evaluate(COLOURS).count(CLOSE)
    assert 0 < few < many, "ten items tell fewer models apart than a hundred"
    assert complaints == []


def test_a_phone_shows_it_without_scrolling_sideways(visit: tuple[Page, list[str]]) -> None:
    page, _ = visit
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_timeout(200)
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 1200, "height": 900})
    assert wide <= 390


def test_light_and_dark_are_both_legible(visit: tuple[Page, list[str]]) -> None:
    page, _ = visit
    ink = """() => [getComputedStyle(document.body).color,
        getComputedStyle(document.body).backgroundColor].map(
          c => c.match(/[0-9]+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 3)"""
    for scheme, sign in (("light", -1), ("dark", 1)):
        page.emulate_media(color_scheme=scheme)
        text, ground = page.evaluate(ink)
        assert sign * (text - ground) > 150, f"{scheme}: text {text} on {ground}"
    page.emulate_media(color_scheme="light")


def test_names_of_models_stay_text_whatever_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: tuple[Page, list[str]]
) -> None:
    hostile = [
        "</script><script>window.taken = 1</script>",
        '"><img src=x onerror="window.taken = 2">',
        "<details open ontoggle='window.taken = 3'>x",
        "[link](javascript:window.taken=4) **bold** {term}`gap` $x$",
        "<!-- comment",
    ]
    abilities = np.linspace(0.2, 0.9, 12)[:, None]
    answers = np.random.default_rng(0).random((12, 40)) < abilities
    matrix = make_matrix(
        answers.astype(np.uint8),
        models=[*hostile, *(f"m{k}" for k in range(7))],
        subtasks=["<b>bold</b>"] * 20 + ["{glue:text}`x`"] * 20,
    )
    monkeypatch.chdir(tmp_path)
    write_folder(matrix, "data", "made up")
    words = ["report", "data", "--out", "page.html", "--trials", "2", "--sizes", "10"]
    done = CliRunner().invoke(main, [*words, "--selectors", "uniform", "--book", str(ROOT)])
    assert done.exit_code == 0, done.output
    complaints: list[str] = []
    page = visit[0].context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector(".vega-embed svg", timeout=10_000)
    page.wait_for_timeout(500)
    assert page.evaluate("() => window.taken") is None
    made = "img[src=x], details[ontoggle], main b, a[href^=javascript]"
    assert page.locator(made).count() == 0
    text = page.inner_text("body")
    assert all(name in text for name in hostile)
    assert page.locator(".vega-embed .mark-symbol path").count() >= 12, "one for each model"
    assert complaints == []
    page.close()
