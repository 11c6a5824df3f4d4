"""The built book as a reader's browser sees it, served and from disk, wide and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlparse

import pytest
from browsing import Visit, address, browser, names, site, visits
from playwright.sync_api import Browser

__all__ = ["address", "browser", "site", "visits"]

MOST_PAGE, MOST_SITE = 1_500_000, 40_000_000


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
    assert not {name: size for name, size in heavy.items() if size > MOST_PAGE}


def test_the_site_is_not_heavy(site: Path) -> None:
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


def test_no_page_shows_the_markup_of_its_source(visits: dict[str, Visit], site: Path) -> None:
    # A role in computed text is not read by Sphinx and would stand there as typed.
    roles = ("{term}`", "{numref}`", "{cite:p}`", "{glue:", "](./", "](../")
    shown = {
        name: [role for role in roles if role in visit.seen["text"]]
        for name, visit in visits.items()
    }
    assert not {name: found for name, found in shown.items() if found}
