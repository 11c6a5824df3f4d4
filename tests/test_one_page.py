"""The site joined into one page for print: ids, links, solutions, contents."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from mbnb.book.one_page import Entry, entries_of, join_pages

from mbnb.book import pdf
from mbnb.data.errors import InputError

PAGE = """<!DOCTYPE html><html><head><title>{title} — The book</title>
<link rel="stylesheet" href="../_static/book.css"></head><body>
<article class="bd-article"><h1 id="top">{title}<a class="headerlink" href="#top">#</a></h1>
{body}</article></body></html>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "book").mkdir()
    (tmp_path / "notebooks").mkdir()
    one = (
        '<p><a href="../notebooks/01_a.html#fig">to a figure</a> <a href="#top">up</a> '
        '<a href="../notebooks/01_a.html">to a page</a> <a href="https://example.org">out</a> '
        '<a href="data.csv">a file</a></p>'
    )
    two = (
        '<figure id="fig"><img src="../_images/x.png" alt="x"></figure><h2 id="top-2">More</h2>'
        '<div class="cell tag_hide-input"><details><summary>Show</summary>code</details></div>'
        '<div class="cell tag_solution"><details><summary>Show</summary><p>an answer</p></details>'
        '</div><div id="altair-viz-1"></div>'
    )
    (tmp_path / "book" / "intro.html").write_text(PAGE.format(title="Intro", body=one), "utf-8")
    (tmp_path / "notebooks" / "01_a.html").write_text(PAGE.format(title="A", body=two), "utf-8")
    return tmp_path


@pytest.fixture
def joined(site: Path) -> BeautifulSoup:
    entries = [Entry("book/intro"), Entry("notebooks/01_a", "Part I")]
    return BeautifulSoup(join_pages(site, entries, "Built on <x>."), "html.parser")


def test_every_link_leads_into_the_page_or_out_of_the_book(joined: BeautifulSoup) -> None:
    ids = [tag["id"] for tag in joined.select("[id]")]
    assert len(ids) == len(set(ids)), "ids of two pages are kept apart"
    targets = [a["href"] for a in joined.select("main a[href]")]
    inside = [str(link)[1:] for link in targets if str(link).startswith("#")]
    assert set(inside) <= set(ids)
    assert "page-1-fig" in inside and "page-0-top" in inside and "page-1" in inside
    assert [link for link in targets if not str(link).startswith("#")] == ["https://example.org"]
    assert "a file" in joined.get_text(), "a link to a file becomes its text"


def test_contents_name_parts_and_titles_in_order(joined: BeautifulSoup) -> None:
    lines = [li.get_text() for li in joined.select("nav li")]
    assert lines == ["Intro", "Part I", "A"]
    assert "Built on <x>." in joined.get_text()


def test_paper_shows_solutions_and_leaves_folded_code_out(joined: BeautifulSoup) -> None:
    assert not joined.select("details")
    assert "an answer" in joined.get_text() and "code" not in joined.select_one("main").get_text()


def test_addresses_are_those_of_the_root_and_charts_keep_their_ids(joined: BeautifulSoup) -> None:
    assert joined.select_one("img")["src"] == "_images/x.png"
    assert joined.select_one("head link")["href"] == "_static/book.css"
    assert joined.select_one("#altair-viz-1") is not None


def test_a_page_without_an_article_is_refused(site: Path) -> None:
    (site / "book" / "intro.html").write_text("<p>nothing</p>", "utf-8")
    with pytest.raises(ValueError, match=r"book/intro\.html has no article"):
        join_pages(site, [Entry("book/intro")], "")


def test_entries_come_from_the_table_of_contents() -> None:
    assert entries_of({"book/a.md": "", "notebooks/01_b": "Part I"}) == [
        Entry("book/a"),
        Entry("notebooks/01_b", "Part I"),
    ]


def test_without_a_browser_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="a PDF needs Chromium, and none of chromium, "):
        pdf.find_browser()
