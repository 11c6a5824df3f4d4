"""The built book as a browser shows it, served and from disk, light and dark, at three widths."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlparse

from browsing import Visit, address, browser, names, settle, site, visits
from playwright.sync_api import Browser

__all__ = ["address", "browser", "site", "visits"]

MOST_PAGE, MOST_SITE = 1_500_000, 40_000_000
# A role in computed text is not read by Sphinx and would stand there as typed.
MARKUP = ("{term}`", "{numref}`", "{cite:p}`", "{glue:", "](./", "](../")


def faults_of(visit: Visit) -> list[str]:
    """What is wrong with a page, whether it was served or opened from disk."""
    seen, host = visit.seen, urlparse(visit.url).netloc
    charts = seen["charts"]
    return [
        *visit.faults,
        *(f"asks {url}" for url in visit.requests if urlparse(url).netloc not in (host, "")),
        *(f"no alternative text: {one['src']}" for one in seen["images"] if not one["alt"]),
        *(f"not loaded: {one['src']}" for one in seen["images"] if not one["ok"]),
        *(["a chart is not drawn"] if seen["specs"] > len(charts) else []),
        *("a chart without marks or words" for c in charts if not (c["marks"] and c["label"])),
        *(["a formula is not set"] if seen["formulae"] > seen["set"] or seen["errors"] else []),
        *(f"{figure} has no data" for figure in seen["bare"]),
        *(f"shows {mark}" for mark in MARKUP if mark in seen["text"]),
        *([] if seen["title"] else ["has no title"]),
    ]


def test_no_page_is_at_fault(visits: dict[str, Visit]) -> None:
    """Offline, accessible (axe), drawn, legible and not cut at three widths, light and dark."""
    found = [f"{name}: {fault}" for name, visit in visits.items() for fault in faults_of(visit)]
    assert not found, "\n".join(found)


def test_nothing_is_heavy(site: Path) -> None:
    heavy = {name: (site / name).stat().st_size for name in names(site)}
    assert not {name: size for name, size in heavy.items() if size > MOST_PAGE}
    # The PDF is beside the site: whoever reads on the web does not load it.
    size = sum(p.stat().st_size for p in site.rglob("*") if p.is_file() and p.suffix != ".pdf")
    assert size <= MOST_SITE, f"{size / 1e6:.0f} MB"


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
            elif anchor and target in visits and unquote(anchor) not in visits[target].seen["ids"]:
                broken.append(f"{name}: {link} has no such place")
    assert not broken, "\n".join(broken)


def test_from_disk_pages_work_without_a_server(site: Path, browser: Browser) -> None:
    # Search needs a server: it fetches pages to quote from them.
    some = [name for name in names(site) if name != "search.html"][::4]
    wrong = []
    for name in some:
        visit = Visit(browser, (site / name).as_uri(), thorough=False)
        wrong += [f"{name}: {fault}" for fault in faults_of(visit)]
    assert not wrong, "\n".join(wrong)


def test_the_address_opens_the_first_page_and_search_finds_a_word(
    browser: Browser, address: str
) -> None:
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("article h1")
    page.goto(f"{address}/search.html?q=MDAD")
    page.wait_for_selector("#search-results .search li a", timeout=10_000)
    page.close()


def test_pictures_of_the_dark_have_no_white_card(
    visits: dict[str, Visit], browser: Browser, address: str
) -> None:
    name = next(name for name, visit in visits.items() if visit.seen["images"])
    page = browser.new_page(color_scheme="dark")
    page.goto(f"{address}/{name}")
    style = page.locator(".bd-content img[src*=_images]").first.evaluate(
        "e => [getComputedStyle(e).filter, getComputedStyle(e).backgroundColor]"
    )
    page.close()
    assert "invert(1)" in style[0] and style[1] == "rgba(0, 0, 0, 0)"


def test_every_control_of_a_chart_changes_the_chart(
    visits: dict[str, Visit], browser: Browser, address: str
) -> None:
    dead, touched = [], 0
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    for name in [name for name, visit in visits.items() if visit.seen["charts"]]:
        page.goto(f"{address}/{name}")
        settle(page)
        for chart in page.locator(".vega-embed").all():
            for field in chart.locator("select, .vega-bind:has(input[type=radio])").all():
                before = chart.locator("svg").inner_html()
                if field.evaluate("e => e.tagName") == "SELECT":
                    field.select_option(index=1)
                else:
                    field.locator("input:not(:checked)").first.check()
                page.wait_for_timeout(300)
                touched += 1
                if chart.locator("svg").inner_html() == before:
                    dead.append(f"{name}: {field.inner_text()[:40]} does nothing")
    page.close()
    assert touched, "no chart of the book has a control"
    assert not dead, "\n".join(dead)
